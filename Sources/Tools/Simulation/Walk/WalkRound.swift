internal import Policy

/// Steps on one fresh device.
struct WalkRound {
  private let device: WalkDevice
  private(set) var model: WalkModel
  /// The steps that were taken.
  private(set) var taken: [WalkStep] = []
  /// The number of steps of each kind, by answer.
  private(set) var counts = WalkCounts()

  /// Brings up the device.
  ///
  /// - Throws: ``RunError`` where no device comes up.
  init(_ setting: WalkSetting, folder: String) throws(RunError) {
    device = try WalkDevice(setting.settings, policies: setting.policies, folder: folder)
    model = WalkModel(setting.rules)
  }

  func close() { device.close() }

  /// Takes a step.
  ///
  /// - Returns: the violation of an invariant after the step; nil where everything holds.
  mutating func take(_ step: WalkStep) -> WalkFinding? {
    let forecast = model.take(step)
    let observation = device.take(step, forecast, model)
    taken.append(step)
    counts.add(step.kind, observation.answer)
    return WalkJudge(
      walk: device, step: step, forecast: forecast, model: model, observation: observation
    ).finding
  }
}

/// The settings that all rounds of a walk have in common.
struct WalkSetting: Sendable {
  var settings: RunSettings
  /// The policies that the device's organisation has assigned to its account.
  var policies: [PolicyDocument]
  /// The rules by which the policies are modelled.
  var rules: WalkRules
}

/// The numbers of steps that were taken.
struct WalkCounts: Sendable {
  /// The numbers, by kind of step, then by answer.
  private(set) var kinds: [String: [WalkAnswer: Int]] = [:]

  mutating func add(_ kind: String, _ answer: WalkAnswer, count: Int = 1) {
    kinds[kind, default: [:]][answer, default: 0] += count
  }

  mutating func add(_ other: WalkCounts) {
    for (kind, answers) in other.kinds {
      kinds[kind, default: [:]].merge(answers, uniquingKeysWith: +)
    }
  }
}
