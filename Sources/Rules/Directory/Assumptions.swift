package import GraphDocuments

/// A fact that an answer depends on, but that the export does not state.
package enum UnknownFact: Sendable, Hashable {
  /// Whether the user is a member of a group of the directory, given by index.
  case membership(group: Int)
  /// Whether the device is a member of a group of the directory, given by index.
  case deviceMembership(group: Int)
  /// Whether the user is a member of a group that the export does not contain.
  case absentGroup(GroupReference)
  /// Whether the user has one of these directory roles, given by id in alphabetical order.
  case roles([String])
  case guest
  case licence
  /// Whether an assignment filter, given by id or name, is true. If the question is about several apps and the filter
  /// reads the app's version, `app` is the app; otherwise it is nil.
  case filter(String, app: String? = nil)
  case managedDevice
}

/// The assumed values of facts that the export does not state.
package struct Assumptions: Sendable {
  private let assumed: [UnknownFact: Bool]
  /// The assumed value of facts that ``assumed`` does not contain.
  private let others: Bool
  /// The requested facts that ``assumed`` does not contain, in the order of the requests, without duplicates.
  private var missing: [UnknownFact] = []

  private init(_ assumed: [UnknownFact: Bool] = [:], others: Bool = false) {
    self.assumed = assumed
    self.others = others
  }

  /// Returns the assumed value of the fact. If there is none, records the fact and returns ``others``.
  package mutating func holds(_ fact: UnknownFact) -> Bool {
    if let known = assumed[fact] { return known }
    if !missing.contains(fact) { missing.append(fact) }
    return others
  }

  /// An answer, and the facts that lead to the answer.
  package struct Alternative<Answer: Sendable>: Sendable {
    /// The facts in the order in which the question requests them.
    package var facts: [(fact: UnknownFact, holds: Bool)]
    /// The answer if the facts hold as stated.
    package var answer: Answer

    package init(facts: [(fact: UnknownFact, holds: Bool)] = [], answer: Answer) {
      self.facts = facts
      self.answer = answer
    }
  }

  /// The maximum number of facts that a question may request for one answer. If it requests more,
  /// ``explore(supposing:_:)`` and ``paths(supposing:_:)`` return nil.
  package static let maximumDepth = 6

  /// Returns the answers to a question, one for each combination of values of the requested facts.
  /// If all answers are equal, returns one alternative without facts. Nil if the question requests
  /// more than ``maximumDepth`` facts for one answer.
  ///
  /// - Parameter supposed: Facts with known values, which are not requested.
  package static func explore<Answer: Equatable & Sendable>(
    supposing supposed: [UnknownFact: Bool] = [:], _ question: (inout Assumptions) -> Answer
  ) -> [Alternative<Answer>]? {
    paths(supposing: supposed, question).map(united)
  }

  /// Returns the answers to a question. Each answer has all facts that the question requested for it, including facts
  /// that do not affect the answer. Nil if the question requests more than ``maximumDepth`` facts for one answer.
  ///
  /// - Parameter supposed: Facts with known values, which are not requested.
  package static func paths<Answer: Sendable>(
    supposing supposed: [UnknownFact: Bool] = [:], _ question: (inout Assumptions) -> Answer
  ) -> [Alternative<Answer>]? {
    var alternatives: [Alternative<Answer>] = []
    return explore(question, supposed, [], &alternatives) ? alternatives : nil
  }

  /// Returns one alternative without facts if all answers are equal, otherwise the alternatives.
  package static func united<Answer: Equatable & Sendable>(
    _ alternatives: [Alternative<Answer>]
  ) -> [Alternative<Answer>] {
    guard let first = alternatives.first, alternatives.allSatisfy({ $0.answer == first.answer })
    else { return alternatives }
    return [Alternative(answer: first.answer)]
  }

  /// Returns the answer among alternatives from ``paths(supposing:_:)`` or ``explore(supposing:_:)``; nil if there are
  /// none. Requests the facts of the alternatives, in their order.
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

  /// Returns the facts that a question requests, in the order in which they are found. Use it for questions for which
  /// ``explore(supposing:_:)`` returns nil.
  ///
  /// Evaluates the question with all combinations of the first ``maximumDepth`` facts. Then evaluates it with all facts
  /// true, with only one fact true, and with only one fact false, for each fact. Facts that are requested only in other
  /// combinations are not found.
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

  /// Returns two answers for each fact of ``facts(of:)``: if only this fact is false, and if only this fact is true.
  /// Use them to compare questions for which ``explore(supposing:_:)`` returns nil.
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

/// The answers to one question, one for each combination of unknown facts.
extension Array {
  /// Returns the answer if it depends on no fact; otherwise nil.
  package func known<Answer>() -> Answer? where Element == Assumptions.Alternative<Answer> {
    count == 1 && self[0].facts.isEmpty ? self[0].answer : nil
  }
}
