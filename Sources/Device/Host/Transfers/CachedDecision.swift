internal import Glibc
internal import Model
internal import Policy
internal import Wire

/// A verdict with its consequences, computed once and used for all identical transfers.
final class CachedDecision {
  let request: TransferRequest
  let verdict: Verdict
  let ownership: Ownership
  /// The source items, known from tags or the device's records.
  let from: [Int]
  /// The request whose refusal led to this one, which retries it for an unmanaged account; nil if
  /// this is not a retry.
  private let refused: TransferRequest?
  /// The identity that receives the data in place of the receiver's own; nil for its own.
  let receivedBy: ActingIdentity?
  private let arena: Arena

  init(
    _ request: TransferRequest, _ verdict: Verdict, _ ownership: Ownership, arena: Arena,
    from: [Int] = [], insteadOf refused: TransferRequest? = nil,
    receivedBy: ActingIdentity? = nil
  ) {
    self.receivedBy = receivedBy
    self.from = from
    self.request = request
    self.verdict = verdict
    self.ownership = ownership
    self.refused = refused
    self.arena = arena
    delivered = verdict.outcome == .encrypted ? .deliveredEncrypted : .delivered
    transfersOwnership = verdict.reasons.contains { $0.rule == .incomingOrgData }
  }

  /// The request that was evaluated first: the refused one, if this is a retry.
  var asked: TransferRequest { refused ?? request }
  /// The name under which the journal records the evaluated request; nil if the
  /// request is not recorded.
  var facts: String?

  /// The end of a transfer that reaches its receiver.
  let delivered: RequestEnd
  /// Whether the receiver becomes the owner of data without an owner, because its policy treats
  /// incoming data as organisation data.
  private let transfersOwnership: Bool
  /// The verdict's explanation, for the journal.
  private(set) lazy var explained = Explainer.explain(request, verdict, insteadOf: refused)
  /// The encoded answer to the sender after a transfer has reached its receiver.
  private(set) lazy var deliveredAnswer = answer(delivered)
  private var template: (type: [UInt8], text: DecisionTemplate)?

  /// Returns the item's ownership after its arrival. Data without an owner is then owned by the
  /// receiver, if the receiver's policy treats incoming data as organisation data.
  func ownership(at receiver: ActingIdentity) -> Ownership {
    transfersOwnership ? (receivedBy ?? receiver).ownership : ownership
  }

  /// Returns the encoded answer to the sender of a transfer that ends with `end`.
  func answer(_ end: RequestEnd) -> PackedOutcome { PackedOutcome(outcome(end), using: arena) }

  /// Returns the answer to the sender of a transfer that ends with `end`.
  func outcome(_ end: RequestEnd, status: Int = 0, items: [Item] = []) -> RequestOutcome {
    RequestOutcome(
      verdict: verdict.outcome, end: end, reasons: verdict.reasons.map(OutcomeReason.init),
      status: status, items: items)
  }

  /// Returns the template for journal lines about items of this type.
  func template(
    type: UnsafeRawBufferPointer, _ decision: () -> RequestDecision
  ) -> DecisionTemplate {
    if let template, type.isSame(as: template.type) { return template.text }
    let text = DecisionTemplate(decision())
    template = (Array(type), text)
    return text
  }
}

extension DeviceConfiguration.Enforcement {
  func verdict(on request: TransferRequest) -> Verdict {
    self == .full ? evaluate(request) : .unchecked
  }
}

extension CachedDecision {
  /// Returns whether a new evaluation gives the same verdict. With full enforcement, every request
  /// is evaluated again.
  func holds(_ enforcement: DeviceConfiguration.Enforcement) -> Bool {
    enforcement == .none || evaluate(request) == verdict
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

/// The cached decision on a guest's last item. It usually applies to the guest's next item too.
struct LastDecision {
  /// The destination, as the guest named it.
  private let destination: [UInt8]
  let receiver: Guest
  /// The generation of the device's identities, accounts and policies to which the cached decision
  /// belongs.
  private let generation: Int
  let cached: CachedDecision
  private let via: SharingPath
  private let channel: Channel

  init(destination: [UInt8], receiver: Guest, generation: Int, cached: CachedDecision) {
    self.destination = destination
    self.receiver = receiver
    self.generation = generation
    self.cached = cached
    via = cached.request.via
    channel = cached.request.channel
  }

  /// Returns whether the cached decision applies to `share`.
  func fits(_ share: ShareFrame, _ generation: Int) -> Bool {
    self.generation == generation && via == share.via && channel == share.way.channel
      && !share.item.isTagged && share.claimedSource.isEmpty
      && share.destination.isSame(as: destination)
  }
}

// MARK: - Stored shares

/// A share that waits for an answer. It is a copy of the data in its frame.
struct StoredShare {
  let type: [UInt8]
  let name: [UInt8]
  let payload: [UInt8]
  let tag: OwnershipTag?
  let cached: CachedDecision
  let pending: PendingRequest

  init(_ share: ShareFrame, _ cached: CachedDecision, _ pending: PendingRequest) {
    type = Array(share.item.type)
    name = Array(share.item.name)
    payload = Array(share.item.payload)
    tag = share.item.tag
    self.cached = cached
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
  /// Calls `body` with the item and a private copy of its payload.
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
  /// Calls `body` with the share in its form as a decoded frame.
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
