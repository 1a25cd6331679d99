internal import Foundation
internal import Host
public import Policy

/// A random walk through everything that users, apps and administrators do, on real processes (criterion SWITCH-1).
/// After every step, data of the organisation must be readable for its account alone, and all other data must be free.
///
/// The walk goes in rounds, each on a fresh device. A walk of the same seed takes the same steps.
public struct Walk: Sendable {
  public let seed: UInt64
  public let steps: Int
  private let faults: WalkFaults
  private let setting: WalkSetting

  /// The number of steps on one device.
  private static let roundLength = 500
  /// The number of walks that may be tried to find a shorter one that fails.
  private static let shrinkingLimit = 300

  /// Creates a walk.
  ///
  /// - Parameters:
  ///   - policies: the policies of the organisation's account; empty: the strictest policy under which managed apps
  ///     work together.
  ///   - claimed: the settings that the policies are said to amount to; nil: those of the policies themselves.
  ///   - faults: whether faults strike some of the shares.
  public init(
    _ settings: RunSettings, seed: UInt64, steps: Int = 10_000, policies: [PolicyDocument] = [],
    claimed: Settings? = nil, faults: WalkFaults = .none
  ) {
    self.seed = seed
    self.faults = faults
    self.steps = steps
    let standard = PolicyDocument(
      displayName: "Walk", file: "walk", settings: WalkRules.standard)
    let policies = policies.isEmpty ? [standard] : policies
    let rules = WalkRules(claimed ?? EffectivePolicy.merging(policies).settings)
    setting = WalkSetting(settings: settings, policies: policies, rules: rules)
  }

  /// Takes the steps, until one of them violates an invariant.
  ///
  /// - Throws: ``RunError`` where no device comes up.
  public func run() throws(RunError) -> WalkReport {
    var report = WalkReport(seed: seed)
    for round in rounds where report.failure == nil { report.add(try take(round)) }
    return report
  }

  /// The rounds of the walk, in their order.
  package var rounds: [PlannedRound] {
    PlannedRound.rounds(seed: seed, steps: steps, length: Self.roundLength)
  }

  /// Takes the steps of one round, until one of them violates an invariant.
  ///
  /// - Throws: ``RunError`` where no device comes up.
  package func take(_ planned: PlannedRound) throws(RunError) -> WalkReport {
    var generator = WalkGenerator(seed: planned.seed, faults)
    var finding: WalkFinding?
    let round = try inRound { round in
      while round.taken.count < planned.length, finding == nil {
        finding = round.take(generator.next(round.model))
      }
    }
    var report = WalkReport(seed: seed, round.counts, steps: round.taken.count)
    if let finding {
      report.failure = WalkReport.Failure(
        finding, seed: planned.seed, number: round.taken.count,
        after: shrink(round.taken, finding))
    }
    return report
  }

  /// The steps that lead to a finding of the same kind, fewer where possible, and the finding of those.
  private func shrink(
    _ steps: [WalkStep], _ finding: WalkFinding
  ) -> (steps: [WalkStep], finding: WalkFinding) {
    var latest = finding
    let shrinker = Shrinker<WalkStep>(limit: Self.shrinkingLimit) { steps in
      guard let found = try? self.finding(after: steps), found.invariant == finding.invariant
      else { return false }
      latest = found
      return true
    }
    let shrunk = shrinker.shrink(steps)
    return (shrunk, latest)
  }

  /// The finding after these steps, of which those are left out that cannot be taken; nil: none.
  private func finding(after steps: [WalkStep]) throws(RunError) -> WalkFinding? {
    var finding: WalkFinding?
    _ = try inRound { round in
      for step in steps where finding == nil && round.model.allows(step) {
        finding = round.take(step)
      }
    }
    return finding
  }

  private func inRound(_ body: (inout WalkRound) -> Void) throws(RunError) -> WalkRound {
    let folder = "\(setting.settings.folder)/\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var round = try WalkRound(setting, folder: folder)
    body(&round)
    round.close()
    return round
  }
}
