internal import Foundation
internal import Host
package import Policy
package import Simulation

/// A random walk through all actions of users, apps and administrators, on real processes (criterion SWITCH-1). After
/// every step, no other account may be able to read the organisation's data, and other data must not be restricted.
///
/// The walk consists of rounds, each on a fresh device. Walks with the same seed perform the same steps.
package struct Walk: Sendable {
  package let seed: UInt64
  package let steps: Int
  private let faults: WalkFaults
  private let setting: WalkSetting

  /// The maximum number of steps on one device.
  private static let roundLength = 500
  /// The maximum number of walks that are tried in order to shorten a failing walk.
  private static let shrinkingLimit = 300

  /// Creates a walk.
  ///
  /// - Parameters:
  ///   - policies: The policies for the organisation's account. If empty, the walk uses the strictest policy under
  ///     which managed apps can still work together.
  ///   - claimed: The settings that the invariants are checked against; nil for the effective settings of `policies`.
  ///   - faults: Whether faults are injected into some shares.
  package init(
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

  /// Performs the steps until one of them violates an invariant.
  package func run() throws(RunError) -> WalkReport {
    var report = WalkReport(seed: seed)
    for round in rounds where report.failure == nil { report.add(try run(round)) }
    return report
  }

  package var rounds: [PlannedRound] {
    PlannedRound.rounds(seed: seed, steps: steps, length: Self.roundLength)
  }

  /// Performs the steps of one round until one of them violates an invariant.
  package func run(_ planned: PlannedRound) throws(RunError) -> WalkReport {
    var generator = WalkGenerator(seed: planned.seed, faults)
    var finding: InvariantFailure?
    let round = try inRound { round in
      while round.taken.count < planned.length, finding == nil {
        finding = round.perform(generator.next(round.model))
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

  /// Returns a shorter list of steps that violates the same invariant, with its finding. If there is none, returns the
  /// original list and finding.
  private func shrink(
    _ steps: [WalkStep], _ finding: InvariantFailure
  ) -> (steps: [WalkStep], finding: InvariantFailure) {
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

  /// Performs the steps on a fresh device and returns the first violated invariant; nil if all invariants hold. Steps
  /// that the model forbids are skipped.
  private func finding(after steps: [WalkStep]) throws(RunError) -> InvariantFailure? {
    var finding: InvariantFailure?
    _ = try inRound { round in
      for step in steps where finding == nil && round.model.allows(step) {
        finding = round.perform(step)
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

// MARK: - Rounds

/// A sequence of steps on one fresh device.
private struct WalkRound {
  private let device: WalkDevice
  private(set) var model: WalkModel
  private(set) var taken: [WalkStep] = []
  /// The number of steps of each kind with each answer.
  private(set) var counts = WalkCounts()

  /// Starts the device.
  init(_ setting: WalkSetting, folder: String) throws(RunError) {
    device = try WalkDevice(setting.settings, policies: setting.policies, folder: folder)
    model = WalkModel(setting.rules)
  }

  func close() { device.close() }

  /// Performs a step on the device and in the model, and checks the invariants.
  ///
  /// - Returns: The violated invariant; nil if all invariants hold.
  mutating func perform(_ step: WalkStep) -> InvariantFailure? {
    let forecast = model.apply(step)
    let observation = device.perform(step, forecast, model)
    taken.append(step)
    counts.add(step.kind, observation.answer.rawValue)
    return WalkJudge(
      walk: device, step: step, forecast: forecast, model: model, observation: observation
    ).finding
  }
}

private struct WalkSetting: Sendable {
  var settings: RunSettings
  /// The policies assigned to the organisation's account.
  var policies: [PolicyDocument]
  var rules: WalkRules
}

package enum WalkFaults: Sendable {
  case none
  /// Randomly chosen shares have a fault.
  case drawn
}
