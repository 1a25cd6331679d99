internal import Model
internal import Policy
internal import Wire

/// Decides on imports, the pasteboard, and transfers to and from the system, storage locations and other devices.
final class TransferBroker: HostService {
  private let identities: IdentityCoordinator
  private let access: AccessController
  private let management: ManagementAgent
  private let extensions: ExtensionHost
  let tags: TagAuthority
  let pasteboard: Pasteboard
  private let sink: SystemSink
  let urls: URLBroker
  private let continuity: Continuity

  init(
    _ core: ServiceCore, identities: IdentityCoordinator, access: AccessController,
    management: ManagementAgent, extensions: ExtensionHost, tags: TagAuthority,
    pasteboard: Pasteboard, sink: SystemSink, continuity: Continuity
  ) {
    self.identities = identities
    self.access = access
    self.management = management
    self.extensions = extensions
    self.tags = tags
    self.pasteboard = pasteboard
    self.sink = sink
    self.continuity = continuity
    urls = URLBroker(
      core, identities: identities, access: access, management: management, tags: tags)
    super.init(core)
  }
}

// MARK: - Imports

extension TransferBroker {
  func importItem(from source: String, via: SharingPath, _ pending: PendingRequest) {
    guard let provider = registry.guest(named: source), provider.app.kind == .app else {
      return replies.refuse(pending, .import, .noSuchDestination, subject: source)
    }
    guard !management.refuseWhileBanned(.import, pending, provider) else { return }
    // While the provider is locked, its account's data is inaccessible to all apps.
    guard !access.refuseWhileLocked(.import, pending, lockOf: provider) else { return }
    pending.guest.mailbox.unansweredRequests += 1
    askForItem(provider, requester: pending.guest) { [unowned self] item in
      // Meanwhile, the importer's account may have lost its policy or been signed out.
      var pending = pending
      pending.actingIdentity = identities.renewed(pending.actingIdentity, of: pending.guest)
      // Either guest may have been locked in the meantime.
      if access.refuseSender(.import, reaching: .import, pending)
        || access.refuseWhileLocked(.import, pending, lockOf: provider)
      {
        return replies.resolve(pending)
      }
      if let item {
        importItem(item, from: provider, via: via, pending)
      } else {
        replies.refuse(pending, .import, .nothingToImport, subject: source)
      }
      replies.resolve(pending)
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
    guard let ownership = tags.ownership(of: item, from: provider) else {
      return replies.refuse(pending, .import, .tagSealBroken, subject: provider.app.bundleID)
    }
    guard !tags.isOrphaned(item.tag, in: provider) else {
      return replies.refuse(pending, .import, .ownerNotSignedIn, subject: provider.app.bundleID)
    }
    let transfer = TransferRequest(
      channel: .import, via: via, sender: provider.party, owner: ownership.owner,
      receiver: identities.receiver(pending.actingIdentity, in: pending.guest),
      device: policies.deviceState)
    replies.answer(
      pending, .import, with: item,
      TransferDecision(
        transfer, evaluate(transfer), ownership, arena: transaction.encoding,
        from: item.tag?.items ?? []),
      sender: provider.participant)
  }
}

// MARK: - Pasteboard

/// Handles cut, copy and paste. On this device, the pasteboard rules are evaluated at paste, not at copy.
extension TransferBroker {
  func copy(_ item: Item, _ scope: CopyScope, _ pending: PendingRequest) {
    guard
      let ownership = tags.ownership(of: item, from: pending.guest, as: pending.actingIdentity)
    else {
      return replies.refuse(pending, .copy, .tagSealBroken)
    }
    guard !tags.isOrphaned(item.tag, in: pending.guest) else {
      return replies.refuse(pending, .copy, .ownerNotSignedIn)
    }
    var content = item
    content.tag = nil
    let copied = Pasteboard.Content(
      item: content, source: pending.actingIdentity.party, ownership: ownership,
      participant: pending.actingIdentity.participant, number: pending.number)
    pasteboard.copy(copied)
    replies.answer(
      pending, .copy, Verdict([Reason(.copiedToPasteboard, .device)]), from: item.tag?.items ?? [],
      likely: tags.likely(
        item, from: pending.guest.app.bundleID, knowing: audit.stated(pending.number)),
      end: .delivered)
    offerToOtherDevices(copied, scope, after: pending)
  }

  func paste(_ pending: PendingRequest) {
    guard let content = pasteboard.current(at: continuity.now).map(tags.renewed) else {
      return replies.refuse(pending, .paste, .pasteboardEmpty)
    }
    let transfer = TransferRequest(
      channel: .clipboard, sender: content.source, owner: content.ownership.owner,
      receiver: pending.actingIdentity.party,
      content: Content(characters: content.characters),
      device: policies.deviceState)
    replies.answer(
      pending, .paste, with: content.item,
      TransferDecision(
        transfer, evaluate(transfer), content.ownership, arena: transaction.encoding,
        from: [content.number]),
      sender: content.participant)
  }

  // MARK: System and storage locations

  func use(_ use: Use, _ pending: PendingRequest) throws(Violation) {
    guard let channel = Channel(rawValue: use.channel),
      channel.counterpart == .system || channel.counterpart == .location || channel == .contactRead
    else {
      throw Violation(
        text:
          "a use of `\(use.channel)`, which is neither a channel to the system nor to a storage location"
      )
    }
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
    guard !tags.isOrphaned(use.item?.tag, in: pending.guest) else {
      return replies.refuse(pending, Operation(channel), .ownerNotSignedIn, subject: use.location)
    }
    if !use.device.isEmpty,
      channel.transport == nil || continuity.link?.reaches(use.device) != true
    {
      return replies.refuse(pending, Operation(channel), .noSuchDevice, subject: use.device)
    }
    let transfer = request(use, channel, ownership, pending)
    if channel == .openFrom, let document = document(for: transfer) {
      return open(document, transfer, pending, subject: subject(of: use))
    }
    let decision = TransferDecision(
      transfer, evaluate(transfer), ownership, arena: transaction.encoding,
      from: use.item?.tag?.items ?? [])
    let instance = self.instance(for: use, decision, startedBy: pending.guest)
    audit.decided(
      pending, by: decision,
      RequestDecision(
        request: pending.number, operation: Operation(channel),
        sender: channel.isIncoming ? nil : pending.actingIdentity.participant,
        receiver: channel.isIncoming ? pending.actingIdentity.participant : instance?.participant,
        owner: transfer.owner.account?.upn ?? "", type: use.item?.type,
        bytes: use.item?.payload.count, from: decision.from,
        likely: tags.likely(
          use.item, from: pending.guest.app.bundleID,
          knowing: decision.from + audit.stated(pending.number)),
        subject: subject(of: use), verdict: decision.explained))
    if let instance, let item = use.item {
      extensions.begin(instance, with: [OfferedItem(item)], decision, pending)
    } else {
      carryOut(use, channel, decision, pending)
    }
  }

  /// Creates an instance of the extension that receives the item of `use`. Returns nil if `use` names no extension or
  /// has no item, or if the decision blocks the transfer.
  private func instance(
    for use: Use, _ decision: TransferDecision, startedBy starter: Guest
  ) -> Guest? {
    guard decision.verdict.outcome != .blocked, use.item != nil else { return nil }
    return registry.guest(named: use.extensionID).map {
      extensions.newInstance(of: $0, startedBy: starter)
    }
  }

  private func carryOut(
    _ use: Use, _ channel: Channel, _ decision: TransferDecision,
    _ pending: PendingRequest
  ) {
    guard decision.verdict.outcome != .blocked else {
      return replies.finish(pending, .refused, decision.answer(.refused))
    }
    guard let item = use.item, !channel.isIncoming else {
      return replies.finish(pending, decision.delivered, decision.deliveredAnswer)
    }
    let payload = payload(of: item, decision)
    let place = decision.request.content.location?.rawValue ?? channel.rawValue
    if let refusal = sink.refusal(of: payload.count) {
      replies.finish(
        pending, .failed, decision.answer(.failed),
        detail: "`\(place)` accepts no more items: \(refusal)")
    } else if upload(item, payload, decision, pending)
      || store(payload, channel, at: place, decision, pending)
    {
      address(item, payload, to: use.device, decision, pending.number)
      replies.finish(pending, decision.delivered, decision.deliveredAnswer)
    } else {
      replies.finish(
        pending, .failed, decision.answer(.failed), detail: "`\(place)` accepts no more items")
    }
  }

  /// Stores an item that an app gives to the system. Data synced with native apps is stored per app with its owner, so
  /// a wipe can remove it.
  ///
  /// - Returns: false if the item cannot be stored.
  private func store(
    _ payload: [UInt8], _ channel: Channel, at place: String, _ decision: TransferDecision,
    _ pending: PendingRequest
  ) -> Bool {
    let app = registry.app(of: pending.guest).name
    guard Channel.synced.contains(channel), let owner = decision.request.owner.account else {
      return sink.store(payload, named: sink.name(for: pending.number, at: place), at: place)
    }
    let folder = "\(place)/\(app)"
    let name = sink.name(for: pending.number, at: folder)
    guard
      let location = FileLocation(scope: Folders.scope(ofSynced: channel, by: app), path: name)
    else { return false }
    durability.persist { () throws(HostError) in try database.setOwner(owner, of: location) }
    if sink.store(payload, named: name, at: folder) { return true }
    durability.persist { () throws(HostError) in try database.setOwner(nil, of: location) }
    return false
  }

  private func request(
    _ use: Use, _ channel: Channel, _ ownership: Ownership, _ pending: PendingRequest
  ) -> TransferRequest {
    let guest = pending.guest
    let party = pending.actingIdentity.party
    // On other channels, a location is ignored: its folder would escape a wipe of synced data.
    let location = channel.counterpart == .location ? StorageLocation(rawValue: use.location) : nil
    var request = TransferRequest(
      channel: channel, sender: party, owner: ownership.owner, appPolicy: guest.appPolicy,
      content: Content(
        characters: use.item?.characterCount, location: location,
        isExternalPage: use.isExternalPage),
      device: policies.deviceState)
    request.appAccount = guest.managedAccount
    switch (channel.counterpart, channel.isIncoming) {
    case (.location, false):
      request.receiver = self.party(at: use.account, in: guest)
      request.sender.app.alwaysRestrictsSaving =
        [party.identity.account, ownership.owner.account].compactMap(\.self)
        .contains(where: guest.alwaysRestrictsSaving)
    case (.location, true):
      request.sender = self.party(at: use.account, in: guest)
      request.receiver = party
      request.owner = Owner(
        account: request.sender.identity.account, policy: request.sender.policy)
    case (.system, true):
      request.sender = .system
      request.owner = Owner()
      request.receiver = party
    // Among the app channels, only the reading of contacts reaches this function.
    case (.app, _):
      request.sender = registry.guest(named: use.source)?.party ?? .system
      request.owner = Owner()
      request.receiver = party
    case (.system, false), (.url, _): break
    }
    return request
  }

  /// Returns `guest` as a party that acts for an account of a storage location. The party's identity is unset if
  /// `accountID` is nil, and unknown if it is `""`.
  private func party(at accountID: String?, in guest: Guest) -> Party {
    switch accountID {
    case nil: identities.party(of: guest, actingFor: .unset)
    case "": identities.party(of: guest, actingFor: .unknown)
    case let name?: identities.party(of: guest, actingFor: .account(directory.account(named: name)))
    }
  }

  private func ownership(of item: Item?, from pending: PendingRequest) -> Ownership? {
    guard let item else { return pending.actingIdentity.ownership }
    return tags.ownership(of: item, from: pending.guest, as: pending.actingIdentity)
  }

  private func subject(of use: Use) -> String? {
    if !use.source.isEmpty { return use.source }
    if !use.extensionID.isEmpty { return use.extensionID }
    if !use.device.isEmpty { return use.device }
    guard !use.location.isEmpty else { return nil }
    return use.account.map { "\(use.location) of `\($0)`" } ?? "\(use.location) of no account"
  }

  /// Answers the guest's question whether its acting account may receive `item`.
  func canReceive(_ item: Item, _ pending: PendingRequest) {
    guard
      let ownership = tags.ownership(of: item, from: pending.guest, as: pending.actingIdentity)
    else {
      return replies.refuse(pending, .canReceive, .tagSealBroken)
    }
    // The owner's policy is the one in the app from which the item comes. Without a tag, the owner
    // is unknown.
    let source = item.tag.flatMap { registry.guest(named: $0.originApp) }
    let owner = item.tag.flatMap { tag in source.map { tags.ownership(of: tag, in: $0).owner } }
    let transfer = TransferRequest(
      channel: .share, sender: source?.party ?? .system, owner: owner ?? Owner(),
      receiver: identities.receiver(pending.actingIdentity, in: pending.guest),
      device: policies.deviceState)
    let decision = TransferDecision(
      transfer, evaluateReceiving(transfer), ownership, arena: transaction.encoding,
      from: item.tag?.items ?? [])
    audit.decided(
      pending, by: decision,
      RequestDecision(
        request: pending.number, operation: .canReceive,
        receiver: pending.actingIdentity.participant,
        owner: ownership.owner.account?.upn ?? "", type: item.type, bytes: item.payload.count,
        from: decision.from, verdict: decision.explained))
    let end: RequestEnd = decision.verdict.outcome == .blocked ? .refused : .delivered
    replies.finish(pending, end, decision.answer(end))
  }
}

// MARK: - Cloud storage

/// Handles cloud storage, which all devices of an organisation share.
extension TransferBroker {
  /// Saves an item to shared cloud storage instead of this device. The account of the location must be signed in to the
  /// app, because the name of an account alone gives no access.
  ///
  /// - Returns: false if the item has to be saved on the device.
  private func upload(
    _ item: Item, _ payload: [UInt8], _ decision: TransferDecision, _ pending: PendingRequest
  ) -> Bool {
    guard decision.request.channel == .saveTo, continuity.link != nil,
      let location = decision.request.content.location, location.isCloud,
      let owner = decision.request.receiver.identity.account,
      pending.guest.accounts.isSignedIn(owner)
    else { return false }
    continuity.send(
      item, payload, by: .storage, decision, pending.number, to: .storage(location, owner: owner))
    return true
  }

  /// Returns the document in the transfer's storage location. Nil if there is none: the request then only asks whether
  /// the app may open a document there.
  func document(for transfer: TransferRequest) -> DeviceMessage? {
    continuity.document(at: transfer.content.location, of: transfer.owner.account)
  }

  /// Opens a document that a device saved to cloud storage. The account of the storage location owns the document.
  func open(
    _ document: DeviceMessage, _ transfer: TransferRequest, _ pending: PendingRequest,
    subject: String?
  ) {
    guard pending.guest.accounts.isSignedIn(transfer.owner.account) else {
      return replies.refuse(pending, .openFrom, .ownerNotSignedIn, subject: subject)
    }
    let verdict = evaluate(transfer)
    var (pending, sources) = (pending, [Int]())
    if verdict.outcome != .blocked {
      // The document's arrival takes this number, because an item's number must be greater than those of its
      // sources.
      sources = [pending.number]
      continuity.arrived(document, as: pending.number)
      let stated = audit.takeStatement(of: pending.number)
      pending.number = audit.nextRequest()
      audit.recordProvenance(stated, of: pending.number)
    }
    let ownership = tags.ownership(
      of: transfer.owner.account, policy: transfer.owner.policy,
      from: pending.guest.app.bundleID)
    replies.answer(
      pending, .openFrom, with: document.item,
      TransferDecision(
        transfer, verdict, ownership, arena: transaction.encoding, from: sources),
      sender: nil, subject: subject, as: document.form)
  }

  // MARK: AirDrop

  /// Sends an item to another device, or answers whether the transfer is allowed.
  func airDrop(_ drop: AirDrop, _ pending: PendingRequest) {
    guard continuity.link?.reaches(drop.device) == true else {
      return replies.refuse(pending, .airDrop, .noSuchDevice, subject: drop.device)
    }
    guard let ownership = ownership(of: drop.item, from: pending) else {
      return replies.refuse(pending, .airDrop, .tagSealBroken, subject: drop.device)
    }
    guard !tags.isOrphaned(drop.item?.tag, in: pending.guest) else {
      return replies.refuse(pending, .airDrop, .ownerNotSignedIn, subject: drop.device)
    }
    let party = pending.actingIdentity.party
    var transfer = TransferRequest(
      channel: .share, via: drop.via, sender: party, owner: ownership.owner,
      receiver: .airDrop(from: party, on: policies.deviceState),
      appPolicy: pending.guest.appPolicy, device: policies.deviceState)
    transfer.appAccount = pending.guest.managedAccount
    let decision = TransferDecision(
      transfer, evaluate(transfer), ownership, arena: transaction.encoding,
      from: drop.item?.tag?.items ?? [])
    decide(.airDrop, drop.item, decision, pending, subject: drop.device)
    guard decision.verdict.outcome != .blocked else {
      return replies.finish(pending, .refused, decision.answer(.refused))
    }
    if let item = drop.item {
      continuity.send(
        item, payload(of: item, decision), by: .airDrop, decision, pending.number,
        to: .device(drop.device))
    }
    replies.finish(pending, decision.delivered, decision.deliveredAnswer)
  }

  private func decide(
    _ operation: Operation, _ item: Item?, _ decision: TransferDecision, _ pending: PendingRequest,
    subject: String? = nil
  ) {
    audit.decided(
      pending, by: decision,
      RequestDecision(
        request: pending.number, operation: operation,
        via: operation == .airDrop ? decision.request.via : nil,
        sender: pending.actingIdentity.participant,
        owner: decision.request.owner.account?.upn ?? "", type: item?.type,
        bytes: item?.payload.count, from: decision.from,
        likely: tags.likely(
          item, from: pending.guest.app.bundleID,
          knowing: decision.from + audit.stated(pending.number)),
        subject: subject, verdict: decision.explained))
  }

  /// Returns the bytes to send: ciphertext if the verdict requires encryption, otherwise plain text.
  func payload(of item: Item, _ decision: TransferDecision) -> [UInt8] {
    var payload: [UInt8] = []
    item.withParts { parts in
      payload =
        decision.verdict.outcome == .encrypted
        ? tags.ciphertext(of: parts.payload) : Array(parts.payload)
    }
    return payload
  }

  // MARK: Mail and messages

  /// Sends an item by email or message to another device. Does nothing for other channels.
  ///
  /// - Parameter device: The name of the other device; `""` if there is none.
  private func address(
    _ item: Item, _ payload: [UInt8], to device: String, _ decision: TransferDecision,
    _ request: Int
  ) {
    guard let transport = decision.request.channel.transport, !device.isEmpty else { return }
    continuity.send(item, payload, by: transport, decision, request, to: .device(device))
  }

  // MARK: Received documents

  /// Opens the last document that this device received by the transport `name`. The document's owner is unknown on this
  /// device.
  func openReceived(by name: String, _ pending: PendingRequest) throws(Violation) {
    guard let transport = Transport(rawValue: name), Transport.opened.contains(transport) else {
      throw Violation(
        text: "a request to open a document that arrived by `\(name)`, which delivers no documents")
    }
    guard pending.guest.app.kind == .app else {
      throw Violation(text: "an extension's request to open a document")
    }
    var document: (number: Int, message: DeviceMessage)?
    durability.persist { () throws(HostError) in
      document = try continuity.document(by: transport)
    }
    guard let (number, message) = document else {
      return replies.refuse(pending, .openReceived, .nothingReceived, subject: name)
    }
    // A task that names an identity receives the document for that identity.
    let own = pending.actingIdentity
    let receiving =
      own === pending.guest.acting.actingIdentity
      ? identities.receivingIdentity(of: pending.guest, for: Owner()) : own
    let transfer = TransferRequest(
      channel: .openIn, sender: .system, owner: Owner(), receiver: receiving.party,
      device: policies.deviceState)
    replies.answer(
      pending, .openReceived, with: message.item,
      TransferDecision(
        transfer, evaluate(transfer), tags.ownership(of: nil, policy: nil, from: ""),
        arena: transaction.encoding, from: [number], receivedBy: receiving),
      sender: nil, subject: name, as: message.form)
  }

  // MARK: Universal Clipboard

  /// Offers copied content to the other devices of the user's Apple Account. The app that will paste it is
  /// unknown, so the pasteboard rules are evaluated for an unmanaged app.
  private func offerToOtherDevices(
    _ copied: Pasteboard.Content, _ scope: CopyScope, after pending: PendingRequest
  ) {
    guard let account = continuity.clipboardAccount else { return }
    var offer = pending
    offer.number = audit.nextRequest()
    let transfer = TransferRequest(
      channel: .clipboard, sender: copied.source, owner: copied.ownership.owner,
      content: Content(characters: copied.characters),
      device: policies.deviceState)
    let obstacle: Rule? =
      scope == .local ? .localOnlyPasteboard : continuity.allowsHandoff ? nil : .handoffOff
    if let obstacle {
      let verdict = Verdict([Reason(obstacle, .device)])
      audit.decided(
        offer,
        RequestDecision(
          request: offer.number, operation: .universalClipboard,
          sender: offer.actingIdentity.participant, from: [copied.number],
          verdict: Explainer.explain(verdict, citing: [:])))
      return audit.ended(offer.number, .refused)
    }
    let decision = TransferDecision(
      transfer, evaluate(transfer), copied.ownership, arena: transaction.encoding,
      from: [copied.number])
    decide(.universalClipboard, copied.item, decision, offer)
    guard decision.verdict.outcome != .blocked else { return audit.ended(offer.number, .refused) }
    continuity.send(
      copied.item, payload(of: copied.item, decision), by: .universalClipboard, decision,
      offer.number, to: .appleAccount(account))
    audit.ended(offer.number, decision.delivered)
  }
}
