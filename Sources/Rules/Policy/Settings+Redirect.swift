extension Settings {
  /// The scheme of the one browser that may have web links; nil where another setting decides, be it because the
  /// named text is no scheme.
  package var browserScheme: String? {
    managedBrowser == .microsoftEdge ? nil : URLScheme.valid(customBrowserProtocol)
  }

  /// The scheme under which that browser gets links of `scheme`: for `https` it has registered a second one, with an
  /// `s` appended.
  package func browserScheme(for scheme: String) -> String? {
    browserScheme.map { scheme == "https" ? $0 + "s" : $0 }
  }

  /// The scheme of the one dialer that may have phone numbers; nil where any may, or none, or where the named text is
  /// no scheme.
  package var dialerScheme: String? {
    dialerRestrictionLevel == .customApp ? URLScheme.valid(customDialerAppProtocol) : nil
  }

  /// The scheme of the one app that may have messages; nil as with dialers.
  package var messagingScheme: String? {
    protectedMessagingRedirectAppType == .specificApps
      ? URLScheme.valid(messagingRedirectAppUrlScheme) : nil
  }
}
