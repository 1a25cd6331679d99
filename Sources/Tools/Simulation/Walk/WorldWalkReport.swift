internal import JSON
internal import Model

/// The result of a walk over a scenario's world.
public struct WorldWalkReport: Sendable {
  public let seed: UInt64
  /// The number of places that the search for leaks finds.
  public let known: Int
  /// The number of steps that were taken.
  public private(set) var steps = 0
  /// The number of devices.
  public private(set) var devices = 0
  /// The failure that ended the walk; nil: no data came where the search finds no way.
  public internal(set) var failure: WalkReport.Failure?
  private var decisions: [String: [Outcome: Int]] = [:]
  private var seen: Set<WorldJudge.Arrival> = []

  init(seed: UInt64, known: Int) {
    self.seed = seed
    self.known = known
  }

  mutating func add(_ events: [JournalEvent], steps: Int, seen: Set<WorldJudge.Arrival>) {
    self.steps += steps
    devices += 1
    self.seen.formUnion(seen)
    for case .decided(let decision) in events.map(\.kind) {
      decisions[decision.operation.rawValue, default: [:]][decision.verdict.outcome, default: 0] +=
        1
    }
  }
}

extension WorldWalkReport {
  /// The report for people.
  ///
  /// - Parameter file: the scenario's file.
  public func text(of file: String) -> String {
    var lines = [
      "seed \(seed): \(steps) steps on \(devices) \(devices == 1 ? "device" : "devices")"
    ]
    let width = decisions.keys.map(\.count).max() ?? 0
    for (operation, outcomes) in decisions.sorted(by: { $0.key < $1.key }) {
      let parts = outcomes.sorted { $0.key.rawValue < $1.key.rawValue }
        .map { "\($0.value) \($0.key.rawValue)" }
      let padding = String(repeating: " ", count: width - operation.count)
      lines.append("  \(operation)\(padding)  \(parts.joined(separator: ", "))")
    }
    lines.append("seen: \(seen.count) of the \(known) places that the search finds")
    guard let failure else {
      lines.append("holds: no data came where the search finds no way")
      return lines.joined(separator: "\n") + "\n"
    }
    lines.append(
      "violated (\(failure.invariant)): \(failure.sentence), where the search finds no way")
    lines += failure.steps.map { "      - \($0)" }
    lines.append("again: sluice walk \(file) --seed \(failure.seed) --steps \(failure.step)")
    return lines.joined(separator: "\n") + "\n"
  }

  /// The report as one object and the end of a line. The seeds are strings: not every reader of JSON has numbers of 64
  /// bits.
  public var json: String {
    JSONWriter.objectLine { writer in
      writer.member("seed", "\(seed)")
      writer.member("steps", steps)
      writer.member("holds", failure == nil)
      writer.member("known", known)
      writer.member("seen", seen.count)
      writer.object("counts") { writer in
        for (operation, outcomes) in decisions.sorted(by: { $0.key < $1.key }) {
          writer.member(named: operation) { $0.number(outcomes.values.reduce(0, +)) }
        }
      }
      if let failure { writer.object("failure", failure.write) }
    }
  }
}
