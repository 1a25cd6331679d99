internal import Model
internal import Policy
internal import Wire

/// Data that the receiving account may not have: the SDK asks a multi-identity app whether it takes the data for an
/// unmanaged account (`identitySwitchRequired`, reason `documentImport`).
extension TransferBroker {
  /// Asks the receiver to switch to an unmanaged account.
  ///
  /// - Parameter switched: the request as it would be after the switch.
  func askToSwitch(_ receiver: Guest, _ share: StoredShare, _ switched: TransferRequest) {
    if !receiver.isRunning { supervisor.start(receiver) }
    guard receiver.isRunning else { return keepRefusal(share, receiver) }
    share.pending.guest.mailbox.unansweredRequests += 1
    let answer = PendingCall.identitySwitch { [unowned self] isAccepted in
      audit.record(
        .identitySwitchRequired(
          guest: receiver.name, identity: "", reason: "documentImport", isAccepted: isAccepted))
      if isAccepted {
        accept(share, switched, receiver)
      } else {
        keepRefusal(share, receiver)
      }
      replies.settle(share.pending)
    }
    deliveries.ask(receiver, answer) {
      HostMessage(.identitySwitchRequired(ask: $0, account: "", reason: "documentImport"))
    }
  }

  private func accept(_ share: StoredShare, _ switched: TransferRequest, _ receiver: Guest) {
    identities.setIdentity(.unknown, of: receiver)
    audit.record(.identitySwitched(guest: receiver.name, identity: "", isManaged: false))
    let ruling = Ruling(
      switched, evaluate(importing: switched), share.ruling.ownership, arena: turn.encoding,
      from: share.ruling.from, insteadOf: share.ruling.request)
    share.withParts { conclude($0, ruling, share.pending, receiver, marks: .forUnmanaged) }
  }

  private func keepRefusal(_ share: StoredShare, _ receiver: Guest) {
    share.withParts { conclude($0, share.ruling, share.pending, receiver) }
  }
}
