internal import Cryptography
internal import Policy
internal import Transfer
internal import Wire

/// Items from one guest to another, and to and from the system: what is decided about them, and what becomes of them.
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
  let audit: AuditLog
  let turn: Turn
  let replies: Replies

  init(
    enforcement: DeviceConfiguration.Enforcement, registry: GuestRegistry,
    supervisor: GuestSupervisor, deliveries: Deliveries, policies: PolicyAssignments,
    directory: AccountDirectory, identities: IdentityCoordinator, access: AccessController,
    management: ManagementAgent, extensions: ExtensionHost, custody: ItemCustody,
    pasteboard: Pasteboard, outlet: Outlet, audit: AuditLog, replies: Replies
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
    self.audit = audit
    self.replies = replies
    turn = supervisor.turn
  }

  /// The way of almost every message, from a decoded frame to a verdict to a delivery.
  ///
  /// - Parameter persona: whom the sender shares for; nil: whom it acts for.
  func share(
    _ share: ShareFrame, request: UInt64, from sender: Guest, as persona: Persona? = nil
  ) {
    let origin = Origin(
      number: audit.nextRequest(), guest: sender, request: request, isPosted: share.isPosted,
      persona: persona)
    if let route = sender.mailbox.route, origin.persona === sender.acting.persona,
      route.fits(share, policies.generation),
      route.ruling.holds(enforcement)
    {
      return conclude(share.parts, route.ruling, origin, route.receiver)
    }
    judge(share, origin)
  }

  /// Finds out about everything that a share involves.
  private func judge(_ share: ShareFrame, _ origin: Origin) {
    guard !access.refuseWhileLocked(share.operation, origin) else { return }
    let sender = origin.guest
    guard !sender.app.isClosedKeyboard else {
      return replies.refuse(origin, share.operation, .keyboardWithoutFullAccess)
    }
    guard !sender.isBlocked(origin.persona.identity) else {
      return replies.refuse(origin, share.operation, .accountBlocked)
    }
    if !share.claimedSource.isEmpty { noteClaim(share.claimedSource, sender) }
    guard
      let destination = registry.guest(named: String(decoding: share.destination, as: UTF8.self))
    else {
      let name = String(decoding: share.destination, as: UTF8.self)
      return replies.refuse(origin, share.operation, .noSuchDestination, subject: name)
    }
    guard !management.refuseWhileBanned(share.operation, origin, destination) else { return }
    guard !access.refuseWhileLocked(share.operation, origin, lockOf: destination) else { return }
    guard destination.app.kind == .app else {
      return extensions.offer(share, to: destination, origin)
    }
    if let tag = share.item.tag,
      let rule = custody.fault(of: tag, type: share.item.type, payload: share.item.payload)
    {
      return replies.refuse(origin, share.operation, rule)
    }
    guard !custody.isOrphaned(share.item.tag, in: sender) else {
      return replies.refuse(origin, share.operation, .ownerNotSignedIn)
    }
    let ownership =
      share.item.tag.map { custody.ownership(of: $0, in: sender) } ?? origin.persona.ownership
    let transfer = TransferRequest(
      channel: share.way.channel, via: share.via, sender: origin.persona.party,
      owner: ownership.owner, receiver: destination.party, device: policies.deviceState)
    let verdict = enforcement.verdict(on: transfer)
    let ruling = Ruling(transfer, verdict, ownership, arena: turn.encoding)
    if let switched = documentImport(for: transfer, verdict: verdict) {
      return askToSwitch(destination, StoredShare(share, ruling, origin), switched)
    }
    if share.item.tag == nil, origin.persona === sender.acting.persona {
      sender.mailbox.route = Route(
        destination: Array(share.destination), receiver: destination,
        generation: policies.generation,
        ruling: ruling)
    }
    conclude(share.parts, ruling, origin, destination)
  }

  /// Records the decision on an item that is at hand, and delivers it or refuses.
  func conclude(
    _ item: FrameBuffer.ItemParts, _ ruling: Ruling, _ origin: Origin, _ receiver: Guest,
    marks: FrameBuffer.DeliveryMarks = []
  ) {
    recordDecision(on: item, ruling, origin, receiver, marks)
    if ruling.verdict.outcome != .blocked { audit.handedOver(origin.number, Item(item)) }
    switch ruling.verdict.outcome {
    case .blocked: replies.finish(origin, .refused, ruling.answer(.refused))
    case .encrypted:
      custody.ciphertext(of: item.payload).withUnsafeBytes { ciphertext in
        var encrypted = item
        encrypted.payload = ciphertext
        deliveries.deliver(encrypted, ruling, origin, receiver, marks.union(.encrypted))
      }
    case .allowed: deliveries.deliver(item, ruling, origin, receiver, marks)
    }
  }

  private func recordDecision(
    on item: FrameBuffer.ItemParts, _ ruling: Ruling, _ origin: Origin, _ receiver: Guest,
    _ marks: FrameBuffer.DeliveryMarks
  ) {
    audit.decided(origin, ruling, item) {
      RequestDecision(
        request: origin.number, operation: Operation(ruling.request.channel),
        via: ruling.request.via, sender: origin.persona.participant,
        receiver: marks.contains(.forUnmanaged)
          ? receiver.participant.asUnmanaged : receiver.participant,
        owner: ruling.ownership.owner.account?.upn ?? "",
        type: String(decoding: item.type, as: UTF8.self), bytes: item.payload.count,
        verdict: ruling.explained)
    }
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
    FrameBuffer.ItemParts(type: item.type, name: item.name, payload: item.payload)
  }
}

extension Ruling {
  /// Decides anew, as for every request.
  fileprivate func holds(_ enforcement: DeviceConfiguration.Enforcement) -> Bool {
    enforcement == .none || evaluate(request) == verdict
  }
}

extension Verdict {
  /// What stands for a verdict where nothing is decided.
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
