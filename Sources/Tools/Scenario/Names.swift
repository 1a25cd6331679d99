import Encodings

/// The objects of a scenario that steps refer to by name, such as accounts and apps.
struct Names: Sendable {
  var accounts = KnownNames()
  var apps: [AppDefinition] = [] { didSet { index = AppIndex(apps) } }
  private(set) var index = AppIndex([])
  /// The bundle ids from the scenario, keyed by app name. They are available before the apps are read.
  var bundles: [String: String] = [:]
  /// Whether a tenant's export determines the policies and configurations.
  var hasTenant = false
  var policies = KnownNames()
  var configurations = KnownNames()
  var servers = KnownNames()
  var conditionalAccessPolicies = KnownNames()
  /// The names of all devices; empty if the scenario has no `devices`.
  var devices = KnownNames()
  /// For each device or group of identical devices, the names that steps can use there. Empty if the scenario has no
  /// `devices`, or if ``place`` is set.
  var members: [Member] = []
  var memberOfDevice: [String: String] = [:]
  /// The device or group to which all names belong; nil if the names are not limited to a device or group.
  var place: String?
  /// The names of the scenario's apps that only devices other than ``place`` have.
  var appsElsewhere: Set<String> = []
  /// The names of apps with invalid definitions.
  var unreadApps: Set<String> = []
  /// Whether definitions are missing because of errors. If so, an unknown name may belong to a missing definition.
  var isIncomplete = false

  /// A device, or a group of identical devices.
  struct Member: Sendable {
    let name: String
    let names: Names
  }

  func conditionalAccess(_ value: YAMLValue) throws(InputError) -> String {
    try name(value, "conditional access policy", among: conditionalAccessPolicies)
  }

  func policy(_ value: YAMLValue) throws(InputError) -> String {
    try name(value, "policy", among: policies)
  }

  func configuration(_ value: YAMLValue) throws(InputError) -> String {
    try name(value, "configuration", among: configurations)
  }

  func account(_ value: YAMLValue) throws(InputError) -> String {
    try name(value, "account", among: accounts)
  }

  func accounts(_ value: YAMLValue) throws(InputError) -> [String] {
    try names(value, "account", among: accounts)
  }

  /// Reads the name of a single device. A group of identical devices is an error.
  func device(_ value: YAMLValue) throws(InputError) -> String {
    guard !devices.isEmpty else {
      throw value.mistake(
        .unknownName, "there is no other device; state several under `devices`")
    }
    let text = try value.text()
    let alike = devices.inOrder.filter { memberOfDevice[$0] == text }
    if let first = alike.first, first != text {
      throw value.mistake(
        .invalidValue, "`\(text)` stands for \(alike.count) devices; name one, such as `\(first)`")
    }
    return try name(value, "device", among: devices)
  }

  func server(_ value: YAMLValue) throws(InputError) -> String {
    try name(value, "server", among: servers)
  }

  func servers(_ value: YAMLValue) throws(InputError) -> [String] {
    try names(value, "server", among: servers)
  }

  private func name(
    _ value: YAMLValue, _ noun: String, among known: KnownNames
  ) throws(InputError) -> String {
    let name = try value.text()
    guard known.contains(name) || value.isExcused else {
      let hint = Wording.hint(for: name, among: known.inOrder)
      throw unknown(name, value, "no \(noun) is called `\(name)`\(hint)")
    }
    return name
  }

  func unknown(_ name: String, _ value: YAMLValue, _ message: String) -> InputError {
    var mistake = value.mistake(.unknownName, message)
    let app = name.lastIndex(of: "-").map { String(name[..<$0]) }
    mistake.isConsequence =
      isIncomplete || unreadApps.contains(name) || app.map(unreadApps.contains) ?? false
    return mistake
  }

  /// Reads a list of names without duplicates.
  private func names(
    _ value: YAMLValue, _ noun: String, among known: KnownNames
  ) throws(InputError) -> [String] {
    var names = KnownNames()
    for element in try value.sequence() {
      let name = try name(element, noun, among: known)
      guard names.insert(name) else {
        throw element.mistake(.duplicateName, "`\(name)` is named twice")
      }
    }
    return names.inOrder
  }

  /// Returns a mapping's key as the name that it defines. An invalid name is an error.
  static func validated(
    _ member: YAMLValue.Member, naming subject: String
  ) throws(InputError) -> String {
    guard Name.isValid(member.key) else {
      throw InputError(
        .invalidValue, at: member.position,
        "`\(member.key)` cannot name \(subject); use letters, digits, `-` and `_`, a letter first")
    }
    return member.key
  }

  func identity(_ value: YAMLValue) throws(InputError) -> IdentityReference {
    switch try value.text() {
    case "unknown": .unknown
    case "unset": .unset
    default: .account(try account(value))  // open: names of accounts
    }
  }

  func app(_ value: YAMLValue) throws(InputError) -> AppDefinition {
    let name = try value.text()
    guard let app = index[name] else { throw unknownApp(name, value) }
    return app
  }

  /// Reads the name of one guest: an app's name or, if several guests run the app, a name such as `mail-2`.
  func guest(_ value: YAMLValue) throws(InputError) -> String {
    let name = try value.text()
    if value.isExcused || index.app(ofGuest: name) != nil { return name }
    if let app = index[name] {
      throw value.mistake(
        .invalidValue, "`\(name)` stands for \(app.count) guests; name one, such as `\(name)-1`")
    }
    throw unknownApp(name, value)
  }

  /// Reads the name of one guest, or of one or more apps. An app's name stands for all of its guests.
  func sender(_ value: YAMLValue) throws(InputError) -> String {
    let name = try value.text()
    if let parts = try value.expandedNames() {
      for part in parts { _ = try app(part) }
      return name
    }
    return index[name] != nil ? name : try guest(value)
  }

  /// Reads the name of an app or of several apps.
  func apps(_ value: YAMLValue) throws(InputError) -> [AppDefinition] {
    guard let parts = try value.expandedNames() else { return [try app(value)] }
    return try parts.map { part throws(InputError) in try app(part) }
  }

  /// Reads a guest's name or a list of names without duplicates. An app's name stands for all of its guests.
  func guests(_ value: YAMLValue) throws(InputError) -> [String] {
    var guests: [String] = []
    var known: Set<String> = []
    for element in try value.oneOrMore() {
      let named = try named(element)
      for guest in named where !known.insert(guest).inserted {
        throw element.mistake(.duplicateName, "`\(guest)` is named twice")
      }
      guests += named
    }
    return guests
  }

  private func named(_ value: YAMLValue) throws(InputError) -> [String] {
    if let parts = try value.expandedNames() {
      var guests: [String] = []
      for part in parts { guests += try named(part) }
      return guests
    }
    return if let app = index[try value.text()] { app.guests } else { [try guest(value)] }
  }

  /// Reads the name of one guest, or a bundle id. The app with the bundle id need not be on the device.
  func destination(_ value: YAMLValue) throws(InputError) -> String {
    let text = try value.text()
    return Name.isBundleID(text) ? text : try guest(value)
  }

  /// Reads a bundle id. If the value is the name of an app, the error suggests the app's bundle id.
  func bundleID(_ value: YAMLValue) throws(InputError) -> String {
    if case .scalar(let text, _) = value.kind, let bundle = bundles[text] {
      throw value.mistake(
        .invalidValue,
        "`\(text)` is an app's name; expected a bundle id; did you mean `\(bundle)`?")
    }
    return try AppDefinition.bundleID(value)
  }

  /// Reads a bundle id, or a pattern for several bundle ids.
  func bundleIDs(_ value: YAMLValue) throws(InputError) -> [String] {
    guard let parts = try value.expandedNames() else { return [try bundleID(value)] }
    return try parts.map { part throws(InputError) in try bundleID(part) }
  }

  private func unknownApp(_ name: String, _ value: YAMLValue) -> InputError {
    if let place, appsElsewhere.contains(name) {
      return unknown(name, value, "the device `\(place)` has no app `\(name)`")
    }
    return unknown(
      name, value, "no app is called `\(name)`\(Wording.hint(for: name, among: apps.map(\.name)))")
  }
}

// MARK: - Devices

extension Names {
  init(_ scenario: Scenario) {
    var names = Names()
    names.accounts = KnownNames(scenario.accounts.map(\.name))
    names.hasTenant = scenario.tenant != nil
    names.policies = KnownNames(scenario.policies.map(\.name))
    names.apps = scenario.apps
    names.configurations = KnownNames(scenario.configurations.map(\.name))
    names.servers = KnownNames(scenario.servers.map(\.name))
    names.conditionalAccessPolicies = KnownNames(scenario.conditionalAccess.map(\.name))
    names.add(scenario.devices)
    self = names
  }

  mutating func add(_ scenarios: [Scenario]) {
    devices = KnownNames(scenarios.map(\.device.name))
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

  /// Returns the names that steps can use on a device or on a group of identical devices.
  func on(_ value: YAMLValue) throws(InputError) -> (device: String, names: Names) {
    let name = try value.text()
    let all = members.map(\.name)
    guard
      let member = members.first(where: { $0.name == name || $0.name == memberOfDevice[name] })
    else {
      throw unknown(
        name, value, "no device is called `\(name)`\(Wording.hint(for: name, among: all))")
    }
    return (name, member.names)
  }
}

extension DeviceDefinition {
  /// The name by which the scenario defines the device: the name of the device's group or, if there is none, the
  /// device's name.
  fileprivate var member: String { group ?? name }
}

/// Names of one kind, without duplicates.
struct KnownNames: Sendable {
  private(set) var inOrder: [String] = []
  private var all: Set<String> = []

  init(_ names: [String] = []) { for name in names { insert(name) } }

  var isEmpty: Bool { inOrder.isEmpty }

  func contains(_ name: String) -> Bool { all.contains(name) }

  /// Adds a name at the end. Returns false if it is known already.
  @discardableResult
  mutating func insert(_ name: String) -> Bool {
    guard all.insert(name).inserted else { return false }
    inOrder.append(name)
    return true
  }
}

// MARK: - Apps by their guests

struct AccountIndex: Sendable, Equatable {
  let accounts: [AccountDefinition]
  private let places: [String: Int]

  init(_ accounts: [AccountDefinition]) {
    self.accounts = accounts
    places = Dictionary(
      zip(accounts.map(\.name), accounts.indices), uniquingKeysWith: { first, _ in first })
  }

  subscript(name: String) -> AccountDefinition? { places[name].map { accounts[$0] } }
}

/// An index of apps by app name and by guest name.
struct AppIndex: Sendable, Equatable {
  let apps: [AppDefinition]
  private let places: [String: Int]

  init(_ apps: [AppDefinition]) {
    self.apps = apps
    places = Dictionary(
      zip(apps.map(\.name), apps.indices), uniquingKeysWith: { first, _ in first })
  }

  subscript(name: String) -> AppDefinition? { places[name].map { apps[$0] } }

  func app(ofGuest guest: String) -> AppDefinition? {
    if let app = self[guest], app.hasGuest(guest) { return app }
    return crowd(withGuest: guest)
  }

  /// Returns the app that has several guests, including `guest`; nil if there is no such app.
  func crowd(withGuest guest: String) -> AppDefinition? {
    guard let end = guest.lastIndex(of: "-"), let app = self[String(guest[..<end])] else {
      return nil
    }
    return app.hasGuest(guest) ? app : nil
  }
}

// MARK: - Name syntax

/// Syntax checks for names.
package enum Name {
  /// Returns whether the text consists of letters, digits, `-` and `_`, and starts with a letter.
  static func isValid(_ text: String) -> Bool {
    startsWithLetter(text) && text.utf8.allSatisfy { isAlphanumeric($0) || isOne(of: "-_", $0) }
  }

  /// Returns whether the text consists of at least two dot-separated parts of letters, digits and `-`.
  package static func isBundleID(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 1
      && parts.allSatisfy { part in
        !part.isEmpty && part.utf8.allSatisfy { isAlphanumeric($0) || isOne(of: "-", $0) }
      }
  }

  /// Returns `text`. Throws an error if it does not have the form of a uniform type.
  static func uniformType(_ text: String, at position: Position) throws(InputError) -> String {
    guard Name.isBundleID(text) else {
      throw InputError(
        .invalidValue, at: position, "`\(text)` is not a uniform type, such as `public.plain-text`")
    }
    return text
  }

  /// Returns whether the text consists of dot-separated parts of letters, digits and `-`. A part has 1 to 63 bytes and
  /// neither starts nor ends with `-`. The last part must start with a letter. The text may have at most 253 bytes.
  static func isHost(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return text.utf8.count <= 253 && parts.last.map { startsWithLetter(String($0)) } ?? false
      && parts.allSatisfy { part in
        (1...63).contains(part.utf8.count) && part.first != "-" && part.last != "-"
          && part.utf8.allSatisfy { isAlphanumeric($0) || isOne(of: "-", $0) }
      }
  }

  /// Returns whether the text consists of letters and digits and is not empty.
  package static func isTeam(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(isAlphanumeric)
  }

  /// Returns whether the text has exactly one `@`, with text before and after it, and no space.
  static func isUPN(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty && !text.contains(" ")
  }

  /// Returns whether the text is a word in capitals, a `-` and a number, such as `SEND-1`.
  static func isCriterion(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty
      && parts[0].utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
      && parts[1].utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  private static func startsWithLetter(_ text: String) -> Bool {
    text.first.map { $0.isASCII && $0.isLetter } ?? false
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    let character = Character(Unicode.Scalar(byte))
    return character.isASCII && (character.isLetter || character.isNumber)
  }

  private static func isOne(of marks: StaticString, _ byte: UInt8) -> Bool {
    marks.withUTF8Buffer { $0.contains(byte) }
  }
}
