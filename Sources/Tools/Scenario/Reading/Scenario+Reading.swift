extension Scenario {
  enum Key: String, CaseIterable {
    case name, device, devices, links, accounts, policies, configurations, conditionalAccess,
      servers,
      apps, cases,
      steps
  }

  /// Reads the scenario that `text` describes.
  ///
  /// - Parameter file: the name of the file in messages; its stem is the suite's name where the text states none.
  /// - Throws: ``ScenarioError`` with the first mistake in the file.
  public static func read(_ text: String, file: String) throws(ScenarioError) -> Scenario {
    do throws(Mistake) {
      return try Scenario(YAMLReader.read(text), file: file)
    } catch {
      throw ScenarioError(
        file: file, position: error.position, code: error.code, message: error.message)
    }
  }

  private init(_ value: YAMLValue, file: String) throws(Mistake) {
    let fields = try Fields<Key>(value, "a scenario")
    let name = try fields[.name]?.text() ?? Scenario.stem(of: file)
    var names = Names()
    let accounts = try AccountSpecification.readAll(fields[.accounts])
    names.accounts = accounts.map(\.name)
    let policies = try PolicySpecification.readAll(fields[.policies], names)
    names.policies = policies.map(\.name)
    let access = try ConditionalAccessSpecification.readAll(fields[.conditionalAccess], names)
    names.conditionalAccessPolicies = access.map(\.name)
    let configurations = try ConfigurationSpecification.readAll(fields[.configurations], names)
    names.configurations = configurations.map(\.name)
    let servers = try ServerSpecification.readAll(fields[.servers])
    names.servers = servers.map(\.name)
    names.apps = try AppSpecification.readAll(fields[.apps], names)
    self.init(
      file: file, name: name, device: try DeviceSpecification(fields[.device], names),
      accounts: accounts, policies: policies, apps: names.apps, cases: [])
    conditionalAccess = access
    self.configurations = configurations
    self.servers = servers
    try fields.rejectConflict(.devices, with: .device)
    if let value = fields[.links], fields[.devices] == nil {
      throw value.mistake(.conflictingKeys, "`links` are between `devices`, and there are none")
    }
    links = try LinkSpecification(fields[.links])
    if let value = fields[.devices] {
      let whole = self
      devices = try DeviceMember.readAll(value, names).flatMap { $0.scenarios(within: whole) }
      for index in devices.indices { devices[index].device.ordinal = index }
      names.add(devices)
    }
    cases = try Scenario.cases(fields, name: name, names)
  }

  private static func cases(
    _ fields: Fields<Key>, name: String, _ names: Names
  ) throws(Mistake) -> [Case] {
    try fields.rejectConflict(.steps, with: .cases)
    if let steps = fields[.steps] {
      let position = fields.position(of: .steps)
      return [Case(position: position, name: name, steps: try Step.readAll(steps, names))]
    }
    return try Case.readAll(fields.required(.cases), names)
  }

  /// The name of the file without folders and extension.
  private static func stem(of file: String) -> String {
    let name = file.split(separator: "/").last ?? "scenario"
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return String(name) }
    return String(name[..<dot])
  }
}
