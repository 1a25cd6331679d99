internal import Policy
internal import Transfer
internal import Wire

/// A guest asks another one for an item.
extension Device {
  func importItem(from source: String, via: SharingPath, _ origin: Origin) {
    guard let provider = guest(named: source), provider.app.kind == .app else {
      return refuse(origin, .import, .noSuchDestination, subject: source)
    }
    guard !refuseWhileBanned(.import, origin, provider) else { return }
    // Nobody gets at the data of an account that is not open.
    guard !refuseWhileLocked(.import, origin, lockOf: provider) else { return }
    origin.guest.unsettled += 1
    askForItem(provider, requester: origin.guest) { [unowned self] item in
      // Whom the importer acts for may have lost its policy, or its account, meanwhile.
      var origin = origin
      origin.persona = renewed(origin.persona, of: origin.guest)
      // Either may have been locked meanwhile.
      if refuseWhileLocked(.import, origin) || refuseWhileLocked(.import, origin, lockOf: provider)
      {
        return settle(origin)
      }
      if let item {
        importItem(item, from: provider, via: via, origin)
      } else {
        refuse(origin, .import, .nothingToImport, subject: source)
      }
      settle(origin)
    }
  }

  private func askForItem(
    _ provider: Guest, requester: Guest, _ answer: @escaping (Item?) -> Void
  ) {
    if !provider.isRunning { start(provider) }
    guard provider.isRunning else { return answer(nil) }
    ask(provider, .item(answer)) {
      HostMessage(.provideItem(ask: $0, requester: requester.app.bundleID))
    }
  }

  /// Puts a question to `guest` that it owes an answer to, now or when it is ready.
  @discardableResult
  func ask(
    _ guest: Guest, _ ask: Guest.Ask, _ message: (UInt64) -> HostMessage
  ) -> UInt64 {
    let number = nextAsk()
    if ask.isDebt, !guest.isInDebt { startDebtTimer(guest) }
    guest.asks[number] = ask
    if guest.isReady {
      send(message(number), to: guest)
    } else {
      guest.held.append(message(number), using: encoding)
    }
    return number
  }

  private func importItem(
    _ item: Item, from provider: Guest, via: SharingPath, _ origin: Origin
  ) {
    guard let ownership = ownership(of: item, from: provider) else {
      return refuse(origin, .import, .tagSealBroken, subject: provider.app.bundleID)
    }
    guard !isOrphaned(item.tag, in: provider) else {
      return refuse(origin, .import, .ownerNotSignedIn, subject: provider.app.bundleID)
    }
    let transfer = TransferRequest(
      channel: .import, via: via, sender: provider.party, owner: ownership.owner,
      receiver: origin.persona.party, device: configuration.state)
    answer(
      origin, .import, item, Ruling(transfer, evaluate(transfer), ownership, arena: encoding),
      sender: provider.participant)
  }

  /// Whose an item is that a guest hands over: what its tag says where it has one, else the account that the
  /// guest acts for; nil where the tag is forged.
  func ownership(of item: Item, from guest: Guest, as persona: Persona? = nil) -> Ownership? {
    guard let tag = item.tag else { return (persona ?? guest.persona).ownership }
    var isGenuine = false
    item.withParts { isGenuine = fault(of: tag, type: $0.type, payload: $0.payload) == nil }
    return isGenuine ? ownership(of: tag, in: guest) : nil
  }

  /// Records the decision on an item that was asked for, and puts it into the outcome where it may go.
  func answer(
    _ origin: Origin, _ operation: Operation, _ item: Item, _ ruling: Ruling,
    sender: Participant
  ) {
    let ownership = ruling.ownership(at: origin.persona)
    decide(
      origin,
      RequestDecision(
        request: origin.number, operation: operation, via: ruling.request.via, sender: sender,
        receiver: origin.persona.participant, owner: ownership.owner.account?.upn ?? "",
        type: item.type, bytes: item.payload.count, verdict: ruling.explained))
    if ruling.verdict.outcome != .blocked { observer?.onItem?(origin.number, item) }
    switch ruling.verdict.outcome {
    case .blocked: finish(origin, ruling.outcome(.refused))
    case .encrypted:
      finish(
        origin,
        ruling.outcome(.deliveredEncrypted, items: [tagged(encrypted(item), ownership)]))
    case .allowed:
      finish(origin, ruling.outcome(.delivered, items: [tagged(item, ownership)]))
    }
  }

  /// The item under a tag of its own.
  func tagged(_ item: Item, _ ownership: Ownership) -> Item {
    var item = item
    let owner = ownership.owner
    var sequence: UInt64 = 0
    item.withParts { sequence = sealer.seal(ownership.stamp, type: $0.type, payload: $0.payload) }
    item.tag = OwnershipTag(
      ownerUPN: owner.account?.upn ?? "", ownerObjectID: owner.account?.objectID ?? "",
      ownerTenantID: owner.account?.tenantID ?? "", isManaged: owner.isManaged,
      originApp: ownership.originApp, device: configuration.name, sequence: sequence,
      seal: Array(sealer.seal))
    return item
  }

  private func encrypted(_ item: Item) -> Item {
    var item = item
    item.withParts { item.payload = .inline(ciphertext(of: $0.payload)) }
    return item
  }
}
