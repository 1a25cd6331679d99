package import Encodings
package import Scenario

package struct WalkReport: Sendable {
  package let seed: UInt64
  /// The number of performed steps.
  package private(set) var steps = 0
  /// The number of rounds. Each has its own device.
  private(set) var rounds = 0
  private var counts = WalkCounts<WalkAnswer>()
  /// The failure that ended the walk; nil if all invariants held after every step.
  package internal(set) var failure: Failure?

  init(seed: UInt64) { self.seed = seed }

  /// Creates the report of one round.
  init(seed: UInt64, _ counts: WalkCounts<WalkAnswer>, steps: Int) {
    self.seed = seed
    self.steps = steps
    self.counts = counts
    rounds = 1
  }

  /// Creates the report of a walk from its rounds, up to the first round that failed.
  package init(seed: UInt64, of rounds: [WalkReport]) {
    self.seed = seed
    for round in rounds where failure == nil { add(round) }
  }

  /// Adds the next rounds of the same walk.
  mutating func add(_ next: WalkReport) {
    steps += next.steps
    rounds += next.rounds
    counts.add(next.counts)
    failure = next.failure
  }

  /// A violation of an invariant, with the steps that lead to it.
  package struct Failure: Sendable {
    /// The name of the invariant: `protected`, `unrestricted`, `parted`, `predicted` or `found`.
    package let invariant: String
    /// The violation as one sentence.
    package let sentence: String
    /// The seed of a walk that fails after ``step`` steps.
    package let seed: UInt64
    /// The number of steps after which a walk with ``seed`` fails.
    package let step: Int
    /// The steps that lead to the violation, one line each. The list is shortened if possible.
    package let steps: [String]

    init(
      _ finding: InvariantFailure, seed: UInt64, number: Int,
      after shrunk: (steps: [WalkStep], finding: InvariantFailure)
    ) {
      invariant = finding.invariant.rawValue
      sentence = shrunk.finding.sentence
      self.seed = seed
      step = number
      steps = shrunk.steps.map(\.text)
    }

    /// Creates the failure of a walk over a scenario. Its steps are lines of the scenario.
    init(_ finding: InvariantFailure, seed: UInt64, number: Int, after steps: [String]) {
      invariant = finding.invariant.rawValue
      sentence = finding.sentence
      self.seed = seed
      step = number
      self.steps = steps
    }
  }

  // MARK: Text and JSON

  /// Returns the report as text.
  ///
  /// - Parameters:
  ///   - options: The options that `sluice walk` needs to repeat the walk, other than the seed and
  ///     the number of steps.
  ///   - detail: `failures` omits the counts.
  package func text(options: String = "", _ detail: ReportDetail = .titles) -> String {
    var lines = ["seed \(seed): \(steps) steps on \(rounds.counting("device"))"]
    if detail != .failures {
      lines += counts.lines { $0 == .none ? "" : " \($0.rawValue)" }
    }
    guard let failure else {
      lines.append(
        "holds: only work apps read the work account's data, and other data was not restricted")
      return lines.joined(separator: "\n") + "\n"
    }
    lines.append("violated (\(failure.invariant)): \(failure.sentence)")
    lines += failure.steps.enumerated().map { "  \($0.offset + 1). \($0.element)" }
    lines.append(
      "again: sluice walk --seed \(failure.seed) --steps \(failure.step)\(options)")
    lines = lines.map { $0.escapingUnprintable() }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The report as one line of JSON. The seeds are strings, because some JSON readers do not
  /// support 64-bit numbers.
  package var json: String {
    JSONWriter.objectLine { writer in
      writer.member("seed", "\(seed)")
      writer.member("steps", steps)
      writer.member("holds", failure == nil)
      writer.object("counts", counts.writeTotals)
      if let failure { writer.object("failure", failure.write) }
    }
  }
}

// MARK: - Reports of rounds

extension WalkReport {
  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("seed", "\(seed)")
    writer.member("steps", steps)
    writer.member("rounds", rounds)
    writer.object("counts", counts.writeMembers)
    if let failure { writer.object("failure", failure.write) }
  }

  package init?(_ object: JSONValue) {
    guard let seed = object["seed"]?.string.flatMap(UInt64.init),
      let steps = object["steps"]?.count, let rounds = object["rounds"]?.count,
      let counts = object["counts"]?.members.flatMap(WalkCounts<WalkAnswer>.init)
    else { return nil }
    self.seed = seed
    self.steps = steps
    self.rounds = rounds
    self.counts = counts
    if let failure = object["failure"] {
      guard let failure = Failure(failure) else { return nil }
      self.failure = failure
    }
  }
}

extension WalkReport.Failure {
  /// Reads the failure that ``write(to:)`` wrote. Returns nil for any other object.
  init?(_ object: JSONValue) {
    guard let invariant = object["invariant"]?.string, let sentence = object["sentence"]?.string,
      let seed = object["seed"]?.string.flatMap(UInt64.init), let step = object["step"]?.count,
      let steps = object["steps"]?.array?.compactMap(\.string)
    else { return nil }
    self.invariant = invariant
    self.sentence = sentence
    self.seed = seed
    self.step = step
    self.steps = steps
  }

  func write(to writer: inout JSONWriter) {
    writer.member("invariant", invariant)
    writer.member("sentence", sentence)
    writer.member("seed", "\(seed)")
    writer.member("step", step)
    writer.strings("steps", steps)
  }
}

/// The number of performed steps, or of decisions, counted by kind and then by answer.
struct WalkCounts<Answer: RawRepresentable<String> & Hashable & Sendable>: Sendable {
  private var kinds: [String: [Answer: Int]] = [:]

  init() {}

  /// Reads the members that ``writeMembers(to:)`` wrote. Returns nil for any other members.
  init?(_ members: [JSONValue.Member]) {
    for kind in members {
      for answer in kind.value.members ?? [] {
        guard let name = Answer(rawValue: answer.name), let count = answer.value.count else {
          return nil
        }
        add(kind.name, name, count: count)
      }
    }
  }

  mutating func add(_ kind: String, _ answer: Answer, count: Int = 1) {
    kinds[kind, default: [:]][answer, default: 0] += count
  }

  mutating func add(_ other: WalkCounts) {
    for (kind, answers) in other.kinds {
      kinds[kind, default: [:]].merge(answers, uniquingKeysWith: +)
    }
  }

  private var sorted: [(kind: String, answers: [(key: Answer, value: Int)])] {
    kinds.sorted { $0.key < $1.key }.map { kind, answers in
      (kind, answers.sorted { $0.key.rawValue < $1.key.rawValue })
    }
  }

  /// Returns a line for each kind, with the number of each answer after the answer's `words`.
  func lines(_ words: (Answer) -> String) -> [String] {
    TextColumns.lines(
      sorted.map { kind, answers in
        [kind, answers.map { "\($0.value)\(words($0.key))" }.joined(separator: ", ")]
      }, indent: 2)
  }

  /// Writes the number of each answer, for each kind.
  func writeMembers(to writer: inout JSONWriter) {
    for (kind, answers) in sorted {
      writer.member(named: kind) { writer in
        writer.object { writer in
          for (answer, count) in answers {
            writer.member(named: answer.rawValue) { $0.number(count) }
          }
        }
      }
    }
  }

  /// Writes the total for each kind.
  func writeTotals(to writer: inout JSONWriter) {
    for (kind, answers) in sorted {
      writer.member(named: kind) { $0.number(answers.reduce(0) { $0 + $1.value }) }
    }
  }
}
