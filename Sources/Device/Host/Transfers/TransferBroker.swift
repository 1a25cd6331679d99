internal import Cryptography
internal import Model
internal import Policy
internal import Wire

/// Items from one guest to another, and to and from the system: the decisions on them, and their delivery.
final class TransferBroker {
  let enforcement: DeviceConfiguration.Enforcement
  let registry: GuestRegistry
  let supervisor: GuestSupervisor
  let deliveries: Deliveries
  let policies: PolicyAssignments
  let directory: AccountDirectory
  let identities: IdentityCoordinator
  let access: AccessController
  let management: ManagementAgent
  let extensions: ExtensionHost
  let custody: ItemCustody
  let pasteboard: Pasteboard
  let outlet: Outlet
  let continuity: Continuity
  let durability: Durability
  let audit: AuditLog
  let turn: Turn
  let replies: Replies

  init(
    enforcement: DeviceConfiguration.Enforcement, registry: GuestRegistry,
    supervisor: GuestSupervisor, deliveries: Deliveries, policies: PolicyAssignments,
    directory: AccountDirectory, identities: IdentityCoordinator, access: AccessController,
    management: ManagementAgent, extensions: ExtensionHost, custody: ItemCustody,
    pasteboard: Pasteboard, outlet: Outlet, continuity: Continuity, durability: Durability,
    audit: AuditLog, replies: Replies
  ) {
    self.enforcement = enforcement
    self.registry = registry
    self.supervisor = supervisor
    self.deliveries = deliveries
    self.policies = policies
    self.directory = directory
    self.identities = identities
    self.access = access
    self.management = management
    self.extensions = extensions
    self.custody = custody
    self.pasteboard = pasteboard
    self.outlet = outlet
    self.continuity = continuity
    self.durability = durability
    self.audit = audit
    self.replies = replies
    turn = supervisor.turn
  }

  /// Shares an item: the way of almost every message, from a decoded frame to a verdict to a delivery.
  ///
  /// - Parameters:
  ///   - actingIdentity: the identity that the sender shares for; nil: the sender's own acting identity.
  ///   - sources: numbers of the items that the sender says the item was made of.
  func share(
    _ share: ShareFrame, request: UInt64, from sender: Guest,
    as actingIdentity: ActingIdentity? = nil, madeOf sources: [UInt64] = []
  ) {
    if share.item.origin == .guest,
      share.item.isTagged || audit.observesItems || custody.tracesContent
    {
      // Looked at more than once: to check the tag, to be shown to who watches, to be known again.
      return share.copied {
        self.share($0, request: request, from: sender, as: actingIdentity, madeOf: sources)
      }
    }
    let pending = PendingRequest(
      number: audit.nextRequest(), guest: sender, request: request, isPosted: share.isPosted,
      actingIdentity: actingIdentity)
    if !sources.isEmpty { audit.state(sources, of: pending.number) }
    if let route = sender.mailbox.route, pending.actingIdentity === sender.acting.actingIdentity,
      route.fits(share, policies.generation),
      route.ruling.holds(enforcement)
    {
      return conclude(share.parts, route.ruling, pending, route.receiver)
    }
    judge(share, pending)
  }

  /// Finds out about everything that a share involves, and decides on it.
  private func judge(_ share: ShareFrame, _ pending: PendingRequest) {
    guard !access.refuseWhileLocked(share.operation, pending) else { return }
    let sender = pending.guest
    guard !sender.app.isClosedKeyboard else {
      return replies.refuse(pending, share.operation, .keyboardWithoutFullAccess)
    }
    guard !sender.isBlocked(pending.actingIdentity.identity) else {
      return replies.refuse(pending, share.operation, .accountBlocked)
    }
    if !share.claimedSource.isEmpty { noteClaim(share.claimedSource, sender) }
    guard
      let destination = registry.guest(named: String(decoding: share.destination, as: UTF8.self))
    else {
      let name = String(decoding: share.destination, as: UTF8.self)
      return replies.refuse(pending, share.operation, .noSuchDestination, subject: name)
    }
    guard !management.refuseWhileBanned(share.operation, pending, destination) else { return }
    guard !access.refuseWhileLocked(share.operation, pending, lockOf: destination) else { return }
    guard destination.app.kind == .app else {
      return extensions.offer(share, to: destination, pending)
    }
    if let tag = share.item.tag,
      let rule = custody.fault(of: tag, type: share.item.type, payload: share.item.payload)
    {
      return replies.refuse(pending, share.operation, rule)
    }
    guard !custody.isOrphaned(share.item.tag, in: sender) else {
      return replies.refuse(pending, share.operation, .ownerNotSignedIn)
    }
    let ownership = custody.ownership(
      of: share.item.tag, in: sender, as: pending.actingIdentity)
    let transfer = TransferRequest(
      channel: share.way.channel, via: share.via, sender: pending.actingIdentity.party,
      owner: ownership.owner, receiver: destination.party, device: policies.deviceState)
    let verdict = enforcement.verdict(on: transfer)
    let ruling = Ruling(
      transfer, verdict, ownership, arena: turn.encoding, from: share.item.tag?.items ?? [])
    if documentImport(for: transfer, verdict: verdict) != nil {
      return askToSwitch(destination, StoredShare(share, ruling, pending))
    }
    if share.item.tag == nil, pending.actingIdentity === sender.acting.actingIdentity {
      sender.mailbox.route = Route(
        destination: Array(share.destination), receiver: destination,
        generation: policies.generation,
        ruling: ruling)
    }
    conclude(share.parts, ruling, pending, destination)
  }

  /// Records the decision on an item that is at hand, and delivers the item or refuses it.
  func conclude(
    _ item: FrameBuffer.ItemParts, _ ruling: Ruling, _ pending: PendingRequest, _ receiver: Guest,
    marks: FrameBuffer.DeliveryMarks = []
  ) {
    recordDecision(on: item, ruling, pending, receiver, marks)
    if ruling.verdict.outcome != .blocked { audit.handedOver(pending.number, Item(item)) }
    switch ruling.verdict.outcome {
    case .blocked: replies.finish(pending, .refused, ruling.answer(.refused))
    case .encrypted:
      custody.ciphertext(of: item.payload).withUnsafeBytes { ciphertext in
        var encrypted = item
        encrypted.payload = ciphertext
        encrypted.origin = .host
        deliveries.deliver(encrypted, ruling, pending, receiver, marks.union(.encrypted))
      }
    case .allowed: deliveries.deliver(item, ruling, pending, receiver, marks)
    }
  }

  private func recordDecision(
    on item: FrameBuffer.ItemParts, _ ruling: Ruling, _ pending: PendingRequest, _ receiver: Guest,
    _ marks: FrameBuffer.DeliveryMarks
  ) {
    if custody.tracesContent { return recordTraced(item, ruling, pending, receiver, marks) }
    audit.decided(pending, ruling, item) { decision(on: item, ruling, pending, receiver, marks) }
  }

  /// Records a decision on a device that looks for content without tags.
  private func recordTraced(
    _ item: FrameBuffer.ItemParts, _ ruling: Ruling, _ pending: PendingRequest, _ receiver: Guest,
    _ marks: FrameBuffer.DeliveryMarks
  ) {
    var decision = decision(on: item, ruling, pending, receiver, marks)
    let known = ruling.from + audit.stated(pending.number)
    decision.likely = custody.likely(
      item.payload, from: pending.guest.app.bundleID, knowing: known)
    if ruling.verdict.outcome == .allowed {
      custody.handed(item.payload, pending.number, to: receiver.app.bundleID)
    }
    audit.decided(pending, by: ruling, decision)
  }

  private func decision(
    on item: FrameBuffer.ItemParts, _ ruling: Ruling, _ pending: PendingRequest, _ receiver: Guest,
    _ marks: FrameBuffer.DeliveryMarks
  ) -> RequestDecision {
    RequestDecision(
      request: pending.number, operation: Operation(ruling.request.channel),
      via: ruling.request.via, sender: pending.actingIdentity.participant,
      receiver: marks.contains(.forUnmanaged)
        ? receiver.participant.asUnmanaged : receiver.participant,
      owner: ruling.ownership.owner.account?.upn ?? "",
      type: String(decoding: item.type, as: UTF8.self), bytes: item.payload.count,
      from: ruling.from, verdict: ruling.explained)
  }

  private func noteClaim(_ claimed: UnsafeRawBufferPointer, _ sender: Guest) {
    let claimed = String(decoding: claimed, as: UTF8.self)
    guard claimed != sender.app.bundleID else { return }
    audit.record(
      .claimIgnored(
        guest: sender.name, claim: "source", claimed: claimed, actual: sender.app.bundleID))
  }
}

extension ShareFrame {
  fileprivate var operation: Operation { Operation(way.channel) }

  fileprivate var parts: FrameBuffer.ItemParts {
    FrameBuffer.ItemParts(
      type: item.type, name: item.name, payload: item.payload, origin: item.origin)
  }
}

extension Ruling {
  /// Whether the verdict holds when it is decided anew, as for every request.
  fileprivate func holds(_ enforcement: DeviceConfiguration.Enforcement) -> Bool {
    enforcement == .none || evaluate(request) == verdict
  }
}

extension Verdict {
  /// The verdict where nothing is decided.
  static let unchecked = Verdict([Reason(.noRuleApplied, .device)])
}

extension Participant {
  fileprivate var asUnmanaged: Participant {
    Participant(guest: guest, app: app, identity: "", isManaged: false)
  }
}

extension Item {
  fileprivate init(_ parts: FrameBuffer.ItemParts) {
    let name = String(decoding: parts.name, as: UTF8.self)
    self.init(
      type: String(decoding: parts.type, as: UTF8.self), name: name.isEmpty ? nil : name,
      payload: .inline(Array(parts.payload)))
  }
}
