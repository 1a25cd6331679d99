internal import Policy
internal import Transfer
internal import Wire

/// What apps have the system ask of extensions that no data is shared with: a VPN to connect, an identity provider to sign
/// somebody in.
extension ExtensionHost {
  /// Starts a run of the extension for the call. No policy speaks of it: iOS hands over what the app says.
  func call(_ use: Use, _ origin: Origin) {
    guard let destination = registry.guest(named: use.extensionID), let item = use.item else {
      return replies.refuse(origin, .extensionCall, .noSuchDestination, subject: use.extensionID)
    }
    guard !management.refuseWhileBanned(.extensionCall, origin, destination) else { return }
    switch destination.app.kind.extensionPoint {
    case .singleSignOn: break
    case .packetTunnel:
      guard isSession(of: origin.guest.app, with: destination.app) else {
        return replies.refuse(
          origin, .extensionCall, .extensionOfAnotherApp, subject: use.extensionID)
      }
    default:
      return replies.refuse(
        origin, .extensionCall, .extensionOfAnotherPoint, subject: use.extensionID)
    }
    guard let ownership = custody.ownership(of: item, from: origin.guest, as: origin.persona) else {
      return replies.refuse(origin, .extensionCall, .tagSealBroken, subject: use.extensionID)
    }
    let run = newRun(of: destination)
    let transfer = TransferRequest(
      channel: .share, sender: origin.persona.party, owner: ownership.owner,
      receiver: run.party, device: policies.deviceState)
    let verdict = Verdict([Reason(.systemCallsExtension, .device)])
    let ruling = Ruling(transfer, verdict, ownership, arena: turn.encoding)
    audit.decided(
      origin,
      RequestDecision(
        request: origin.number, operation: .extensionCall, sender: origin.persona.participant,
        receiver: run.participant, owner: ownership.owner.account?.upn ?? "", type: item.type,
        bytes: item.payload.count, subject: use.extensionID, verdict: ruling.explained))
    begin(run, with: [OfferedItem(item)], ruling, origin)
  }

  /// Only the app that contains a tunnel has a session with it (NETunnelProviderSession).
  private func isSession(of app: AppDescription, with tunnel: AppDescription) -> Bool {
    tunnel.kind.containingApp == app.bundleID && tunnel.team == app.team
  }
}
