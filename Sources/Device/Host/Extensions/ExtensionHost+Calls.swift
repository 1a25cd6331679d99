internal import Model
internal import Policy
internal import Wire

/// Calls of apps, through the system, to extensions that no data is shared with: to a VPN to connect, to an identity
/// provider to sign somebody in.
extension ExtensionHost {
  /// Starts an instance of the extension for the call. No policy is about the call: iOS hands over what the app says.
  func call(_ use: SystemHandOff, _ pending: PendingRequest) {
    guard let destination = registry.guest(named: use.extensionID), let item = use.item else {
      return replies.refuse(pending, .extensionCall, .noSuchDestination, subject: use.extensionID)
    }
    guard !management.refuseWhileBanned(.extensionCall, pending, destination) else { return }
    switch destination.app.kind.extensionPoint {
    case .singleSignOn: break
    case .packetTunnel:
      guard isSession(of: pending.guest.app, with: destination.app) else {
        return replies.refuse(
          pending, .extensionCall, .extensionOfAnotherApp, subject: use.extensionID)
      }
    case .share, .action, .service, .notificationService, .keyboard, .safariWebExtension,
      .fileProvider, nil:
      return replies.refuse(
        pending, .extensionCall, .extensionOfAnotherPoint, subject: use.extensionID)
    }
    if let rule = custody.fault(of: item, from: pending.guest) {
      return replies.refuse(pending, .extensionCall, rule, subject: use.extensionID)
    }
    let ownership = custody.ownership(
      of: item.tag, in: pending.guest, as: pending.actingIdentity)
    let instance = newInstance(of: destination, startedBy: pending.guest)
    let transfer = TransferRequest(
      channel: .share, sender: pending.actingIdentity.party, owner: ownership.owner,
      receiver: instance.party, device: policies.deviceState)
    let verdict = Verdict([Reason(.systemCallsExtension, .device)])
    let ruling = Ruling(
      transfer, verdict, ownership, arena: turn.encoding, from: item.tag?.items ?? [])
    audit.decided(
      pending,
      RequestDecision(
        request: pending.number, operation: .extensionCall,
        sender: pending.actingIdentity.participant,
        receiver: instance.participant, owner: ownership.owner.account?.upn ?? "", type: item.type,
        bytes: item.payload.count, from: ruling.from, subject: use.extensionID,
        verdict: ruling.explained))
    begin(instance, with: [OfferedItem(item)], ruling, pending)
  }

  /// Whether the app has a session with the tunnel: only the app that contains it does (NETunnelProviderSession).
  private func isSession(of app: AppDescription, with tunnel: AppDescription) -> Bool {
    tunnel.kind.containingApp == app.bundleID && tunnel.team == app.team
  }
}
