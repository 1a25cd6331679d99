package import Model

/// Opening a URL in the app that registered its scheme: the SDK's `isURLAllowed`.
package enum URLRules {
  static func apply(to request: TransferRequest, into reasons: inout [Reason]) {
    let policies = request.sendingPolicies
    if let policy = policies.owner { judge(policy, .owner, request, into: &reasons) }
    if let policy = policies.sender { judge(policy, .sender, request, into: &reasons) }
    if policies.isEmpty { reasons.append(Reason(.unmanagedSender, .sender)) }
  }

  /// The schemes that are decided by other settings than Send.
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
      // Older releases take the scheme as any other: Learn has it exempted for them.
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
    /// The system, which is no managed app and registers no scheme.
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

  /// The reason for a link that an app or App Clip claims; nil where the policy leaves the link to the browser.
  private static func link(
    _ link: WebLink, _ policy: EffectivePolicy, _ side: Side, _ request: TransferRequest
  ) -> Reason? {
    if policy.settings.exemptedUniversalLinks.contains(where: { $0.matches(link) }) {
      return Reason(.exemptedUniversalLink, side, .exemptedUniversalLinks)
    }
    // An App Clip is no managed location, whosever it is.
    guard request.channel == .universalLink, request.receiver.isManaged,
      policy.settings.managedUniversalLinks.contains(where: { $0.matches(link) })
    else { return nil }
    return Reason(.managedUniversalLink, side, .managedUniversalLinks)
  }

  /// The reason for a web URL. Microsoft Edge wins over a custom browser where a policy states both, because less data
  /// moves. A custom browser wins over "links must open in the managed browser", which Graph says must be set with it.
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

  /// The reason by "Transfer telecommunication data to". A specific dialer without a scheme cannot be reached.
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

  /// The reason by "Transfer messaging data to", which works as the dialer's setting does.
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

// MARK: - Schemes of named apps

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

/// The browser that "Microsoft Edge" and `managedBrowserToOpenLinksRequired` mean.
package enum ManagedBrowser {
  /// The bundle id, in lower case.
  package static let bundleID = "com.microsoft.msedge"
}

// MARK: - Redirection

/// The URL that results where a policy hands `url` to the browser, dialer or messaging app that it names; nil where no
/// policy does.
///
/// Source: Microsoft Learn, "iOS app protection policy settings", Unmanaged browser protocol, Dialer App URL
/// Scheme and Messaging App URL Scheme.
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

/// The scheme of the app to which a policy hands a URL that the verdict refuses to another app; nil where none does.
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
