public import Model

/// The URL that results where a policy hands `url` to the browser, dialer or messaging app that it names; nil where no
/// policy does.
///
/// Source: Microsoft Learn, "iOS app protection policy settings", Unmanaged browser protocol, Dialer App URL
/// Scheme and Messaging App URL Scheme.
public func redirection(of url: String, for request: TransferRequest, _ verdict: Verdict) -> String?
{
  guard verdict.outcome == .allowed, let colon = url.utf8.firstIndex(of: UInt8(ascii: ":"))
  else { return nil }
  // Another side's policy keeps the link in the managed browser.
  guard !verdict.reasons.contains(where: { $0.rule == .managedBrowserUsed }) else { return nil }
  for reason in verdict.reasons {
    guard let settings = request.policy(of: reason.side)?.settings else { continue }
    if case .customBrowser = reason.rule {
      return settings.browserScheme(for: url[..<colon].lowercased()).map { $0 + url[colon...] }
    }
    if case .dialerSpecificApp = reason.rule {
      return settings.customDialerAppProtocol + url[colon...]
    }
    if case .messagingSpecificApp = reason.rule {
      return settings.messagingRedirectAppUrlScheme + url[colon...]
    }
  }
  return nil
}

/// The scheme of the app to which a policy hands a URL that the verdict refuses to another app; nil where none does.
public func redirectedScheme(for request: TransferRequest, _ verdict: Verdict) -> String? {
  for reason in verdict.reasons {
    guard let settings = request.policy(of: reason.side)?.settings else { continue }
    if case .customBrowserRequired = reason.rule {
      return request.content.scheme.flatMap(settings.browserScheme)
    }
    if case .dialerOtherApp = reason.rule { return settings.dialerScheme }
    if case .messagingOtherApp = reason.rule { return settings.messagingScheme }
  }
  return nil
}
