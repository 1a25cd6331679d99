internal import Policy
internal import Transfer
internal import Wire

/// A guest asks another one for an item.
extension TransferBroker {
  func importItem(from source: String, via: SharingPath, _ origin: Origin) {
    guard let provider = registry.guest(named: source), provider.app.kind == .app else {
      return replies.refuse(origin, .import, .noSuchDestination, subject: source)
    }
    guard !management.refuseWhileBanned(.import, origin, provider) else { return }
    // Nobody gets at the data of an account that is not open.
    guard !access.refuseWhileLocked(.import, origin, lockOf: provider) else { return }
    origin.guest.mailbox.unsettled += 1
    askForItem(provider, requester: origin.guest) { [unowned self] item in
      // Whom the importer acts for may have lost its policy, or its account, meanwhile.
      var origin = origin
      origin.persona = identities.renewed(origin.persona, of: origin.guest)
      // Either may have been locked meanwhile.
      if access.refuseWhileLocked(.import, origin)
        || access.refuseWhileLocked(.import, origin, lockOf: provider)
      {
        return replies.settle(origin)
      }
      if let item {
        importItem(item, from: provider, via: via, origin)
      } else {
        replies.refuse(origin, .import, .nothingToImport, subject: source)
      }
      replies.settle(origin)
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
    _ item: Item, from provider: Guest, via: SharingPath, _ origin: Origin
  ) {
    guard let ownership = custody.ownership(of: item, from: provider) else {
      return replies.refuse(origin, .import, .tagSealBroken, subject: provider.app.bundleID)
    }
    guard !custody.isOrphaned(item.tag, in: provider) else {
      return replies.refuse(origin, .import, .ownerNotSignedIn, subject: provider.app.bundleID)
    }
    let transfer = TransferRequest(
      channel: .import, via: via, sender: provider.party, owner: ownership.owner,
      receiver: origin.persona.party, device: policies.deviceState)
    custody.answer(
      origin, .import, with: item,
      Ruling(transfer, evaluate(transfer), ownership, arena: turn.encoding),
      sender: provider.participant)
  }
}
