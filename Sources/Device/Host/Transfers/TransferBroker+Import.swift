internal import Model
internal import Policy
internal import Wire

/// Imports: a guest asks another one for an item.
extension TransferBroker {
  func importItem(from source: String, via: SharingPath, _ pending: PendingRequest) {
    guard let provider = registry.guest(named: source), provider.app.kind == .app else {
      return replies.refuse(pending, .import, .noSuchDestination, subject: source)
    }
    guard !management.refuseWhileBanned(.import, pending, provider) else { return }
    // The data of an account that is not open is out of everybody's reach.
    guard !access.refuseWhileLocked(.import, pending, lockOf: provider) else { return }
    pending.guest.mailbox.unansweredRequests += 1
    askForItem(provider, requester: pending.guest) { [unowned self] item in
      // The importer's account may have lost its policy, or have left, meanwhile.
      var pending = pending
      pending.actingIdentity = identities.renewed(pending.actingIdentity, of: pending.guest)
      // Either guest may have been locked meanwhile.
      if access.refuseWhileLocked(.import, pending)
        || access.refuseWhileLocked(.import, pending, lockOf: provider)
      {
        return replies.settle(pending)
      }
      if let item {
        importItem(item, from: provider, via: via, pending)
      } else {
        replies.refuse(pending, .import, .nothingToImport, subject: source)
      }
      replies.settle(pending)
    }
  }

  private func askForItem(
    _ provider: Guest, requester: Guest, _ answer: @escaping (Item?) -> Void
  ) {
    if !provider.isRunning { supervisor.start(provider) }
    guard provider.isRunning else { return answer(nil) }
    deliveries.ask(provider, .item(answer)) {
      HostMessage(.provideItem(ask: $0, requester: requester.app.bundleID))
    }
  }

  private func importItem(
    _ item: Item, from provider: Guest, via: SharingPath, _ pending: PendingRequest
  ) {
    guard let ownership = custody.ownership(of: item, from: provider) else {
      return replies.refuse(pending, .import, .tagSealBroken, subject: provider.app.bundleID)
    }
    guard !custody.isOrphaned(item.tag, in: provider) else {
      return replies.refuse(pending, .import, .ownerNotSignedIn, subject: provider.app.bundleID)
    }
    let transfer = TransferRequest(
      channel: .import, via: via, sender: provider.party, owner: ownership.owner,
      receiver: pending.actingIdentity.party, device: policies.deviceState)
    custody.answer(
      pending, .import, with: item,
      Ruling(
        transfer, evaluate(transfer), ownership, arena: turn.encoding, from: item.tag?.items ?? []),
      sender: provider.participant)
  }
}
