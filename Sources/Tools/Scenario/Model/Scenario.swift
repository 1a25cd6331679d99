package import Encodings

/// A scenario file. It defines accounts, policies, apps, one or more devices, and the cases to run on them.
///
/// Every case runs on new devices.
package struct Scenario: Sendable, Equatable {
  /// The file name as the user entered it.
  package var file: String
  /// Whether a command wrote the scenario. If so, messages must not refer to the scenario.
  package var isBuiltIn = false
  /// The name of the suite in reports.
  package var name: String
  package var device = DeviceDefinition()
  /// The accounts in file order, like all lists of a scenario.
  package var accounts: [AccountDefinition] {
    get { accountIndex.accounts }
    set { accountIndex = AccountIndex(newValue) }
  }
  private var accountIndex: AccountIndex
  /// The path of a tenant's export folder, relative to the scenario file. The export states all policies,
  /// configurations and assignments. Nil if the scenario states them itself.
  package var tenant: String?
  package var policies: [PolicyDefinition] = []
  package var conditionalAccess: [ConditionalAccessDefinition] = []
  package var configurations: [ConfigurationDefinition] = []
  package var servers: [ServerDefinition] = []
  package var apps: [AppDefinition] {
    get { appIndex.apps }
    set { appIndex = AppIndex(newValue) }
  }
  private(set) var appIndex: AppIndex
  /// If there are several devices, a scenario for each device, with only the device's properties and apps, and no
  /// cases. Empty if ``device`` is the only device.
  package var devices: [Scenario] = []
  package var links = LinkDefinition()
  /// The cases. There is at least one.
  package var cases: [Case]
  /// The position of each file name in the scenario, keyed by path as written.
  package var filePositions: [String: Position] = [:]

  /// The maximum number of values in a scenario's lists and mappings.
  package static let mostValues = 1_000_000

  init(
    file: String, name: String, device: DeviceDefinition = DeviceDefinition(),
    accounts: [AccountDefinition] = [], policies: [PolicyDefinition] = [],
    apps: [AppDefinition] = [], cases: [Case]
  ) {
    self.file = file
    self.name = name
    self.device = device
    self.policies = policies
    self.cases = cases
    accountIndex = AccountIndex(accounts)
    appIndex = AppIndex(apps)
  }

  package func account(named name: String) -> AccountDefinition? {
    accountIndex[name]
  }

  package func app(named name: String) -> AppDefinition? { appIndex[name] }

  package func app(ofGuest guest: String) -> AppDefinition? {
    appIndex.app(ofGuest: guest)
  }
}

// MARK: - Reading

extension Scenario {
  enum Key: String, FieldKey {
    case name, device, devices, links, accounts, tenant, policies, configurations,
      conditionalAccess, servers, apps, cases, steps

    static let synonyms: [String: Key] = [
      "title": .name, "phone": .device, "phones": .devices, "users": .accounts,
      "identities": .accounts, "applications": .apps, "guests": .apps, "policy": .policies,
      "protection": .policies, "appconfigurations": .configurations, "tests": .cases,
      "scenarios": .cases, "scenario": .cases, "actions": .steps, "export": .tenant,
      "exports": .tenant,
    ]

    /// The keys of the scenario's mappings that define names, such as `accounts`.
    static let definitions: [Key] = [
      .accounts, .policies, .configurations, .conditionalAccess, .servers, .apps,
    ]
  }

  /// Reads a scenario from YAML text.
  ///
  /// - Parameter file: The file name for messages. Its stem is the suite name if the text does not state one.
  /// - Throws: ``ScenarioErrors`` with all errors in the file.
  package static func read(_ text: String, file: String) throws(ScenarioErrors) -> Scenario {
    do throws(InputError) {
      var errors = InputErrorCollector()
      let value = try YAMLReader.read(text, collecting: &errors)
      return try Scenario(value, file: file, collecting: errors)
    } catch {
      throw ScenarioErrors(error, file: file)
    }
  }

  /// Reads the parts of a scenario in order. Each part can refer to the names that earlier parts define.
  ///
  /// - Parameter errors: The errors that have already been found in the file.
  private init(
    _ value: YAMLValue, file: String, collecting errors: InputErrorCollector
  ) throws(InputError) {
    var errors = errors
    let before = errors.found.count
    let value = value.expandingApps(collecting: &errors)
    let lacksApps = errors.found.count > before
    let fields = try Fields<Key>(value, "a scenario", collecting: &errors)
    let name = errors.read { () throws(InputError) in try fields[.name]?.text() } ?? nil
    self.init(file: file, name: name ?? Scenario.stem(of: file), cases: [])
    filePositions = Scenario.filePositions(in: value)
    var names = Names()
    names.isIncomplete =
      lacksApps || fields.hasUnknownKeys
      || Key.definitions.contains { fields[$0]?.isMapping == false }
    names.bundles = Scenario.bundles(fields[.apps])
    names.servers = Scenario.names(in: fields[.servers])
    names.accounts = Scenario.names(in: fields[.accounts])
    names.policies = Scenario.names(in: fields[.policies])
    names.configurations = Scenario.names(in: fields[.configurations])
    names.conditionalAccessPolicies = Scenario.names(in: fields[.conditionalAccess])
    accounts =
      errors.read { () throws(InputError) in
        try AccountDefinition.readAll(fields[.accounts])
      } ?? []
    readTenant(fields, &errors)
    names.hasTenant = fields[.tenant] != nil
    policies =
      errors.read { () throws(InputError) in
        try PolicyDefinition.readAll(fields[.policies], names)
      } ?? []
    conditionalAccess =
      errors.read { () throws(InputError) in
        try ConditionalAccessDefinition.readAll(fields[.conditionalAccess], names)
      } ?? []
    configurations =
      errors.read { () throws(InputError) in
        try ConfigurationDefinition.readAll(fields[.configurations], names)
      } ?? []
    servers =
      errors.read { () throws(InputError) in
        try ServerDefinition.readAll(fields[.servers])
      } ?? []
    apps = AppDefinition.readAll(fields[.apps], names, collecting: &errors)
    names.apps = apps
    names.unreadApps = Set(Scenario.names(in: fields[.apps]).inOrder).subtracting(apps.map(\.name))
    try readDevices(fields, &names, &errors)
    cases =
      errors.read { () throws(InputError) in
        try Scenario.cases(fields, name: self.name, names)
      } ?? []
    try errors.finish()
  }

  /// Reads the path of the tenant's export. With an export, the scenario must not state policies or configurations
  /// itself.
  private mutating func readTenant(_ fields: Fields<Key>, _ errors: inout InputErrorCollector) {
    guard let value = fields[.tenant] else {
      for account in accounts where account.groups != nil {
        errors.add(
          InputError(
            .conflictingKeys, at: account.position,
            "`groups` of the account `\(account.name)` requires `tenant`, which defines the groups")
        )
      }
      return
    }
    for key in [Key.policies, .configurations, .conditionalAccess] {
      errors.read { () throws(InputError) in try fields.rejectConflict(key, with: .tenant) }
    }
    tenant = errors.read { () throws(InputError) in try value.text() }
    if let tenant { filePositions[tenant] = value.position }
  }

  /// Reads the device or devices, and the links between them. Adds the names of devices to `names`.
  ///
  /// - Throws: The collected errors if one of several devices has an error, because every step depends on the devices.
  private mutating func readDevices(
    _ fields: Fields<Key>, _ names: inout Names, _ errors: inout InputErrorCollector
  ) throws(InputError) {
    let known = names
    device =
      errors.read { () throws(InputError) in
        guard let value = fields[.device] else { return DeviceDefinition() }
        return try value.readAllParts { value throws(InputError) in
          try DeviceDefinition(value, known)
        }
      } ?? DeviceDefinition()
    errors.read { () throws(InputError) in try fields.rejectConflict(.devices, with: .device) }
    if let value = fields[.links], fields[.devices] == nil {
      errors.add(
        value.mistake(.conflictingKeys, "`links` needs `devices`"))
    }
    links =
      errors.read { () throws(InputError) in try LinkDefinition(fields[.links]) }
      ?? LinkDefinition()
    guard let value = fields[.devices] else { return }
    let members = errors.read { () throws(InputError) in
      try DeviceMember.readAll(value, known)
    }
    guard let members else { throw errors.combined }
    devices = members.flatMap { $0.scenarios(within: self) }
    for index in devices.indices { devices[index].device.ordinal = index }
    names.add(devices)
  }

  /// Returns the names that a mapping defines, including names with invalid definitions.
  private static func names(in definitions: YAMLValue?) -> KnownNames {
    KnownNames(definitions?.members.map(\.key) ?? [])
  }

  /// Returns the bundle ids in the scenario, keyed by app name.
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

  /// The keys in a scenario that have the path of a file or folder as their value.
  package static let fileKeys: Set = [
    "file", "path", "executable", "profile", "declarations", "folder", "tenant",
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
  ) throws(InputError) -> [Case] {
    try fields.rejectConflict(.steps, with: .cases)
    if let steps = fields[.steps] {
      let position = fields.position(of: .steps)
      return [Case(position: position, name: name, steps: try Step.readAll(steps, names))]
    }
    return try Case.readAll(fields.required(.cases), names)
  }

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
  /// The names of the apps that a developer's own app replaces, one at a time. If empty, the app
  /// that starts first is replaced.
  package var underTest: [String]
  /// The steps. There is at least one.
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
  enum Key: String, FieldKey {
    case name, criterion, underTest, steps

    static let synonyms: [String: Key] = [
      "title": .name, "case": .name, "test": .name, "actions": .steps, "app": .underTest,
    ]
  }

  static func readAll(_ value: YAMLValue, _ names: Names) throws(InputError) -> [Case] {
    let elements = try value.sequence()
    guard !elements.isEmpty else {
      throw value.mistake(.missingKey, "a scenario needs at least one case")
    }
    var known: Set<String> = []
    return try elements.readEach { element throws(InputError) in
      let next = try Case(element, names)
      guard known.insert(next.name).inserted else {
        throw element.mistake(.duplicateName, "two cases are called `\(next.name)`")
      }
      return next
    }
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    var errors = InputErrorCollector()
    let fields = try Fields<Key>(value, "a case", collecting: &errors)
    let criterion = errors.read { () throws(InputError) in try Self.criterion(fields[.criterion]) }
    let name = errors.read { () throws(InputError) in try fields.required(.name).text() }
    let apps = errors.read { () throws(InputError) in
      try Self.appsUnderTest(fields[.underTest], names)
    }
    let steps = errors.read { () throws(InputError) in
      try Step.readAll(fields.required(.steps), names)
    }
    try errors.finish()
    guard let name, let apps, let steps else { throw errors.combined }
    self.init(
      position: fields.position, name: name, criterion: criterion ?? nil, underTest: apps,
      steps: steps)
  }

  private static func criterion(_ value: YAMLValue?) throws(InputError) -> String? {
    guard let value else { return nil }
    let criterion = try value.text()
    guard Name.isCriterion(criterion) else {
      throw value.mistake(
        .invalidValue, "`criterion` must have the form `SEND-1`, found `\(criterion)`")
    }
    return criterion
  }

  private static func appsUnderTest(
    _ value: YAMLValue?, _ names: Names
  ) throws(InputError) -> [String] {
    var apps: [String] = []
    for element in try value?.oneOrMore() ?? [] {
      let app = try names.app(element)
      guard app.extensionKind == nil else {
        throw element.mistake(
          .invalidValue, "`\(app.name)` is an extension; `underTest` must name apps")
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
  /// Returns whether two scenario texts are equal apart from their cases. Returns false if a text is not valid YAML.
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

  private static func namesFile(_ place: [String]) -> Bool {
    filePlaces.contains { known in
      known.count == place.count && zip(known, place).allSatisfy { $0 == nil || $0 == $1 }
    }
  }

  /// The key paths of values that name files and folders. A nil key matches any key.
  private static let filePlaces: [[String?]] = [
    ["device", "mdm", "profile"], ["device", "declarations"],
    ["devices", nil, "mdm", "profile"], ["devices", nil, "declarations"],
    ["tenant"], ["apps", nil, "executable"], ["apps", nil, "path"], ["policies", nil, "file"],
    ["configurations", nil, "file"],
    ["conditionalAccess", nil, "file"], ["servers", nil, "folder"],
  ]
}
