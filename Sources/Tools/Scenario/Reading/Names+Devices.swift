extension Names {
  /// The names of a scenario's accounts, apps, policies and devices.
  init(_ scenario: Scenario) {
    var names = Names()
    names.accounts = scenario.accounts.map(\.name)
    names.policies = scenario.policies.map(\.name)
    names.apps = scenario.apps
    names.configurations = scenario.configurations.map(\.name)
    names.servers = scenario.servers.map(\.name)
    names.conditionalAccessPolicies = scenario.conditionalAccess.map(\.name)
    names.add(scenario.devices)
    self = names
  }

  /// Adds several devices.
  mutating func add(_ scenarios: [Scenario]) {
    devices = scenarios.map(\.device.name)
    memberOfDevice = Dictionary(
      uniqueKeysWithValues: scenarios.map { ($0.device.name, $0.device.member) })
    let file = Set(apps.map(\.name))
    var known: Set<String> = []
    for scenario in scenarios where known.insert(scenario.device.member).inserted {
      var names = self
      names.apps = scenario.apps
      names.members = []
      names.place = scenario.device.member
      names.appsElsewhere = file.subtracting(scenario.apps.map(\.name))
      members.append(Member(name: scenario.device.member, names: names))
    }
  }

  /// The names that steps on a device can use, or on each of several that are alike.
  func on(_ value: YAMLValue) throws(Mistake) -> (device: String, names: Names) {
    let name = try value.text()
    let all = members.map(\.name)
    guard
      let member = members.first(where: { $0.name == name || $0.name == memberOfDevice[name] })
    else {
      throw value.mistake(
        .unknownName, "no device is called `\(name)`\(Wording.hint(for: name, among: all))")
    }
    return (name, member.names)
  }
}

extension DeviceSpecification {
  /// The name under which the file states the device.
  fileprivate var member: String { group ?? name }
}
