import Transfer

/// Opening a URL in the app that registered its scheme: the SDK's `isURLAllowed`.
enum URLRules {
  static func apply(to request: TransferRequest, into reasons: inout [Reason]) {
    let policies = request.sendingPolicies
    if let policy = policies.owner { reasons.append(reason(policy.settings, .owner, request)) }
    if let policy = policies.sender { reasons.append(reason(policy.settings, .sender, request)) }
    if policies.isEmpty { reasons.append(Reason(.unmanagedSender, .sender)) }
  }

  private static func reason(
    _ settings: Settings, _ side: Side, _ request: TransferRequest
  ) -> Reason {
    if let scheme = request.content.scheme {
      if settings.exemptedAppProtocols.contains(scheme) {
        return Reason(.exemptedScheme, side, .exemptedAppProtocols)
      }
      if scheme == "https" || scheme == "http" { return web(settings, side, request.content) }
    }
    let setting = Setting.allowedOutboundDataTransferDestinations
    switch settings.allowedOutboundDataTransferDestinations {
    case .allApps: return Reason(.sendAllApps, side, setting)
    case .none: return Reason(.sendNone, side, setting)
    case .managedApps:
      let isManaged = request.content.isKnownManagedScheme || request.receiver.isManaged
      return Reason(isManaged ? .managedScheme : .unmanagedScheme, side, setting)
    }
  }

  /// Microsoft Edge wins over a custom browser where a policy states both, because less data moves. A
  /// custom browser wins over "links must open in the managed browser", which Graph says must be set with it.
  private static func web(_ settings: Settings, _ side: Side, _ content: Content) -> Reason {
    let managed: Rule =
      content.opensInManagedBrowser ? .managedBrowserUsed : .managedBrowserRequired
    if settings.managedBrowser == .microsoftEdge { return Reason(managed, side, .managedBrowser) }
    if !settings.customBrowserProtocol.isEmpty {
      return Reason(.customBrowser, side, .customBrowserProtocol)
    }
    return settings.managedBrowserToOpenLinksRequired
      ? Reason(managed, side, .managedBrowserToOpenLinksRequired)
      : Reason(.anyBrowser, side, .managedBrowser)
  }
}
