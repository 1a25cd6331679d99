internal import Glibc
internal import Model
internal import Policy
internal import Wire

/// A verdict with all that follows from it, made once for transfers that are alike.
final class Ruling {
  let request: TransferRequest
  let verdict: Verdict
  let ownership: Ownership
  /// The items that what moves came from, by their tags or the device's records.
  let from: [Int]
  /// The refused request of which this one is the second try, for an unmanaged account; nil: none.
  private let refused: TransferRequest?
  private let arena: Arena

  init(
    _ request: TransferRequest, _ verdict: Verdict, _ ownership: Ownership, arena: Arena,
    from: [Int] = [], insteadOf refused: TransferRequest? = nil
  ) {
    self.from = from
    self.request = request
    self.verdict = verdict
    self.ownership = ownership
    self.refused = refused
    self.arena = arena
    delivered = verdict.outcome == .encrypted ? .deliveredEncrypted : .delivered
    transfersOwnership = verdict.reasons.contains { $0.rule == .incomingOrgData }
  }

  /// What the rules were asked first.
  var asked: TransferRequest { refused ?? request }
  /// The name under which the journal states what the rules were asked; nil while it does not.
  var facts: String?

  /// The end of a transfer that reaches its receiver.
  let delivered: RequestEnd
  /// Whether data without an owner becomes the receiver's: the receiver's policy takes it for the organisation's.
  private let transfersOwnership: Bool
  /// The verdict in words, for the journal.
  private(set) lazy var explained = Explainer.explain(request, verdict, insteadOf: refused)
  /// The answer to the sender of a transfer that reached its receiver.
  private(set) lazy var deliveredAnswer = answer(delivered)
  private var template: (type: [UInt8], text: DecisionTemplate)?

  /// The ownership of the item once it has arrived: data without an owner becomes the receiver's where the receiver's
  /// policy takes incoming data for the organisation's.
  func ownership(at receiver: ActingIdentity) -> Ownership {
    transfersOwnership ? receiver.ownership : ownership
  }

  /// The encoded answer to the sender of a transfer that ends by `end`.
  func answer(_ end: RequestEnd) -> PackedOutcome { PackedOutcome(outcome(end), using: arena) }

  /// The answer to the sender of a transfer that ends by `end`.
  func outcome(_ end: RequestEnd, status: Int = 0, items: [Item] = []) -> RequestOutcome {
    RequestOutcome(
      verdict: verdict.outcome, end: end, reasons: verdict.reasons.map(OutcomeReason.init),
      status: status, items: items)
  }

  /// The template of the journal's line for items of this type.
  func template(
    type: UnsafeRawBufferPointer, _ decision: () -> RequestDecision
  ) -> DecisionTemplate {
    if let template, type.isSame(as: template.type) { return template.text }
    let text = DecisionTemplate(decision())
    template = (Array(type), text)
    return text
  }
}

extension UnsafeRawBufferPointer {
  /// Whether these bytes are the same as `other`.
  func isSame(as other: [UInt8]) -> Bool {
    count == other.count
      && other.withUnsafeBytes { other in
        guard let mine = baseAddress, let theirs = other.baseAddress else { return true }
        return memcmp(mine, theirs, count) == 0
      }
  }
}

// MARK: - Routes

/// The route of a guest's last item: the next item mostly takes the same route.
struct Route {
  /// The destination as the guest named it.
  private let destination: [UInt8]
  let receiver: Guest
  /// The generation of identities, accounts and policies on the device for which the ruling holds.
  private let generation: Int
  let ruling: Ruling
  private let via: SharingPath
  private let channel: Channel

  init(destination: [UInt8], receiver: Guest, generation: Int, ruling: Ruling) {
    self.destination = destination
    self.receiver = receiver
    self.generation = generation
    self.ruling = ruling
    via = ruling.request.via
    channel = ruling.request.channel
  }

  /// Whether the ruling holds for `share`, too.
  func fits(_ share: ShareFrame, _ generation: Int) -> Bool {
    self.generation == generation && via == share.via && channel == share.way.channel
      && !share.item.isTagged && share.claimedSource.isEmpty
      && share.destination.isSame(as: destination)
  }
}

// MARK: - Shares that wait

/// A share that waits for an answer, copied out of the frame that it came in.
struct StoredShare {
  let type: [UInt8]
  let name: [UInt8]
  let payload: [UInt8]
  let tag: OwnershipTag?
  /// The ruling on the share so far.
  let ruling: Ruling
  let pending: PendingRequest

  init(_ share: ShareFrame, _ ruling: Ruling, _ pending: PendingRequest) {
    type = Array(share.item.type)
    name = Array(share.item.name)
    payload = Array(share.item.payload)
    tag = share.item.tag
    self.ruling = ruling
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
  /// Calls `body` with the item and a copy of its payload that nobody else can alter.
  func copied(_ body: (FrameBuffer.ItemParts) -> Void) {
    Array(payload).withUnsafeBytes { copy in
      body(FrameBuffer.ItemParts(type: type, name: name, payload: copy))
    }
  }
}

extension ShareFrame {
  /// Calls `body` with the share and a copy of its payload that nobody else can alter.
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
  /// Calls `body` with the share as if it had just been decoded.
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
