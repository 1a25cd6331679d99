internal import Model
internal import Policy
internal import Wire

/// Data for the system and storage locations, or from them.
extension TransferBroker {
  func use(_ use: SystemHandOff, _ pending: PendingRequest) throws(Violation) {
    switch use.channel {
    case SystemHandOff.extensionCall: return extensions.call(use, pending)
    case SystemHandOff.airDrop: return airDrop(use, pending)
    case SystemHandOff.openReceived: return try openReceived(use, pending)
    default: break  // open: the name of a channel
    }
    guard let channel = Channel(rawValue: use.channel),
      channel.counterpart == .system || channel.counterpart == .location || channel == .contactRead
    else { throw Violation(text: "a use of `\(use.channel)`, which is no channel to the system") }
    if channel == .contactRead {
      guard let source = registry.guest(named: use.source) else {
        return replies.refuse(pending, .contactRead, .noSuchDestination, subject: use.source)
      }
      guard !management.refuseWhileBanned(.contactRead, pending, source) else { return }
      guard !access.refuseWhileLocked(.contactRead, pending, lockOf: source) else { return }
    }
    if !use.extensionID.isEmpty {
      guard let destination = registry.guest(named: use.extensionID) else {
        return replies.refuse(
          pending, Operation(channel), .noSuchDestination, subject: use.extensionID)
      }
      guard !management.refuseWhileBanned(Operation(channel), pending, destination) else { return }
      guard destination.app.kind.extensionPoint?.channel == channel else {
        return replies.refuse(
          pending, Operation(channel), .extensionOfAnotherPoint, subject: use.extensionID)
      }
    }
    guard let ownership = ownership(of: use.item, from: pending) else {
      return replies.refuse(pending, Operation(channel), .tagSealBroken, subject: use.location)
    }
    guard !custody.isOrphaned(use.item?.tag, in: pending.guest) else {
      return replies.refuse(pending, Operation(channel), .ownerNotSignedIn, subject: use.location)
    }
    if !use.device.isEmpty,
      channel.carrier == nil || continuity.link?.reaches(use.device) != true
    {
      return replies.refuse(pending, Operation(channel), .noSuchDevice, subject: use.device)
    }
    let transfer = request(use, channel, ownership, pending)
    if channel == .openFrom, let document = document(for: transfer) {
      return open(document, transfer, pending, subject: subject(of: use))
    }
    let ruling = Ruling(
      transfer, evaluate(transfer), ownership, arena: turn.encoding,
      from: use.item?.tag?.items ?? [])
    let instance = self.instance(for: use, ruling, startedBy: pending.guest)
    audit.decided(
      pending, by: ruling,
      RequestDecision(
        request: pending.number, operation: Operation(channel),
        sender: channel.isIncoming ? nil : pending.actingIdentity.participant,
        receiver: channel.isIncoming ? pending.actingIdentity.participant : instance?.participant,
        owner: transfer.owner.account?.upn ?? "", type: use.item?.type,
        bytes: use.item?.payload.count, from: ruling.from,
        likely: custody.likely(
          use.item, from: pending.guest.app.bundleID,
          knowing: ruling.from + audit.stated(pending.number)),
        subject: subject(of: use), verdict: ruling.explained))
    if let instance, let item = use.item {
      extensions.begin(instance, with: [OfferedItem(item)], ruling, pending)
    } else {
      carryOut(use, channel, ruling, pending)
    }
  }

  /// An instance of the extension that is to have the item; nil where there is no extension, or nothing for it.
  private func instance(
    for use: SystemHandOff, _ ruling: Ruling, startedBy starter: Guest
  ) -> Guest? {
    guard ruling.verdict.outcome != .blocked, use.item != nil else { return nil }
    return registry.guest(named: use.extensionID).map {
      extensions.newInstance(of: $0, startedBy: starter)
    }
  }

  private func carryOut(
    _ use: SystemHandOff, _ channel: Channel, _ ruling: Ruling, _ pending: PendingRequest
  ) {
    guard ruling.verdict.outcome != .blocked else {
      return replies.finish(pending, .refused, ruling.answer(.refused))
    }
    guard let item = use.item, !channel.isIncoming else {
      return replies.finish(pending, ruling.delivered, ruling.deliveredAnswer)
    }
    let payload = payload(of: item, ruling)
    let place = ruling.request.content.location?.rawValue ?? channel.rawValue
    if let refusal = outlet.refusal(of: payload.count) {
      replies.finish(
        pending, .failed, ruling.answer(.failed),
        detail: "`\(place)` takes nothing more: \(refusal)")
    } else if upload(item, payload, ruling, pending)
      || outlet.keep(payload, named: "\(pending.number)", at: place)
    {
      address(item, payload, to: use.device, ruling, pending.number)
      replies.finish(pending, ruling.delivered, ruling.deliveredAnswer)
    } else {
      replies.finish(
        pending, .failed, ruling.answer(.failed), detail: "`\(place)` takes nothing more")
    }
  }

  private func request(
    _ use: SystemHandOff, _ channel: Channel, _ ownership: Ownership, _ pending: PendingRequest
  ) -> TransferRequest {
    let guest = pending.guest
    let party = pending.actingIdentity.party
    let location = StorageLocation(rawValue: use.location)
    var request = TransferRequest(
      channel: channel, sender: party, owner: ownership.owner, appPolicy: guest.appPolicy,
      content: Content(
        characters: use.item?.characterCount, location: location,
        isExternalPage: use.isExternalPage),
      device: policies.deviceState)
    request.appAccount = guest.managedAccount
    switch (channel.counterpart, channel.isIncoming) {
    case (.location, false): request.receiver = self.party(at: use.account, in: guest)
    case (.location, true):
      request.sender = self.party(at: use.account, in: guest)
      request.receiver = party
      request.owner = Owner(
        account: request.sender.identity.account, policy: request.sender.policy)
    case (.system, true):
      request.sender = .system
      request.owner = Owner()
      request.receiver = party
    // Of the channels to apps, only the reading of contacts is a use.
    case (.app, _):
      request.sender = registry.guest(named: use.source)?.party ?? .system
      request.owner = Owner()
      request.receiver = party
    case (.system, false), (.url, _): break
    }
    return request
  }

  /// The party that the guest is when it acts for the account of a storage location.
  private func party(at accountID: String?, in guest: Guest) -> Party {
    switch accountID {
    case nil: identities.party(of: guest, actingFor: .unset)
    case "": identities.party(of: guest, actingFor: .unknown)
    case let name?: identities.party(of: guest, actingFor: .account(directory.account(named: name)))
    }
  }

  func ownership(of item: Item?, from pending: PendingRequest) -> Ownership? {
    guard let item else { return pending.actingIdentity.ownership }
    return custody.ownership(of: item, from: pending.guest, as: pending.actingIdentity)
  }

  private func subject(of use: SystemHandOff) -> String? {
    if !use.source.isEmpty { return use.source }
    if !use.extensionID.isEmpty { return use.extensionID }
    if !use.device.isEmpty { return use.device }
    guard !use.location.isEmpty else { return nil }
    return use.account.map { "\(use.location) of `\($0)`" } ?? "\(use.location) of no account"
  }

  /// Answers whether the account that the guest acts for may receive an item.
  func canReceive(_ item: Item, _ pending: PendingRequest) {
    guard
      let ownership = custody.ownership(of: item, from: pending.guest, as: pending.actingIdentity)
    else {
      return replies.refuse(pending, .canReceive, .tagSealBroken)
    }
    // The owner in the app that the item comes from, under the policy there; without a tag nobody knows it.
    let source = item.tag.flatMap { registry.guest(named: $0.originApp) }
    let owner = item.tag.flatMap { tag in source.map { custody.ownership(of: tag, in: $0).owner } }
    let transfer = TransferRequest(
      channel: .share, sender: source?.party ?? .system, owner: owner ?? Owner(),
      receiver: pending.actingIdentity.party, device: policies.deviceState)
    let ruling = Ruling(
      transfer, evaluateReceiving(transfer), ownership, arena: turn.encoding,
      from: item.tag?.items ?? [])
    audit.decided(
      pending, by: ruling,
      RequestDecision(
        request: pending.number, operation: .canReceive,
        receiver: pending.actingIdentity.participant,
        owner: ownership.owner.account?.upn ?? "", type: item.type, bytes: item.payload.count,
        from: ruling.from, verdict: ruling.explained))
    let end: RequestEnd = ruling.verdict.outcome == .blocked ? .refused : .delivered
    replies.finish(pending, end, ruling.answer(end))
  }
}
