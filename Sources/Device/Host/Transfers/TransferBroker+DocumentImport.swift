internal import Model
internal import Policy
internal import Wire

/// Data that the receiving account may not have: the SDK asks a multi-identity app whether it takes the data for an
/// unmanaged account (`identitySwitchRequired`, reason `documentImport`).
extension TransferBroker {
  /// Asks the receiver to switch to an unmanaged account.
  func askToSwitch(_ receiver: Guest, _ share: StoredShare) {
    if !receiver.isRunning { supervisor.start(receiver) }
    guard receiver.isRunning else { return keepRefusal(share, receiver) }
    share.pending.guest.mailbox.unansweredRequests += 1
    let answer = PendingCall.identitySwitch { [unowned self] isAccepted in
      audit.record(
        .identitySwitchRequired(
          guest: receiver.name, identity: "", reason: "documentImport", isAccepted: isAccepted))
      if isAccepted {
        identities.setIdentity(.unknown, of: receiver)
        audit.record(.identitySwitched(guest: receiver.name, identity: "", isManaged: false))
        accept(share, receiver)
      } else {
        keepRefusal(share, receiver)
      }
      replies.settle(share.pending)
    }
    deliveries.ask(receiver, answer) {
      HostMessage(.identitySwitchRequired(ask: $0, account: "", reason: "documentImport"))
    }
  }

  /// Decides by what holds on the answer: the sender's account may have left, or have another policy, meanwhile.
  private func accept(_ share: StoredShare, _ receiver: Guest) {
    var pending = share.pending
    let (sender, asked) = (pending.guest, pending.actingIdentity)
    let operation = Operation(share.ruling.request.channel)
    guard !custody.isOrphaned(share.tag, offeredAs: asked, in: sender) else {
      return replies.refuse(pending, operation, .ownerNotSignedIn)
    }
    guard !sender.isBlocked(asked.identity) else {
      return replies.refuse(pending, operation, .accountBlocked)
    }
    pending.actingIdentity = identities.renewed(asked, of: sender)
    guard !access.refuseWhileLocked(operation, pending),
      !management.refuseWhileBanned(operation, pending, receiver)
    else { return }
    let ownership = custody.ownership(of: share.tag, in: sender, as: pending.actingIdentity)
    var transfer = share.ruling.request
    transfer.sender = pending.actingIdentity.party
    transfer.owner = ownership.owner
    transfer.receiver = receiver.party
    transfer.device = policies.deviceState
    let ruling = Ruling(
      transfer, evaluate(importing: transfer), ownership, arena: turn.encoding,
      from: share.ruling.from, insteadOf: share.ruling.request)
    share.withParts { conclude($0, ruling, pending, receiver, marks: .forUnmanaged) }
  }

  private func keepRefusal(_ share: StoredShare, _ receiver: Guest) {
    share.withParts { conclude($0, share.ruling, share.pending, receiver) }
  }
}
