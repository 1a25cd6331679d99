internal import Policy
internal import Transfer
internal import Wire

/// Data for, or from, the system and storage locations.
extension Device {
  func use(_ use: Use, _ origin: Origin) throws(Violation) {
    if use.channel == Self.extensionCall { return call(use, origin) }
    guard let channel = Channel(rawValue: use.channel),
      channel.counterpart == .system || channel.counterpart == .location || channel == .contactRead
    else { throw Violation(text: "a use of `\(use.channel)`, which is no channel to the system") }
    if channel == .contactRead {
      guard let source = guest(named: use.source) else {
        return refuse(origin, .contactRead, .noSuchDestination, subject: use.source)
      }
      guard !refuseWhileBanned(.contactRead, origin, source) else { return }
      guard !refuseWhileLocked(.contactRead, origin, lockOf: source) else { return }
    }
    if !use.extensionID.isEmpty {
      guard let destination = guest(named: use.extensionID) else {
        return refuse(origin, Operation(channel), .noSuchDestination, subject: use.extensionID)
      }
      guard !refuseWhileBanned(Operation(channel), origin, destination) else { return }
      guard destination.app.kind.extensionPoint?.channel == channel else {
        return refuse(
          origin, Operation(channel), .extensionOfAnotherPoint, subject: use.extensionID)
      }
    }
    guard let ownership = self.ownership(of: use.item, from: origin) else {
      return refuse(origin, Operation(channel), .tagSealBroken, subject: use.location)
    }
    guard !isOrphaned(use.item?.tag, in: origin.guest) else {
      return refuse(origin, Operation(channel), .ownerNotSignedIn, subject: use.location)
    }
    let transfer = request(use, channel, ownership, origin)
    let ruling = Ruling(transfer, evaluate(transfer), ownership, arena: encoding)
    let run = self.run(for: use, ruling)
    decide(
      origin,
      RequestDecision(
        request: origin.number, operation: Operation(channel),
        sender: channel.isIncoming ? nil : origin.persona.participant,
        receiver: channel.isIncoming ? origin.persona.participant : run?.participant,
        owner: transfer.owner.account?.upn ?? "", type: use.item?.type,
        bytes: use.item?.payload.count, subject: subject(of: use), verdict: ruling.explained))
    if let run, let item = use.item {
      begin(run, with: [OfferedItem(item)], ruling, origin)
    } else {
      finish(use, channel, ruling, origin)
    }
  }

  /// A run of the extension that is to have the item; nil where there is none, or nothing for it.
  private func run(for use: Use, _ ruling: Ruling) -> Guest? {
    guard ruling.verdict.outcome != .blocked, use.item != nil else { return nil }
    return guest(named: use.extensionID).map(newRun)
  }

  private func finish(_ use: Use, _ channel: Channel, _ ruling: Ruling, _ origin: Origin) {
    guard ruling.verdict.outcome != .blocked else {
      return finish(origin, .refused, ruling.answer(.refused))
    }
    guard let item = use.item, !channel.isIncoming else {
      return finish(origin, ruling.delivered, ruling.deliveredAnswer)
    }
    var payload: [UInt8] = []
    item.withParts { parts in
      payload =
        ruling.verdict.outcome == .encrypted ? ciphertext(of: parts.payload) : Array(parts.payload)
    }
    let place = ruling.request.content.location?.rawValue ?? channel.rawValue
    if outlet.keep(payload, named: "\(origin.number)", at: place) {
      finish(origin, ruling.delivered, ruling.deliveredAnswer)
    } else {
      finish(origin, .failed, ruling.answer(.failed), detail: "`\(place)` takes nothing more")
    }
  }

  private func request(
    _ use: Use, _ channel: Channel, _ ownership: Ownership, _ origin: Origin
  ) -> TransferRequest {
    let guest = origin.guest
    let party = origin.persona.party
    let location = StorageLocation(rawValue: use.location)
    var request = TransferRequest(
      channel: channel, sender: party, owner: ownership.owner, appPolicy: guest.appPolicy,
      content: Content(
        characters: use.item?.text?.unicodeScalars.count, location: location,
        isExternalPage: use.isExternalPage),
      device: configuration.state)
    switch channel {
    case .saveTo: request.receiver = self.party(at: use.account, in: guest)
    case .openFrom:
      request.sender = self.party(at: use.account, in: guest)
      request.receiver = party
      request.owner = Owner(
        account: request.sender.identity.account, policy: request.sender.policy)
    case .documentPickerImport:
      request.sender = .system
      request.owner = Owner()
      request.receiver = party
    case .contactRead:
      request.sender = self.guest(named: use.source)?.party ?? .system
      request.owner = Owner()
      request.receiver = party
    default: break
    }
    return request
  }

  /// The guest acting for the account of a storage location.
  private func party(at accountID: String?, in guest: Guest) -> Party {
    switch accountID {
    case nil: party(of: guest, actingFor: .unset)
    case "": party(of: guest, actingFor: .unknown)
    case let name?: party(of: guest, actingFor: .account(account(named: name)))
    }
  }

  private func ownership(of item: Item?, from origin: Origin) -> Ownership? {
    guard let item else { return origin.persona.ownership }
    return ownership(of: item, from: origin.guest, as: origin.persona)
  }

  private func subject(of use: Use) -> String? {
    if !use.source.isEmpty { return use.source }
    if !use.extensionID.isEmpty { return use.extensionID }
    guard !use.location.isEmpty else { return nil }
    return use.account.map { "\(use.location) of `\($0)`" } ?? "\(use.location) of no account"
  }

  /// Whether what an item came with may be received by the account that the guest acts for.
  func canReceive(_ item: Item, _ origin: Origin) {
    guard let ownership = ownership(of: item, from: origin.guest, as: origin.persona) else {
      return refuse(origin, .canReceive, .tagSealBroken)
    }
    // Whose it is where it comes from, under the policy there; without a tag nobody knows.
    let source = item.tag.flatMap { guest(named: $0.originApp) }
    let owner = item.tag.flatMap { tag in source.map { self.ownership(of: tag, in: $0).owner } }
    let transfer = TransferRequest(
      channel: .share, sender: source?.party ?? .system, owner: owner ?? Owner(),
      receiver: origin.persona.party, device: configuration.state)
    let ruling = Ruling(
      transfer, evaluateReceiving(transfer), ownership, arena: encoding)
    decide(
      origin,
      RequestDecision(
        request: origin.number, operation: .canReceive, receiver: origin.persona.participant,
        owner: ownership.owner.account?.upn ?? "", type: item.type, bytes: item.payload.count,
        verdict: ruling.explained))
    let end: RequestEnd = ruling.verdict.outcome == .blocked ? .refused : .delivered
    finish(origin, end, ruling.answer(end))
  }
}
