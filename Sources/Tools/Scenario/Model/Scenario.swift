package import JSON

/// A scenario file: accounts, policies, apps, one or more devices, and the cases to run on them.
///
/// Every case runs on new devices.
package struct Scenario: Sendable, Equatable {
  /// The file name as the user entered it.
  package var file: String
  /// The suite name in reports.
  package var name: String
  package var device = DeviceSpecification()
  /// The accounts in file order, as in all lists here.
  package var accounts: [AccountSpecification] = []
  package var policies: [PolicySpecification] = []
  package var conditionalAccess: [ConditionalAccessSpecification] = []
  package var configurations: [ConfigurationSpecification] = []
  package var servers: [ServerSpecification] = []
  package var apps: [AppSpecification] = []
  /// The scenario as seen by each of several devices, with its own ``device`` and ``apps`` and without cases.
  /// Empty if ``device`` is the only one.
  package var devices: [Scenario] = []
  /// The properties of all connections between ``devices``.
  package var links = LinkSpecification()
  /// The cases; at least one.
  package var cases: [Case]
  /// The positions in the file that name other files, by path as written.
  package var filePositions: [String: Position] = [:]

  /// The maximum number of values in a scenario's lists and mappings.
  package static let mostValues = 1_000_000

  /// Returns the account with the name; nil if there is none.
  package func account(named name: String) -> AccountSpecification? {
    accounts.first { $0.name == name }
  }

  /// Returns the guest with the name, or all guests of the app with the name.
  package func guests(named name: String) -> [String] {
    apps.first { $0.name == name }?.guests ?? [name]
  }

  /// Returns the app that runs as the guest; nil if there is none.
  package func app(ofGuest guest: String) -> AppSpecification? {
    apps.first { $0.hasGuest(guest) }
  }
}

// MARK: - Reading

extension Scenario {
  enum Key: String, CaseIterable {
    case name, device, devices, links, accounts, policies, configurations, conditionalAccess,
      servers,
      apps, cases,
      steps
  }

  /// Reads a scenario from YAML text.
  ///
  /// - Parameter file: The file name for messages. Its stem is the suite name if the text does not state one.
  /// - Throws: ``ScenarioError`` for the first mistake in the file.
  package static func read(_ text: String, file: String) throws(ScenarioError) -> Scenario {
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

  /// The stated bundle ids, by app name.
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

  /// Returns the first position of each file path in the text.
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

  /// Returns the file name without folders and extension.
  private static func stem(of file: String) -> String {
    let name = file.split(separator: "/").last ?? "scenario"
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return String(name) }
    return String(name[..<dot])
  }
}

// MARK: - Cases

/// A sequence of steps that runs on new devices.
package struct Case: Sendable, Equatable {
  package var position: Position
  /// The case's name, unique within the scenario.
  package var name: String
  /// The exit criterion that the case verifies, such as `SEND-1`; nil if there is none.
  package var criterion: String?
  /// The names of the apps that a developer's own app replaces, one at a time; empty means the app that
  /// starts first.
  package var underTest: [String]
  /// The steps; at least one.
  package var steps: [Step]

  package init(
    position: Position, name: String, criterion: String? = nil, underTest: [String] = [],
    steps: [Step]
  ) {
    self.position = position
    self.name = name
    self.criterion = criterion
    self.underTest = underTest
    self.steps = steps
  }
}

extension Case {
  enum Key: String, CaseIterable {
    case name, criterion, underTest, steps
  }

  static func readAll(_ value: YAMLValue, _ names: Names) throws(Mistake) -> [Case] {
    let elements = try value.sequence()
    guard !elements.isEmpty else {
      throw value.mistake(.missingKey, "a scenario needs at least one case")
    }
    var cases: [Case] = []
    var known: Set<String> = []
    for element in elements {
      let next = try Case(element, names)
      guard known.insert(next.name).inserted else {
        throw element.mistake(.duplicateName, "two cases are called `\(next.name)`")
      }
      cases.append(next)
    }
    return cases
  }

  private init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a case")
    let criterion = try fields[.criterion]?.text()
    if let criterion, !Name.isCriterion(criterion), let value = fields[.criterion] {
      throw value.mistake(
        .invalidValue, "`criterion` must read like `SEND-1`, found `\(criterion)`")
    }
    self.init(
      position: fields.position, name: try fields.required(.name).text(), criterion: criterion,
      underTest: try Self.appsUnderTest(fields[.underTest], names),
      steps: try Step.readAll(fields.required(.steps), names))
  }

  private static func appsUnderTest(
    _ value: YAMLValue?, _ names: Names
  ) throws(Mistake) -> [String] {
    var apps: [String] = []
    for element in try value?.oneOrMore() ?? [] {
      let app = try names.app(element)
      guard app.extensionKind == nil else {
        throw element.mistake(
          .invalidValue, "`\(app.name)` is an extension, and apps are put to the test")
      }
      guard !apps.contains(app.name) else {
        throw element.mistake(.duplicateName, "`\(app.name)` is named twice")
      }
      apps.append(app.name)
    }
    return apps
  }
}

// MARK: - Comparison of scenarios

extension Scenario {
  /// Whether two scenario texts are equal except for their cases. Returns false if either is not valid YAML.
  ///
  /// - Parameter path: Maps a file path in the first text to the corresponding path in the second.
  package static func isSameWorld(
    _ text: String, as other: String, naming path: (String) -> String = { $0 }
  ) -> Bool {
    guard let first = try? YAMLReader.read(text), let second = try? YAMLReader.read(other) else {
      return false
    }
    return first.world.isSame(as: second.world, at: [], path)
  }
}

extension YAMLValue {
  fileprivate var world: YAMLValue {
    guard case .mapping(let members) = kind else { return self }
    var world = self
    world.kind = .mapping(members.filter { !["cases", "steps"].contains($0.key) })
    return world
  }

  fileprivate func isSame(
    as other: YAMLValue, at place: [String], _ path: (String) -> String
  ) -> Bool {
    switch (kind, other.kind) {
    case (.scalar(let text, let isPlain), .scalar(let found, let isFoundPlain)):
      Self.namesFile(place) ? path(text) == found : text == found && isPlain == isFoundPlain
    case (.sequence(let elements), .sequence(let others)):
      elements.count == others.count
        && zip(elements, others).allSatisfy { $0.isSame(as: $1, at: place + [""], path) }
    case (.mapping(let members), .mapping(let others)):
      members.map(\.key) == others.map(\.key)
        && zip(members, others).allSatisfy {
          $0.value.isSame(as: $1.value, at: place + [$0.key], path)
        }
    case (.scalar, _), (.sequence, _), (.mapping, _): false
    }
  }

  /// Whether the key path leads to a file or folder name.
  private static func namesFile(_ place: [String]) -> Bool {
    filePlaces.contains { known in
      known.count == place.count && zip(known, place).allSatisfy { $0 == nil || $0 == $1 }
    }
  }

  /// The key paths of file and folder names; nil matches any key.
  private static let filePlaces: [[String?]] = [
    ["device", "mdm", "profile"], ["device", "declarations"],
    ["devices", nil, "mdm", "profile"], ["devices", nil, "declarations"],
    ["apps", nil, "executable"],
    ["apps", nil, "path"], ["policies", nil, "file"], ["configurations", nil, "file"],
    ["conditionalAccess", nil, "file"], ["servers", nil, "folder"],
  ]
}
