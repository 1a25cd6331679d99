internal import Activation
internal import Model
internal import Policy
internal import UniformTypes
internal import Wire

/// Items offered to an extension: one decision on all of them, and a process that loads the ones that it wants.
extension ExtensionHost {
  func share(_ share: ShareItems, _ pending: PendingRequest) throws(Violation) {
    try Self.check(share.items)
    guard let destination = registry.guest(named: share.destination), destination.app.kind != .app
    else {
      return replies.refuse(pending, .share, .noSuchDestination, subject: share.destination)
    }
    offer(share.items, to: destination, by: .share, via: share.via, pending)
  }

  /// Offers the one item of a share to its receiver, which turns out to be an extension.
  func offer(_ share: ShareFrame, to destination: Guest, _ pending: PendingRequest) {
    let name = String(decoding: share.item.name, as: UTF8.self)
    let item = Item(
      type: String(decoding: share.item.type, as: UTF8.self), name: name.isEmpty ? nil : name,
      payload: .inline(Array(share.item.payload)), tag: share.item.tag)
    offer([OfferedItem(item)], to: destination, by: share.way, via: share.via, pending)
  }

  private func offer(
    _ items: [OfferedItem], to destination: Guest, by way: Way, via: SharingPath,
    _ pending: PendingRequest
  ) {
    let operation = Operation(way.channel)
    guard !management.refuseWhileBanned(operation, pending, destination) else { return }
    guard !access.refuseWhileLocked(operation, pending, lockOf: destination) else { return }
    guard Self.accepts(way, for: destination.app) else {
      return replies.refuse(
        pending, operation, .extensionOfAnotherPoint, subject: destination.app.bundleID)
    }
    let owners: [Ownership]
    switch ownerships(of: items, pending) {
    case .all(let all): owners = all
    case .refused(let rule): return replies.refuse(pending, operation, rule)
    }
    let instance = newInstance(of: destination, startedBy: pending.guest)
    let rulings = owners.map { ownership in
      let transfer = TransferRequest(
        channel: way.channel, via: via, sender: pending.actingIdentity.party,
        owner: ownership.owner,
        receiver: instance.party, device: policies.deviceState)
      let verdict = enforcement.verdict(on: transfer)
      return Ruling(transfer, verdict, ownership, arena: turn.encoding)
    }
    // Several items are offered together under the strictest of their verdicts.
    guard let ruling = rulings.min(by: { $0.verdict.outcome < $1.verdict.outcome }) else { return }
    if ruling.verdict.outcome != .blocked, !isOffered(destination, for: items, ruling) {
      discard(instance)
      return replies.refuse(
        pending, operation, .extensionNotOffered, subject: destination.app.bundleID)
    }
    recordDecision(on: items, ruling, pending, instance)
    guard ruling.verdict.outcome != .blocked else {
      discard(instance)
      return replies.finish(pending, .refused, ruling.answer(.refused))
    }
    begin(instance, with: items, ruling, pending)
  }

  /// Whether the share sheet leads to the extension by `way`: by Share and, to Open-In actions, by Open In.
  private static func accepts(_ way: Way, for app: AppDescription) -> Bool {
    guard app.kind.extensionPoint?.isInShareSheet == true else { return false }
    return way == .share || way == .openIn && app.isOpenInAction
  }

  /// Whether the share sheet shows the extension for what is shared, in the types under which the SDK registers it.
  private func isOffered(_ destination: Guest, for items: [OfferedItem], _ ruling: Ruling) -> Bool {
    let restricts = ruling.request.via == .sdk && ruling.request.sender.restrictsSending
    let shared = items.map { item in
      SharedItem(
        attachments: item.attachments.map { attachment in
          SharedAttachment(
            registeredTypeIdentifiers: attachment.registeredTypeIdentifiers.map {
              restricts ? IntuneTypeAlias.of($0) : $0
            })
        })
    }
    return destination.app.activation.offers(shared, types: registry.types)
  }

  private func recordDecision(
    on items: [OfferedItem], _ ruling: Ruling, _ pending: PendingRequest, _ instance: Guest
  ) {
    let representations = items.flatMap(\.attachments).compactMap(\.representations.first)
    audit.decided(
      pending, by: ruling,
      RequestDecision(
        request: pending.number, operation: Operation(ruling.request.channel),
        via: ruling.request.via, sender: pending.actingIdentity.participant,
        receiver: instance.participant,
        owner: ruling.ownership.owner.account?.upn ?? "", type: representations.first?.type,
        bytes: representations.reduce(0) { $0 + $1.count }, from: items.flatMap(\.sources),
        likely: likely(items, pending), verdict: ruling.explained))
  }

  /// The items whose content is offered without their tags.
  private func likely(_ items: [OfferedItem], _ pending: PendingRequest) -> [Int] {
    let representations = items.flatMap(\.attachments).flatMap(\.representations)
    return representations.flatMap { representation -> [Int] in
      guard case .data(let bytes, nil) = representation.content else { return [] }
      let item = Item(type: representation.type, payload: .inline(bytes))
      return custody.likely(
        item, from: pending.guest.app.bundleID, knowing: audit.stated(pending.number))
    }
  }

  /// Starts the instance with a promise of the items; it has nothing yet of what it may load.
  func begin(
    _ instance: Guest, with items: [OfferedItem], _ ruling: Ruling, _ pending: PendingRequest
  ) {
    let work = ExtensionWork(pending: pending, ruling: ruling, items: items)
    let total = registry.all.reduce(work.bytes) { $0 + ($1.work?.bytes ?? 0) }
    guard total <= limits.extensionBytes else {
      discard(instance)
      return replies.finish(
        pending, .undeliverable, ruling.answer(.undeliverable),
        detail: "extensions have too much to load already")
    }
    instance.work = work
    let request = ExtensionRequest(
      items: items.map { $0.promised(ruling.verdict.outcome) }, sender: pending.guest.app.bundleID,
      openIn: openInPlace(of: instance.app, pending))
    instance.mailbox.outbox.append(HostMessage(.extensionRequest(request)), using: turn.encoding)
    deliveries.prepare(instance)
    supervisor.start(instance)
  }

  /// The place where an Open-In action leaves what it gets; nil for any other extension.
  private func openInPlace(of action: AppDescription, _ pending: PendingRequest) -> OpenInPlace? {
    guard action.isOpenInAction, action.integratesSDK else { return nil }
    let app = registry.containingApp(of: action)?.app
    let group = app.flatMap { app in
      action.accessibleGroups.first(where: app.accessibleGroups.contains)
    }
    let scheme = app?.schemes.first { app?.schemes.contains("\($0)-intunemam") == true }
    return OpenInPlace(
      group: group ?? "", scheme: scheme.map { "\($0)-intunemam" } ?? "",
      mark: "\(clock.now)-\(pending.number)")
  }

  // MARK: owners

  private enum Owners {
    case all([Ownership])
    case refused(Rule)
  }

  /// The owners of what is offered, each once; the owner is the task's acting identity where no tag says otherwise, and
  /// for texts, which have no tag.
  private func ownerships(of items: [OfferedItem], _ pending: PendingRequest) -> Owners {
    let hasTexts = items.contains { $0.title != nil || $0.contentText != nil }
    var owners = hasTexts ? [pending.actingIdentity.ownership] : []
    for representation in items.flatMap(\.attachments).flatMap(\.representations) {
      var ownership = pending.actingIdentity.ownership
      if case .data(let bytes, let tag?) = representation.content {
        let item = Item(type: representation.type, payload: .inline(bytes), tag: tag)
        if let rule = custody.fault(of: item, from: pending.guest) { return .refused(rule) }
        ownership = custody.ownership(of: tag, in: pending.guest)
      }
      if !owners.contains(where: { $0.isSame(as: ownership) }) { owners.append(ownership) }
    }
    return .all(owners.isEmpty ? [pending.actingIdentity.ownership] : owners)
  }

  // MARK: limits

  private static func check(_ items: [OfferedItem]) throws(Violation) {
    let attachments = items.flatMap(\.attachments)
    guard items.count <= 64, attachments.count <= 256 else {
      throw Violation(text: "it shares \(attachments.count) attachments at once")
    }
    for attachment in attachments {
      let types = Set(attachment.registeredTypeIdentifiers.map { $0.lowercased() })
      guard types.count == attachment.representations.count, (1...64).contains(types.count) else {
        throw Violation(text: "an attachment without type, with too many, or one of them twice")
      }
    }
  }
}

extension OfferedItem {
  /// The items that the representations came from, by their tags.
  fileprivate var sources: [Int] {
    attachments.flatMap(\.representations).flatMap { representation -> [Int] in
      if case .data(_, let tag?) = representation.content { return tag.items }
      return []
    }
  }

  /// The item without its data, for a verdict of that outcome: data that must be encrypted is so when it is loaded, and
  /// then texts, which are not loaded, are left out.
  fileprivate func promised(_ outcome: Outcome) -> OfferedItem {
    var item = self
    if outcome != .allowed { (item.title, item.contentText) = (nil, nil) }
    for index in item.attachments.indices {
      for place in item.attachments[index].representations.indices {
        item.attachments[index].representations[place].content = .promised
      }
    }
    return item
  }
}

extension Ownership {
  fileprivate func isSame(as other: Ownership) -> Bool {
    switch (owner.account, other.owner.account) {
    case (nil, nil): true
    case (let mine?, let theirs?): mine.isSame(as: theirs)
    case (nil, _?), (_?, nil): false
    }
  }
}
