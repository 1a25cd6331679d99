package import Model

/// Rules for opening a URL in the app that registered its scheme (the SDK's `isURLAllowed`), or as a universal link.
package enum URLRules {
  static func apply(to request: TransferRequest, into reasons: inout [Reason]) {
    let policies = request.sendingPolicies
    if let policy = policies.owner { judge(policy, .owner, request, into: &reasons) }
    if let policy = policies.sender { judge(policy, .sender, request, into: &reasons) }
    if policies.isEmpty { reasons.append(Reason(.unmanagedSender, .sender)) }
  }

  /// The schemes of URLs whose opening depends on other settings than "Send org data to other apps".
  package static let schemesWithSettings: Set<String> = [
    "http", "https", "tel", "telprompt", "sms", "imessage",
  ]

  private static func judge(
    _ policy: EffectivePolicy, _ side: Side, _ request: TransferRequest,
    into reasons: inout [Reason]
  ) {
    let app = request.sender.app
    let settings = policy.settings
    guard let scheme = request.content.scheme else {
      reasons.append(other(policy, side, request))
      return
    }
    if settings.exemptedAppProtocols.contains(scheme) {
      reasons.append(Reason(.exemptedScheme, side, .exemptedAppProtocols))
      return
    }
    func noteUnread(_ setting: Setting, where isStated: Bool) {
      if isStated, !app.reads(setting) { reasons.append(Reason(.settingNotRead, side, setting)) }
    }
    switch scheme {
    case "https", "http":
      noteUnread(.customBrowserProtocol, where: settings.browserScheme != nil)
      reasons.append(web(scheme, policy, side, request))
    case "tel", "telprompt":
      noteUnread(.dialerRestrictionLevel, where: settings.dialerRestrictionLevel != .allApps)
      // Older releases handle the scheme like any other. For them, Microsoft Learn recommends an
      // exemption.
      reasons.append(
        app.reads(.dialerRestrictionLevel)
          ? dialer(policy, side, Opener(of: request)) : other(policy, side, request))
    case "sms", "imessage":
      let setting = Setting.protectedMessagingRedirectAppType
      noteUnread(setting, where: settings.protectedMessagingRedirectAppType != .anyApp)
      reasons.append(
        app.reads(setting)
          ? messaging(policy, side, Opener(of: request)) : other(policy, side, request))
    default:  // open: every text is a scheme
      reasons.append(other(policy, side, request))
    }
  }

  /// The app that would open a URL.
  struct Opener {
    /// The system: not a managed app, without registered schemes.
    static let system = Opener()

    var isManaged = false
    var schemes: Set<String> = []
  }

  private static func other(
    _ policy: EffectivePolicy, _ side: Side, _ request: TransferRequest
  ) -> Reason {
    let setting = Setting.allowedOutboundDataTransferDestinations
    return switch policy.settings.allowedOutboundDataTransferDestinations {
    case .allApps: Reason(.sendAllApps, side, setting)
    case .none: Reason(.sendNone, side, setting)
    case .managedApps:
      Reason(Opener(of: request).isManaged ? .managedScheme : .unmanagedScheme, side, setting)
    }
  }

  private static func web(
    _ scheme: String, _ policy: EffectivePolicy, _ side: Side, _ request: TransferRequest
  ) -> Reason {
    let browser = self.browser(scheme, policy, side, request)
    guard browser.rule != .anyBrowser, request.channel != .openURL, let link = request.content.link
    else { return browser }
    return self.link(link, policy, side, request) ?? browser
  }

  /// Returns the reason for opening a link in the app or App Clip that claims it; nil if the policy requires the link
  /// to open in the browser.
  private static func link(
    _ link: WebLink, _ policy: EffectivePolicy, _ side: Side, _ request: TransferRequest
  ) -> Reason? {
    if policy.settings.exemptedUniversalLinks.contains(where: { $0.matches(link) }) {
      return Reason(.exemptedUniversalLink, side, .exemptedUniversalLinks)
    }
    // An App Clip is never a managed location, whichever app it belongs to.
    guard request.channel == .universalLink, request.receiver.isManaged,
      policy.settings.managedUniversalLinks.contains(where: { $0.matches(link) })
    else { return nil }
    return Reason(.managedUniversalLink, side, .managedUniversalLinks)
  }

  /// Returns the reason for opening a web URL in a browser. If a policy sets both Microsoft Edge and a custom browser,
  /// Edge takes precedence, because it is the stricter choice. A custom browser overrides
  /// `managedBrowserToOpenLinksRequired`, although Graph requires that property for a custom browser.
  private static func browser(
    _ scheme: String, _ policy: EffectivePolicy, _ side: Side, _ request: TransferRequest
  ) -> Reason {
    let managed: Rule =
      request.content.opensInManagedBrowser ? .managedBrowserUsed : .managedBrowserRequired
    if policy.settings.managedBrowser == .microsoftEdge {
      return Reason(managed, side, .managedBrowser)
    }
    if request.sender.app.reads(.customBrowserProtocol),
      let named = policy.settings.browserScheme(for: scheme)
    {
      let isThis = request.receiver.app.schemes.contains(named)
      return Reason(
        isThis ? .customBrowser : .customBrowserRequired, side, .customBrowserProtocol)
    }
    return policy.settings.managedBrowserToOpenLinksRequired
      ? Reason(managed, side, .managedBrowserToOpenLinksRequired)
      : Reason(.anyBrowser, side, .managedBrowser)
  }

  /// Returns the reason under "Transfer telecommunication data to". If the setting requires a specific dialer but the
  /// policy has no valid scheme for it, the reason blocks.
  private static func dialer(_ policy: EffectivePolicy, _ side: Side, _ opener: Opener) -> Reason {
    let setting = Setting.dialerRestrictionLevel
    switch policy.settings.dialerRestrictionLevel {
    case .allApps: return Reason(.dialerAnyApp, side, setting)
    case .customApp:
      let isNamed = policy.settings.dialerScheme.map(opener.schemes.contains)
      let rule = isNamed.map { $0 ? Rule.dialerSpecificApp : .dialerOtherApp } ?? .dialerBlocked
      return Reason(rule, side, .customDialerAppProtocol)
    case .managedApps:
      return Reason(opener.isManaged ? .dialerManagedApp : .dialerUnmanagedApp, side, setting)
    case .blocked: return Reason(.dialerBlocked, side, setting)
    }
  }

  /// Returns the reason under "Transfer messaging data to". If the setting requires a specific app but the policy has
  /// no valid scheme for it, the reason blocks.
  static func messaging(_ policy: EffectivePolicy, _ side: Side, _ opener: Opener) -> Reason {
    let setting = Setting.protectedMessagingRedirectAppType
    switch policy.settings.protectedMessagingRedirectAppType {
    case .anyApp: return Reason(.messagingAnyApp, side, setting)
    case .specificApps:
      let isNamed = policy.settings.messagingScheme.map(opener.schemes.contains)
      let rule =
        isNamed.map { $0 ? Rule.messagingSpecificApp : .messagingOtherApp } ?? .messagingBlocked
      return Reason(rule, side, .messagingRedirectAppUrlScheme)
    case .anyManagedApp:
      return Reason(opener.isManaged ? .messagingManagedApp : .messagingUnmanagedApp, side, setting)
    case .blocked: return Reason(.messagingBlocked, side, setting)
    }
  }
}

extension URLRules.Opener {
  fileprivate init(of request: TransferRequest) {
    isManaged = request.content.isKnownManagedScheme || request.receiver.isManaged
    schemes = request.receiver.app.schemes
  }
}

// MARK: - Schemes of designated apps

extension Settings {
  /// The URL scheme of the only browser that may open web links; nil if the policy requires Microsoft Edge or the
  /// configured text is not a scheme.
  package var browserScheme: String? {
    managedBrowser == .microsoftEdge ? nil : URLScheme.valid(customBrowserProtocol)
  }

  /// Returns the scheme that replaces `scheme` in a web link to open the link in the designated browser:
  /// ``browserScheme``, with an `s` appended for `https`. Returns nil if ``browserScheme`` is nil.
  package func browserScheme(for scheme: String) -> String? {
    browserScheme.map { scheme == "https" ? $0 + "s" : $0 }
  }

  /// The URL scheme of the only app that may open phone numbers; nil if no dialer is designated or the configured text
  /// is not a scheme.
  package var dialerScheme: String? {
    dialerRestrictionLevel == .customApp ? URLScheme.valid(customDialerAppProtocol) : nil
  }

  /// The URL scheme of the only app that may open messages; nil if no app is designated or the configured text is not a
  /// scheme.
  package var messagingScheme: String? {
    protectedMessagingRedirectAppType == .specificApps
      ? URLScheme.valid(messagingRedirectAppUrlScheme) : nil
  }
}

/// The browser to which "Microsoft Edge" and `managedBrowserToOpenLinksRequired` refer.
package enum ManagedBrowser {
  /// The bundle id in lower case.
  package static let bundleID = "com.microsoft.msedge"
}

// MARK: - Redirection

/// Returns the URL with the scheme of the browser, dialer or messaging app that a policy designates. Returns nil if no
/// policy designates one, if the verdict denies the URL, or if the URL stays in the managed browser.
///
/// Source: Microsoft Learn, "iOS app protection policy settings", Unmanaged browser protocol, Dialer App URL Scheme and
/// Messaging App URL Scheme.
package func redirection(
  of url: String, for request: TransferRequest, _ verdict: Verdict
) -> String? {
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

/// Returns the scheme of the designated browser, dialer or messaging app if the verdict denies the URL because another
/// app would open it; nil otherwise.
func redirectedScheme(for request: TransferRequest, _ verdict: Verdict) -> String? {
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
