internal import Glibc
internal import Model
internal import Policy
internal import Wire

/// Decides on shares, and delivers the items.
final class ShareBroker {
  private let enforcement: DeviceConfiguration.Enforcement
  private let registry: GuestRegistry
  private let supervisor: GuestSupervisor
  private let deliveries: Deliveries
  private let policies: PolicyAssignments
  private let identities: IdentityCoordinator
  private let access: AccessController
  private let management: ManagementAgent
  private let extensions: ExtensionHost
  private let tags: TagAuthority
  private let audit: AuditLog
  private let transaction: LoopTransaction
  private let replies: Replies

  init(
    enforcement: DeviceConfiguration.Enforcement, registry: GuestRegistry,
    supervisor: GuestSupervisor, deliveries: Deliveries, policies: PolicyAssignments,
    identities: IdentityCoordinator, access: AccessController, management: ManagementAgent,
    extensions: ExtensionHost, tags: TagAuthority, audit: AuditLog, replies: Replies
  ) {
    self.enforcement = enforcement
    self.registry = registry
    self.supervisor = supervisor
    self.deliveries = deliveries
    self.policies = policies
    self.identities = identities
    self.access = access
    self.management = management
    self.extensions = extensions
    self.tags = tags
    self.audit = audit
    self.replies = replies
    transaction = supervisor.transaction
  }

  /// Decides on a share, and delivers or refuses the item. Almost every message of a guest is a share. The function
  /// therefore reads the item in the decoded frame, and copies the item only if it is read more than once.
  func share(_ share: ShareFrame, _ pending: PendingRequest) {
    if share.item.origin == .guest,
      share.item.isTagged || audit.observesItems || tags.tracesContent
    {
      // The item is read more than once, in order to check the tag, show it to subscribers or trace
      // its content. The sender could alter it in between, so it is copied.
      return share.copied { self.share($0, pending) }
    }
    guard let last = pending.guest.mailbox.lastDecision, apply(last, to: share, pending) else {
      return judge(share, pending)
    }
  }

  /// Applies the decision on the sender's last item to a share. Returns false, and does nothing, if it does not apply.
  private func apply(
    _ last: LastDecision, to share: ShareFrame, _ pending: PendingRequest
  ) -> Bool {
    guard pending.actingIdentity === pending.guest.acting.actingIdentity,
      last.fits(share, policies.generation)
    else { return false }
    conclude(share.parts, last.decision, pending, last.receiver)
    return true
  }

  /// Checks the preconditions of a share and decides on it.
  private func judge(_ share: ShareFrame, _ pending: PendingRequest) {
    guard !access.refuseSender(share.operation, reaching: share.operation, pending) else { return }
    let sender = pending.guest
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
      let rule = tags.rejection(of: tag, type: share.item.type, payload: share.item.payload)
    {
      return replies.refuse(pending, share.operation, rule)
    }
    guard !tags.isOrphaned(share.item.tag, in: sender) else {
      return replies.refuse(pending, share.operation, .ownerNotSignedIn)
    }
    let ownership = tags.ownership(
      of: share.item.tag, in: sender, as: pending.actingIdentity)
    let receiving = identities.receivingIdentity(of: destination, for: ownership.owner)
    let transfer = TransferRequest(
      channel: share.way.channel, via: share.via, sender: pending.actingIdentity.party,
      owner: ownership.owner, receiver: identities.receiver(receiving, in: destination),
      device: policies.deviceState)
    let verdict = enforcement.verdict(on: transfer)
    let decision = TransferDecision(
      transfer, verdict, ownership, arena: transaction.encoding, from: share.item.tag?.items ?? [],
      receivedBy: receiving)
    if documentImport(for: transfer, verdict: verdict) != nil {
      return askToSwitch(destination, StoredShare(share, decision, pending))
    }
    // A sign-in or sign-out of the enrolled user may change the decision, although the app acts for the same identity.
    let awaitsUser =
      destination.app.configured(Setting.requireAccounts.rawValue) != nil
      || !destination.party.isManaged && destination.app.configured("IntuneMAMUPN") != nil
    if share.item.tag == nil, pending.actingIdentity === sender.acting.actingIdentity, !awaitsUser {
      sender.mailbox.lastDecision = LastDecision(
        destination: Array(share.destination), receiver: destination,
        generation: policies.generation,
        decision: decision)
    }
    conclude(share.parts, decision, pending, destination)
  }

  /// Records the decision on an item, and delivers or refuses it.
  private func conclude(
    _ item: FrameBuffer.ItemParts, _ decision: TransferDecision, _ pending: PendingRequest,
    _ receiver: Guest,
    marks: FrameBuffer.DeliveryMarks = []
  ) {
    recordDecision(on: item, decision, pending, receiver, marks)
    if decision.verdict.outcome != .blocked { audit.handedOver(pending.number, Item(item)) }
    switch decision.verdict.outcome {
    case .blocked: replies.finish(pending, .refused, decision.answer(.refused))
    case .encrypted:
      tags.ciphertext(of: item.payload).withUnsafeBytes { ciphertext in
        var encrypted = item
        encrypted.payload = ciphertext
        encrypted.origin = .host
        deliveries.deliver(encrypted, decision, pending, receiver, marks.union(.encrypted))
      }
    case .allowed: deliveries.deliver(item, decision, pending, receiver, marks)
    }
  }

  private func recordDecision(
    on item: FrameBuffer.ItemParts, _ decision: TransferDecision, _ pending: PendingRequest,
    _ receiver: Guest,
    _ marks: FrameBuffer.DeliveryMarks
  ) {
    if tags.tracesContent { return recordTraced(item, decision, pending, receiver, marks) }
    guard audit.isRecording, !audit.recordAgain(pending, decision, item) else { return }
    audit.decided(
      pending, decision, item, recorded(on: item, decision, pending, receiver, marks))
  }

  private func recordTraced(
    _ item: FrameBuffer.ItemParts, _ decision: TransferDecision, _ pending: PendingRequest,
    _ receiver: Guest,
    _ marks: FrameBuffer.DeliveryMarks
  ) {
    var recorded = recorded(on: item, decision, pending, receiver, marks)
    let known = decision.from + audit.stated(pending.number)
    recorded.likely = tags.likely(
      item.payload, from: pending.guest.app.bundleID, knowing: known)
    if decision.verdict.outcome == .allowed {
      tags.handed(item.payload, pending.number, to: receiver.app.bundleID)
    }
    audit.decided(pending, by: decision, recorded)
  }

  private func recorded(
    on item: FrameBuffer.ItemParts, _ decision: TransferDecision, _ pending: PendingRequest,
    _ receiver: Guest,
    _ marks: FrameBuffer.DeliveryMarks
  ) -> RequestDecision {
    RequestDecision(
      request: pending.number, operation: Operation(decision.request.channel),
      via: decision.request.via, sender: pending.actingIdentity.participant,
      receiver: marks.contains(.forUnmanaged)
        ? receiver.participant.asUnmanaged
        : (decision.receivedBy?.participant ?? receiver.participant),
      owner: decision.ownership.owner.account?.upn ?? "",
      type: String(decoding: item.type, as: UTF8.self), bytes: item.payload.count,
      from: decision.from, verdict: decision.explained)
  }

  private func noteClaim(_ claimed: UnsafeRawBufferPointer, _ sender: Guest) {
    let claimed = String(decoding: claimed, as: UTF8.self)
    guard claimed != sender.app.bundleID else { return }
    audit.record(
      .claimIgnored(
        guest: sender.name, claim: "source", claimed: claimed, actual: sender.app.bundleID))
  }
}

// MARK: - Document imports

/// Handles items that the receiving account must not receive. The SDK asks a multi-identity app whether to accept such
/// an item for an unmanaged account (`identitySwitchRequired`, reason `documentImport`).
extension ShareBroker {
  private func askToSwitch(_ receiver: Guest, _ share: StoredShare) {
    guard receiver.canActForUnmanagedAccount else {
      audit.record(
        .identitySwitchRequired(
          guest: receiver.name, identity: "", reason: "documentImport", isAccepted: false))
      return keepRefusal(share, receiver)
    }
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
      replies.resolve(share.pending)
    }
    deliveries.ask(receiver, answer) {
      HostMessage(.identitySwitchRequired(ask: $0, account: "", reason: "documentImport"))
    }
  }

  /// Decides again on a share that the receiving app accepts for an unmanaged account. The sender's account may
  /// meanwhile have been signed out or have another policy, so the decision uses the current state.
  private func accept(_ share: StoredShare, _ receiver: Guest) {
    var pending = share.pending
    let (sender, asked) = (pending.guest, pending.actingIdentity)
    let operation = Operation(share.decision.request.channel)
    guard !tags.isOrphaned(share.tag, offeredAs: asked, in: sender) else {
      return replies.refuse(pending, operation, .ownerNotSignedIn)
    }
    guard !sender.isBlocked(asked.identity) else {
      return replies.refuse(
        pending, operation, .accountBlocked, subject: asked.identity.accountID)
    }
    pending.actingIdentity = identities.renewed(asked, of: sender)
    guard !access.refuseWhileLocked(operation, pending),
      !management.refuseWhileBanned(operation, pending, receiver)
    else { return }
    let ownership = tags.ownership(of: share.tag, in: sender, as: pending.actingIdentity)
    var transfer = share.decision.request
    transfer.sender = pending.actingIdentity.party
    transfer.owner = ownership.owner
    transfer.receiver = identities.receiver(receiver.acting.actingIdentity, in: receiver)
    transfer.device = policies.deviceState
    let decision = TransferDecision(
      transfer, evaluate(importing: transfer), ownership, arena: transaction.encoding,
      from: share.decision.from, insteadOf: share.decision.request)
    share.withParts { conclude($0, decision, pending, receiver, marks: .forUnmanaged) }
  }

  private func keepRefusal(_ share: StoredShare, _ receiver: Guest) {
    share.withParts { conclude($0, share.decision, share.pending, receiver) }
  }
}

// MARK: - Parts of shares

extension ShareFrame {
  fileprivate var operation: Operation { Operation(way.channel) }

  /// The item without its tag.
  var parts: FrameBuffer.ItemParts {
    FrameBuffer.ItemParts(
      type: item.type, name: item.name, payload: item.payload, origin: item.origin)
  }
}

extension Guest {
  /// Whether the app can act for an unmanaged account. The ready-made guest can if an unmanaged account is signed in.
  /// For any other program, the value is true, and the SDK asks the app.
  ///
  /// Source: Microsoft Learn, "iOS app protection policy settings", Receive data from other apps: without a signed-in
  /// unmanaged account, the data is blocked.
  fileprivate var canActForUnmanagedAccount: Bool {
    app.program != .readyMade || accounts.signedIn.contains { $0.policy == nil }
  }
}

extension Participant {
  fileprivate var asUnmanaged: Participant {
    Participant(guest: guest, app: app, identity: "", isManaged: false)
  }
}

extension Item {
  init(_ parts: FrameBuffer.ItemParts) {
    let name = String(decoding: parts.name, as: UTF8.self)
    self.init(
      type: String(decoding: parts.type, as: UTF8.self), name: name.isEmpty ? nil : name,
      payload: .inline(Array(parts.payload)))
  }
}

extension DeviceConfiguration.Enforcement {
  func verdict(on request: TransferRequest) -> Verdict {
    self == .full ? evaluate(request) : .unchecked
  }
}

extension Verdict {
  /// The verdict on every share if enforcement is off.
  fileprivate static let unchecked = Verdict([Reason(.noRuleApplied, .device)])
}

extension UnsafeRawBufferPointer {
  func isSame(as other: [UInt8]) -> Bool {
    count == other.count
      && other.withUnsafeBytes { other in
        guard let mine = baseAddress, let theirs = other.baseAddress else { return true }
        return memcmp(mine, theirs, count) == 0
      }
  }
}

// MARK: - Last decision

/// The cached decision on a guest's last item, which usually applies to the guest's next item too.
final class LastDecision {
  /// The receiver's name, as the guest wrote it.
  private let destination: [UInt8]
  let receiver: Guest
  /// The generation of the device's state at the time of the decision. Each change of identities, accounts or policies
  /// starts a new generation, to which the decision does not apply.
  private let generation: Int
  let decision: TransferDecision
  private let via: SharingPath
  private let channel: Channel

  init(destination: [UInt8], receiver: Guest, generation: Int, decision: TransferDecision) {
    self.destination = destination
    self.receiver = receiver
    self.generation = generation
    self.decision = decision
    via = decision.request.via
    channel = decision.request.channel
  }

  func fits(_ share: ShareFrame, _ generation: Int) -> Bool {
    self.generation == generation && via == share.via && channel == share.way.channel
      && !share.item.isTagged && share.claimedSource.isEmpty
      && share.destination.isSame(as: destination)
  }
}

// MARK: - Stored shares

/// A share that waits for the receiving app's answer. It has copies of the data from the sender's frame.
struct StoredShare {
  let type: [UInt8]
  let name: [UInt8]
  let payload: [UInt8]
  let tag: OwnershipTag?
  let decision: TransferDecision
  let pending: PendingRequest

  init(_ share: ShareFrame, _ decision: TransferDecision, _ pending: PendingRequest) {
    type = Array(share.item.type)
    name = Array(share.item.name)
    payload = Array(share.item.payload)
    tag = share.item.tag
    self.decision = decision
    self.pending = pending
  }

  func withParts(_ body: (FrameBuffer.ItemParts) -> Void) {
    type.withUnsafeBytes { type in
      name.withUnsafeBytes { name in
        payload.withUnsafeBytes { payload in
          body(FrameBuffer.ItemParts(type: type, name: name, payload: payload))
        }
      }
    }
  }
}

extension FrameBuffer.ItemParts {
  /// Calls `body` with the item and a private copy of its payload, which the guest cannot alter.
  func copied(_ body: (FrameBuffer.ItemParts) -> Void) {
    Array(payload).withUnsafeBytes { copy in
      body(FrameBuffer.ItemParts(type: type, name: name, payload: copy))
    }
  }
}

extension ShareFrame {
  /// Calls `body` with the share and a private copy of its payload.
  func copied(_ body: (ShareFrame) -> Void) {
    Array(item.payload).withUnsafeBytes { copy in
      let item = ItemFrame(type: item.type, name: item.name, payload: copy, tag: item.tag)
      body(
        ShareFrame(
          destination: destination, item: item, via: via, way: way, claimedSource: claimedSource,
          isPosted: isPosted))
    }
  }
}

extension Share {
  /// Calls `body` with this share in the form of a decoded frame.
  func withFrame(_ body: (ShareFrame) -> Void) {
    Array(destination.utf8).withUnsafeBytes { destination in
      Array(claimedSource.utf8).withUnsafeBytes { claimedSource in
        item.withParts { parts in
          let item = ItemFrame(
            type: parts.type, name: parts.name, payload: parts.payload, tag: item.tag)
          body(
            ShareFrame(
              destination: destination, item: item, via: via, way: way,
              claimedSource: claimedSource, isPosted: isPosted))
        }
      }
    }
  }
}

extension Item {
  func withParts(_ body: (FrameBuffer.ItemParts) -> Void) {
    Array(type.utf8).withUnsafeBytes { type in
      Array((name ?? "").utf8).withUnsafeBytes { name in
        bytes.withUnsafeBytes { payload in
          body(FrameBuffer.ItemParts(type: type, name: name, payload: payload))
        }
      }
    }
  }
}
