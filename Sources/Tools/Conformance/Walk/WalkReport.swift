package import Encodings
package import Scenario

/// The report of a walk, or of one of its rounds.
package struct WalkReport: Sendable {
  package let seed: UInt64
  package private(set) var steps = 0
  /// The number of rounds. Each round has its own device.
  private var rounds = 0
  /// The counts of the report: in a walk over a scenario, decisions by operation and outcome; otherwise, steps by kind
  /// and answer.
  private var counts = WalkCounts()
  /// The failure that ended the walk; nil if all invariants held.
  package internal(set) var failure: Failure?
  /// The scenario with the walk's apps; nil for Sluice's own apps.
  private let world: World?
  /// The places that data reached in the walk, as phrases. Only places to which the leak search also finds a path are
  /// included.
  private var seen: Set<String> = []

  /// A scenario and its known leaks.
  package struct World: Sendable {
    package let file: String
    /// The number of places to which the leak search finds a path.
    package let known: Int

    package init(file: String, known: Int) {
      self.file = file
      self.known = known
    }
  }

  /// Creates the report of one round.
  ///
  /// - Parameter seen: The places that data reached in the round, as phrases. Only places to which the leak search also
  ///   finds a path are included.
  init(
    seed: UInt64, _ counts: WalkCounts, steps: Int, over world: World? = nil,
    seen: Set<String> = []
  ) {
    self.seed = seed
    self.steps = steps
    self.counts = counts
    self.world = world
    self.seen = seen
    rounds = 1
  }

  /// Creates the report of a walk from its rounds, up to the first round that failed.
  package init(seed: UInt64, over world: World? = nil, of rounds: [WalkReport] = []) {
    self.seed = seed
    self.world = world
    for round in rounds where failure == nil { add(round) }
  }

  /// Adds the next rounds of the same walk.
  mutating func add(_ next: WalkReport) {
    steps += next.steps
    rounds += next.rounds
    counts.add(next.counts)
    seen.formUnion(next.seen)
    failure = next.failure
  }

  /// A violation of an invariant, with the steps that lead to it.
  package struct Failure: Sendable {
    /// The name of the invariant: `protected`, `unrestricted`, `parted`, `predicted` or `found`.
    package let invariant: String
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

    /// Creates the failure of a walk over a scenario.
    ///
    /// - Parameter steps: The steps that lead to the violation, as lines of the scenario.
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
  ///   - options: The options that `sluice walk` needs to repeat the walk, other than the seed and the number of steps.
  ///   - detail: `failures` omits the counts.
  package func text(options: String = "", _ detail: ReportDetail = .titles) -> String {
    var lines = ["seed \(seed): \(steps) steps on \(rounds.counting("device"))"]
    if detail != .failures { lines += counts.lines }
    if let world {
      lines.append("reached: \(seen.count) of the \(world.known) places that the search finds")
    }
    guard let failure else {
      lines.append(
        world == nil
          ? "holds: only work apps read the work account's data, and other data was not restricted"
          : "holds: data reached only places that the search finds")
      return lines.joined(separator: "\n") + "\n"
    }
    let unknown = world == nil ? "" : ", which the search does not find"
    lines.append("violated (\(failure.invariant)): \(failure.sentence)\(unknown)")
    lines += failure.steps.enumerated().map { number, step in
      world == nil ? "  \(number + 1). \(step)" : "      - \(step)"
    }
    let file = world.map { " \($0.file)" } ?? ""
    lines.append(
      "again: sluice walk\(file) --seed \(failure.seed) --steps \(failure.step)\(options)")
    lines = lines.map { $0.escapingUnprintable() }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The report as one line of JSON. The seeds are strings, because some JSON readers do not support 64-bit numbers.
  package var json: String {
    JSONWriter.objectLine { writer in
      writer.member("seed", "\(seed)")
      writer.member("steps", steps)
      writer.member("holds", failure == nil)
      writer.member("known", world?.known)
      if world != nil { writer.member("seen", seen.count) }
      writer.object("counts", counts.writeTotals)
      if let failure { writer.object("failure", failure.write) }
    }
  }
}

// MARK: - Reports of rounds

extension WalkReport {
  /// Writes the members that ``init(_:)`` reads. The world is left out, because all rounds share it.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("seed", "\(seed)")
    writer.member("steps", steps)
    writer.member("rounds", rounds)
    if !seen.isEmpty { writer.strings("seen", seen.sorted()) }
    writer.object("counts", counts.writeMembers)
    if let failure { writer.object("failure", failure.write) }
  }

  /// Reads the report that ``writeMembers(to:)`` wrote. Returns nil for any other object.
  package init?(_ object: JSONValue) {
    guard let seed = object["seed"]?.string.flatMap(UInt64.init),
      let steps = object["steps"]?.count, let rounds = object["rounds"]?.count,
      let counts = object["counts"]?.members.flatMap(WalkCounts.init)
    else { return nil }
    let seen = object["seen"]?.array?.compactMap(\.string) ?? []
    self.init(seed: seed, counts, steps: steps, seen: Set(seen))
    self.rounds = rounds
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

/// The counts of a walk's steps by kind and answer, or of its decisions by operation and outcome.
struct WalkCounts: Sendable {
  private var kinds: [String: [String: Int]] = [:]

  init() {}

  /// Reads the members that ``writeMembers(to:)`` wrote. Returns nil for any other members.
  init?(_ members: [JSONValue.Member]) {
    for kind in members {
      for answer in kind.value.members ?? [] {
        guard let count = answer.value.count else { return nil }
        add(kind.name, answer.name, count: count)
      }
    }
  }

  mutating func add(_ kind: String, _ answer: String, count: Int = 1) {
    kinds[kind, default: [:]][answer, default: 0] += count
  }

  mutating func add(_ other: WalkCounts) {
    for (kind, answers) in other.kinds {
      kinds[kind, default: [:]].merge(answers, uniquingKeysWith: +)
    }
  }

  private var sorted: [(kind: String, answers: [(key: String, value: Int)])] {
    kinds.sorted { $0.key < $1.key }.map { kind, answers in
      (kind, answers.sorted { $0.key < $1.key })
    }
  }

  /// A line for each kind of step, with the count of each answer. Steps without a decision have no answer.
  var lines: [String] {
    TextColumns.lines(
      sorted.map { kind, answers in
        let numbers = answers.map { answer, count in
          answer == WalkAnswer.none.rawValue ? "\(count)" : "\(count) \(answer)"
        }
        return [kind, numbers.joined(separator: ", ")]
      }, indent: 2)
  }

  /// Writes an object for each kind of step, with the count of each answer.
  func writeMembers(to writer: inout JSONWriter) {
    for (kind, answers) in sorted {
      writer.member(named: kind) { writer in
        writer.object { writer in
          for (answer, count) in answers { writer.member(named: answer) { $0.number(count) } }
        }
      }
    }
  }

  func writeTotals(to writer: inout JSONWriter) {
    for (kind, answers) in sorted {
      writer.member(named: kind) { $0.number(answers.reduce(0) { $0 + $1.value }) }
    }
  }
}
