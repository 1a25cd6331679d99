package import GraphDocuments

/// A fact that an answer depends on, but that the export does not state.
package enum UnknownFact: Sendable, Hashable {
  /// Whether the user is a member of the group with this index in the directory.
  case membership(group: Int)
  /// Whether the device is a member of the group with this index in the directory.
  case deviceMembership(group: Int)
  /// Whether the user is a member of a group that the export does not contain.
  case absentGroup(GroupReference)
  /// Whether the user has any of the directory roles with these ids, which are in alphabetical order.
  case roles([String])
  case guest
  case licence
  /// Whether the assignment filter with this id or name is true. If the question is about several apps and the filter
  /// reads the app's version, `app` is the app's bundle id; otherwise, it is nil.
  case filter(String, app: String? = nil)
  case managedDevice
}

/// Assumed values of facts that the export does not state. A question evaluated with them is answered as if the facts
/// were known.
package struct Assumptions: Sendable {
  private let assumed: [UnknownFact: Bool]
  /// The value assumed for all facts outside ``assumed``.
  private let others: Bool
  /// The facts that a question requested and that ``assumed`` does not contain, in the order of the requests, without
  /// duplicates.
  private var missing: [UnknownFact] = []

  private init(_ assumed: [UnknownFact: Bool] = [:], others: Bool = false) {
    self.assumed = assumed
    self.others = others
  }

  /// Returns the assumed value of the fact. If ``assumed`` does not contain the fact, records it as missing and returns
  /// ``others``.
  package mutating func holds(_ fact: UnknownFact) -> Bool {
    if let known = assumed[fact] { return known }
    if !missing.contains(fact) { missing.append(fact) }
    return others
  }

  /// A possible answer to a question, with the values of unknown facts that lead to it.
  package struct Alternative<Answer: Sendable>: Sendable {
    /// The facts and their values, in the order in which the question requests them.
    package var facts: [(fact: UnknownFact, holds: Bool)]
    /// The answer if the facts have these values.
    package var answer: Answer

    package init(facts: [(fact: UnknownFact, holds: Bool)] = [], answer: Answer) {
      self.facts = facts
      self.answer = answer
    }
  }

  /// The maximum number of facts that a question may request on the way to one answer. If a question requests more,
  /// ``explore(supposing:_:)`` and ``paths(supposing:_:)`` return nil.
  package static let maximumDepth = 6

  /// Returns the answers to a question, one for each combination of values of the facts that it requests. If all
  /// answers are equal, returns one alternative without facts. Nil if the question requests more than ``maximumDepth``
  /// facts on the way to one answer.
  ///
  /// - Parameter supposed: Facts with known values. They do not appear in the alternatives.
  package static func explore<Answer: Equatable & Sendable>(
    supposing supposed: [UnknownFact: Bool] = [:], _ question: (inout Assumptions) -> Answer
  ) -> [Alternative<Answer>]? {
    paths(supposing: supposed, question).map(united)
  }

  /// Returns the answers to a question, each with all facts that the question requested on the way to it, even facts
  /// that do not affect the answer. Nil if the question requests more than ``maximumDepth`` facts on the way to one
  /// answer.
  ///
  /// - Parameter supposed: Facts with known values. They do not appear in the alternatives.
  package static func paths<Answer: Sendable>(
    supposing supposed: [UnknownFact: Bool] = [:], _ question: (inout Assumptions) -> Answer
  ) -> [Alternative<Answer>]? {
    var alternatives: [Alternative<Answer>] = []
    return explore(question, supposed, [], &alternatives) ? alternatives : nil
  }

  /// Returns a single alternative without facts if all answers are equal. Otherwise, returns `alternatives`.
  package static func united<Answer: Equatable & Sendable>(
    _ alternatives: [Alternative<Answer>]
  ) -> [Alternative<Answer>] {
    guard let first = alternatives.first, alternatives.allSatisfy({ $0.answer == first.answer })
    else { return alternatives }
    return [Alternative(answer: first.answer)]
  }

  /// Returns the alternative answer whose facts hold under these assumptions; nil if there are no alternatives.
  /// Requests the alternatives' facts in their order.
  ///
  /// - Parameter alternatives: The result of ``paths(supposing:_:)`` or ``explore(supposing:_:)``.
  package mutating func answer<Answer>(among alternatives: [Alternative<Answer>]) -> Answer? {
    var candidates = alternatives[...]
    var depth = 0
    while let first = candidates.first, first.facts.count > depth {
      let holds = self.holds(first.facts[depth].fact)
      candidates =
        candidates.filter {
          $0.facts.count > depth && $0.facts[depth].holds == holds
        }[...]
      depth += 1
    }
    return candidates.first?.answer
  }

  private static func explore<Answer: Sendable>(
    _ question: (inout Assumptions) -> Answer, _ supposed: [UnknownFact: Bool],
    _ path: [(fact: UnknownFact, holds: Bool)], _ alternatives: inout [Alternative<Answer>]
  ) -> Bool {
    var assumptions = Assumptions(
      supposed.merging(path.map { ($0.fact, $0.holds) }, uniquingKeysWith: { first, _ in first }))
    let answer = question(&assumptions)
    guard let fact = assumptions.missing.first else {
      alternatives.append(Alternative(facts: path, answer: answer))
      return true
    }
    guard path.count < maximumDepth else { return false }
    return explore(question, supposed, path + [(fact, true)], &alternatives)
      && explore(question, supposed, path + [(fact, false)], &alternatives)
  }

  /// Returns the facts that a question requests, in the order in which they are found. Use it if
  /// ``explore(supposing:_:)`` returns nil because there are too many facts.
  ///
  /// The question is evaluated with all combinations of the first ``maximumDepth`` facts, and with all facts true.
  /// Then, for each fact, it is evaluated with only this fact true and with only this fact false. Facts that are
  /// requested only in other combinations are not found.
  package static func facts<Answer>(
    of question: (inout Assumptions) -> Answer
  ) -> [UnknownFact] {
    var found: [UnknownFact] = []
    var known: Set<UnknownFact> = []
    func ask(_ assumptions: Assumptions) {
      var assumptions = assumptions
      _ = question(&assumptions)
      for fact in assumptions.missing where known.insert(fact).inserted { found.append(fact) }
    }
    func ask(after path: [UnknownFact: Bool]) {
      var assumptions = Assumptions(path)
      _ = question(&assumptions)
      for fact in assumptions.missing where known.insert(fact).inserted { found.append(fact) }
      guard let next = assumptions.missing.first, path.count < maximumDepth else { return }
      for holds in [true, false] { ask(after: path.merging([next: holds]) { first, _ in first }) }
    }
    ask(after: [:])
    ask(Assumptions(others: true))
    var index = 0
    while index < found.count {
      for others in [false, true] { ask(Assumptions([found[index]: !others], others: others)) }
      index += 1
    }
    return found
  }

  /// Returns two answers for each fact of ``facts(of:)``: one with only this fact false, and one with only this fact
  /// true. If ``explore(supposing:_:)`` returns nil for two questions, compare their samples instead.
  package static func samples<Answer>(
    of question: (inout Assumptions) -> Answer
  ) -> [(fact: UnknownFact, answers: [Answer])] {
    facts(of: question).map { fact in
      let answers = [true, false].map { others in
        var assumptions = Assumptions([fact: !others], others: others)
        return question(&assumptions)
      }
      return (fact, answers)
    }
  }
}

/// The alternatives for one question, one for each combination of values of the unknown facts.
extension Array {
  /// Returns the answer if it does not depend on unknown facts; otherwise nil.
  package func known<Answer>() -> Answer? where Element == Assumptions.Alternative<Answer> {
    count == 1 && self[0].facts.isEmpty ? self[0].answer : nil
  }
}
