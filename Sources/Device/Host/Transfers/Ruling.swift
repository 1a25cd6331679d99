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
  let transfersOwnership: Bool
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
