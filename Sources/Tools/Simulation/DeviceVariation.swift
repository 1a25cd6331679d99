internal import Model
internal import Policy
internal import Scenario

/// A device that is not as the scenario states it.
struct DeviceVariation {
  fileprivate var changes: [Change]

  fileprivate enum Change {
    case enrollment(isEnrolled: Bool)
    case offline
    /// All apps with the SDK integrate this release of it.
    case sdk(Version)
  }

  /// The device in a clause.
  var words: String { changes.map(\.words).joined(separator: ", ") }

  /// All devices that differ from a scenario's, those first that differ in less.
  static func all(of scenario: Scenario) -> [DeviceVariation] {
    let enrollment = Change.enrollment(isEnrolled: !scenario.device.isMDMEnrolled)
    let network: [Change] = scenario.device.conditions.isOnline == false ? [] : [.offline]
    // Of each line of releases in which the SDK's behaviour changes the first, the newest before the others.
    let changes = SDKFeature.allCases.flatMap(\.releases) + Setting.allCases.flatMap(\.releases)
    let releases = Set(changes.map { Version($0.major) }).sorted(by: >)
    let choices = [[enrollment], network, releases.map(Change.sdk)]
    let all = choices.reduce([[]]) { chosen, changes in
      chosen + chosen.flatMap { before in changes.map { before + [$0] } }
    }
    return all.filter { !$0.isEmpty }.sorted { $0.count < $1.count }
      .map(DeviceVariation.init)
  }

  /// The scenario with the other device.
  func applied(to scenario: Scenario) -> Scenario {
    var scenario = scenario
    for change in changes { change.apply(to: &scenario) }
    return scenario
  }
}

extension DeviceVariation.Change {
  fileprivate var words: String {
    switch self {
    case .enrollment(let isEnrolled):
      isEnrolled ? "the device is enrolled in MDM" : "the device is not enrolled in MDM"
    case .offline: "the device is offline"
    case .sdk(let version): "apps have release \(version) of the SDK"
    }
  }

  fileprivate func apply(to scenario: inout Scenario) {
    switch self {
    case .enrollment(let isEnrolled):
      scenario.device.isMDMEnrolled = isEnrolled
      if !isEnrolled { scenario.device.declarations = nil }
    case .offline: scenario.device.conditions.isOnline = false
    case .sdk(let version):
      for index in scenario.apps.indices where scenario.apps[index].usesSDK {
        scenario.apps[index].sdkVersion = version
      }
    }
  }
}
