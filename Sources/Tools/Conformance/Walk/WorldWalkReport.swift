package import Encodings
package import Scenario
internal import Model

package struct WorldWalkReport: Sendable {
  package let seed: UInt64
  /// The number of places to which the leak search finds a path.
  package let known: Int
  /// The number of performed steps.
  package private(set) var steps = 0
  package private(set) var devices = 0
  /// The failure that ended the walk; nil if data reached only places to which the search finds a
  /// path.
  package internal(set) var failure: WalkReport.Failure?
  /// The number of decisions, counted by operation and then by outcome.
  private var decisions = WalkCounts<Outcome>()
  /// The places that data reached and to which the search finds a path, as phrases.
  private var seen: Set<String> = []

  init(seed: UInt64, known: Int) {
    self.seed = seed
    self.known = known
  }

  /// Creates the report of one round.
  init(
    seed: UInt64, known: Int, _ events: [JournalEvent], steps: Int, seen: Set<WorldJudge.Arrival>
  ) {
    self.init(seed: seed, known: known)
    self.steps = steps
    self.seen = Set(seen.map(\.text))
    devices = 1
    for case .decided(let decision) in events.map(\.kind) {
      decisions.add(decision.operation.rawValue, decision.verdict.outcome)
    }
  }

  /// Creates the report of a walk from its rounds, up to the first round that failed.
  package init(seed: UInt64, known: Int, of rounds: [WorldWalkReport]) {
    self.init(seed: seed, known: known)
    for round in rounds where failure == nil { add(round) }
  }

  /// Adds the next rounds of the same walk.
  mutating func add(_ next: WorldWalkReport) {
    steps += next.steps
    devices += next.devices
    seen.formUnion(next.seen)
    decisions.add(next.decisions)
    failure = next.failure
  }
}

extension WorldWalkReport {
  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("seed", "\(seed)")
    writer.member("known", known)
    writer.member("steps", steps)
    writer.member("devices", devices)
    writer.strings("seen", seen.sorted())
    writer.object("decisions", decisions.writeMembers)
    if let failure { writer.object("failure", failure.write) }
  }

  package init?(_ object: JSONValue) {
    guard let seed = object["seed"]?.string.flatMap(UInt64.init),
      let known = object["known"]?.count, let steps = object["steps"]?.count,
      let devices = object["devices"]?.count, let seen = object["seen"]?.array,
      let decisions = object["decisions"]?.members.flatMap(WalkCounts<Outcome>.init)
    else { return nil }
    self.init(seed: seed, known: known)
    self.steps = steps
    self.devices = devices
    self.seen = Set(seen.compactMap(\.string))
    self.decisions = decisions
    if let failure = object["failure"] {
      guard let failure = WalkReport.Failure(failure) else { return nil }
      self.failure = failure
    }
  }

  /// Returns the report as text.
  package func text(of file: String, _ detail: ReportDetail = .titles) -> String {
    var lines = ["seed \(seed): \(steps) steps on \(devices.counting("device"))"]
    if detail != .failures { lines += decisions.lines { " \($0.rawValue)" } }
    lines.append("seen: \(seen.count) of the \(known) places that the search finds")
    guard let failure else {
      lines.append("holds: data reached only places that the search finds")
      return lines.joined(separator: "\n") + "\n"
    }
    lines.append(
      "violated (\(failure.invariant)): \(failure.sentence), which the search does not find")
    lines += failure.steps.map { "      - \($0)" }
    lines.append("again: sluice walk \(file) --seed \(failure.seed) --steps \(failure.step)")
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
      writer.member("known", known)
      writer.member("seen", seen.count)
      writer.object("counts", decisions.writeTotals)
      if let failure { writer.object("failure", failure.write) }
    }
  }
}
