internal import Model
internal import Scenario

/// Decisions on requests that apps with programs of their own made by themselves, not for a step; those alike are counted.
struct OwnRequests {
  private var decisions: [(made: Made, count: Int)] = []

  /// A decision, as far as decisions are compared.
  fileprivate struct Made: Equatable {
    var decision: Action.ExpectedDecision
    /// The bundle id of the app at the other end; nil where there is none.
    var bundle: String?
  }

  mutating func add(_ decision: RequestDecision, of requester: String) {
    let other = [decision.sender, decision.receiver].lazy.compactMap(\.self)
      .first { $0.guest != requester }
    let made = Made(
      decision: Action.ExpectedDecision(
        guest: requester.withoutInstance, operation: decision.operation,
        other: other.map { $0.guest.isEmpty ? $0.app : $0.guest.withoutInstance },
        outcome: decision.verdict.outcome, deciding: decision.verdict.deciding),
      bundle: other?.app)
    if let index = decisions.firstIndex(where: { $0.made == made }) {
      decisions[index].count += 1
    } else {
      decisions.append((made, 1))
    }
  }

  /// Takes the first decision that fits, so that the next step that waits gets another.
  ///
  /// - Returns: whether there was such a decision.
  mutating func take(_ expected: Action.ExpectedDecision) -> Bool {
    guard let index = decisions.firstIndex(where: { $0.made.fits(expected) }) else { return false }
    decisions[index].count -= 1
    if decisions[index].count == 0 { decisions.remove(at: index) }
    return true
  }

  /// Takes all decisions, each with how often it was made.
  mutating func takeAll() -> [(decision: Action.ExpectedDecision, count: Int)] {
    defer { decisions = [] }
    return decisions.map { ($0.made.decision, $0.count) }
  }

  /// The decisions on requests of a guest, each in a few words.
  func words(of guest: String) -> [String] {
    decisions.filter { $0.made.decision.guest == guest }.map(\.made.decision.words)
  }
}

extension OwnRequests.Made {
  fileprivate func fits(_ expected: Action.ExpectedDecision) -> Bool {
    decision.guest == expected.guest
      && expected.operation.map { $0 == decision.operation } ?? true
      && expected.outcome.map { $0 == decision.outcome } ?? true
      && expected.deciding.map { $0 == decision.deciding } ?? true
      && expected.other.map { $0 == decision.other || $0.lowercased() == bundle?.lowercased() }
        ?? true
  }
}

extension String {
  /// The name of a guest or, of an instance of an extension, that of the extension.
  fileprivate var withoutInstance: String { InstanceName(self)?.extension ?? self }
}
