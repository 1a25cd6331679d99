internal import Policy
internal import Transfer
internal import Wire

/// A verdict with all that follows from it, made once for transfers that are alike.
final class Ruling {
  let request: TransferRequest
  let verdict: Verdict
  /// In words, for the journal.
  private(set) lazy var explained = Explainer.explain(request, verdict)
  private let arena: Arena
  private var packed: [RequestEnd: PackedOutcome] = [:]

  init(_ request: TransferRequest, _ verdict: Verdict, arena: Arena) {
    self.request = request
    self.verdict = verdict
    self.arena = arena
    delivered = verdict.outcome == .encrypted ? .deliveredEncrypted : .delivered
  }

  /// How a transfer ends that reaches its receiver.
  let delivered: RequestEnd

  /// What the sender hears when the transfer ends so.
  func answer(_ end: RequestEnd) -> PackedOutcome {
    if let answer = packed[end] { return answer }
    let answer = PackedOutcome(outcome(end), using: arena)
    packed[end] = answer
    return answer
  }

  /// The same with items or a status, made anew each time.
  func outcome(_ end: RequestEnd, status: Int = 0, items: [Item] = []) -> RequestOutcome {
    RequestOutcome(
      verdict: verdict.outcome, end: end, reasons: verdict.reasons.map(OutcomeReason.init),
      status: status, items: items)
  }

  static func unchecked(arena: Arena) -> Ruling {
    let nobody = Party(app: AppState(bundleID: ""), identity: .unset)
    return Ruling(
      TransferRequest(channel: .share, sender: nobody, owner: Owner(), receiver: nobody),
      Verdict([Reason(.noRuleApplied, .device)]), arena: arena)
  }

  /// Whether `other`, with the verdict given, needs no ruling of its own.
  func covers(_ other: TransferRequest, _ verdict: Verdict) -> Bool {
    request.channel == other.channel && request.via == other.via
      && request.owner.policy === other.owner.policy
      && request.sender.policy === other.sender.policy
      && request.receiver.policy === other.receiver.policy
      && request.content == other.content && self.verdict == verdict
  }
}
