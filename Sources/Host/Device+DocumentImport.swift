internal import Policy
internal import Transfer
internal import Wire

/// Data that the receiving account may not have: the SDK asks a multi-identity app whether it takes it for an
/// unmanaged one (`identitySwitchRequired`, reason `documentImport`).
extension Device {
  /// - Parameter switched: the request as it would be after the switch.
  func askToSwitch(_ receiver: Guest, _ share: StoredShare, _ switched: TransferRequest) {
    if !receiver.isRunning { start(receiver) }
    guard receiver.isRunning else { return refuse(share, receiver) }
    share.origin.guest.unsettled += 1
    let answer = Guest.Ask.identitySwitch { [unowned self] isAccepted in
      record(
        .identitySwitchRequired(
          guest: receiver.name, identity: "", reason: "documentImport", isAccepted: isAccepted))
      if isAccepted {
        accept(share, switched, receiver)
      } else {
        refuse(share, receiver)
      }
      settle(share.origin)
    }
    ask(receiver, answer) {
      HostMessage(.identitySwitchRequired(ask: $0, account: "", reason: "documentImport"))
    }
  }

  private func accept(_ share: StoredShare, _ switched: TransferRequest, _ receiver: Guest) {
    setIdentity(.unknown, of: receiver)
    record(.identitySwitched(guest: receiver.name, identity: "", isManaged: false))
    let ruling = Ruling(
      switched, evaluate(importing: switched), share.ruling.ownership, arena: encoding,
      insteadOf: share.ruling.request)
    share.withParts { settle($0, ruling, share.origin, receiver, marks: .forUnmanaged) }
  }

  private func refuse(_ share: StoredShare, _ receiver: Guest) {
    share.withParts { settle($0, share.ruling, share.origin, receiver) }
  }
}
