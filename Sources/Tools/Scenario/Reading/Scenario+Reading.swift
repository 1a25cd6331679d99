import JSON

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
    names.bundles = Scenario.bundles(fields[.apps])
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
    filePositions = Scenario.filePositions(in: value)
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

  /// The bundle ids that apps state, by the apps' names.
  private static func bundles(_ apps: YAMLValue?) -> [String: String] {
    var bundles: [String: String] = [:]
    for app in apps?.members ?? [] {
      guard let bundle = app.value.members.first(where: { $0.key == "bundle" })?.value,
        case .scalar(let text, _) = bundle.kind
      else { continue }
      bundles[app.key] = text
    }
    return bundles
  }

  /// The keys whose values are paths of files that belong to the scenario.
  private static let fileKeys: Set = [
    "file", "path", "executable", "profile", "declarations", "folder",
  ]

  /// The positions at which the text states the paths of files, by path; of several the first.
  private static func filePositions(in value: YAMLValue) -> [String: Position] {
    var positions: [String: Position] = [:]
    var open = [value]
    while let next = open.popLast() {
      switch next.kind {
      case .scalar(let text, _):
        guard fileKeys.contains(next.name) else { continue }
        let place = next.position
        let known = positions[text] ?? place
        positions[text] = (known.line, known.column) < (place.line, place.column) ? known : place
      case .sequence(let elements): open += elements
      case .mapping(let members): open += members.map(\.value)
      }
    }
    return positions
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
