import JSON

/// The accounts and apps of a file, to which its other parts refer by name.
struct Names: Sendable {
  var accounts: [String] = []
  var apps: [AppSpecification] = [] { didSet { index = AppIndex(apps) } }
  private(set) var index = AppIndex([])
  /// The bundle ids that apps of the file state, by the apps' names; also before the apps are read.
  var bundles: [String: String] = [:]
  var policies: [String] = []
  var configurations: [String] = []
  var servers: [String] = []
  var conditionalAccessPolicies: [String] = []
  /// The names of all devices; empty where there is one, which needs no name.
  var devices: [String] = []
  /// What steps can name on each of several devices, or on those that are alike; empty: there is one device, or ``place`` is
  /// the one that is meant.
  var members: [Member] = []
  /// The member that each device belongs to, by the device's name.
  var memberOfDevice: [String: String] = [:]
  /// The name of the device, or of those that are alike, that all names are for; nil: of no single one.
  var place: String?
  /// The apps of the file that the device has not.
  var appsElsewhere: Set<String> = []

  /// A device, or several that are alike.
  struct Member: Sendable {
    /// The device's name, or that of all that are alike.
    let name: String
    let names: Names
  }

  func conditionalAccess(_ value: YAMLValue) throws(Mistake) -> String {
    try name(value, "conditional access policy", among: conditionalAccessPolicies)
  }

  func policy(_ value: YAMLValue) throws(Mistake) -> String {
    try name(value, "policy", among: policies)
  }

  func configuration(_ value: YAMLValue) throws(Mistake) -> String {
    try name(value, "configuration", among: configurations)
  }

  func account(_ value: YAMLValue) throws(Mistake) -> String {
    try name(value, "account", among: accounts)
  }

  func accounts(_ value: YAMLValue) throws(Mistake) -> [String] {
    try names(value, "account", among: accounts)
  }

  /// The name of another device.
  func device(_ value: YAMLValue) throws(Mistake) -> String {
    guard !devices.isEmpty else {
      throw value.mistake(
        .unknownName, "there is no other device; state several under `devices`")
    }
    let text = try value.text()
    let alike = devices.filter { memberOfDevice[$0] == text }
    if let first = alike.first, first != text {
      throw value.mistake(
        .invalidValue, "`\(text)` is \(alike.count) devices; name one, such as `\(first)`")
    }
    return try name(value, "device", among: devices)
  }

  func server(_ value: YAMLValue) throws(Mistake) -> String {
    try name(value, "server", among: servers)
  }

  func servers(_ value: YAMLValue) throws(Mistake) -> [String] {
    try names(value, "server", among: servers)
  }

  private func name(
    _ value: YAMLValue, _ noun: String, among known: [String]
  ) throws(Mistake) -> String {
    let name = try value.text()
    guard known.contains(name) else {
      throw value.mistake(
        .unknownName, "no \(noun) is called `\(name)`\(Wording.hint(for: name, among: known))")
    }
    return name
  }

  /// The names in a list, none of which stands there twice.
  private func names(
    _ value: YAMLValue, _ noun: String, among known: [String]
  ) throws(Mistake) -> [String] {
    var names: [String] = []
    for element in try value.sequence() {
      let name = try name(element, noun, among: known)
      guard !names.contains(name) else {
        throw element.mistake(.duplicateName, "`\(name)` is named twice")
      }
      names.append(name)
    }
    return names
  }

  /// The name that a mapping's key gives to its value.
  static func validated(
    _ member: YAMLValue.Member, naming subject: String
  ) throws(Mistake) -> String {
    guard Name.isValid(member.key) else {
      throw Mistake(
        .invalidValue, at: member.position,
        "`\(member.key)` cannot name \(subject); use letters, digits, `-` and `_`, a letter first")
    }
    return member.key
  }

  func identity(_ value: YAMLValue) throws(Mistake) -> IdentityReference {
    switch try value.text() {
    case "unknown": .unknown
    case "unset": .unset
    default: .account(try account(value))  // open: names of accounts
    }
  }

  func app(_ value: YAMLValue) throws(Mistake) -> AppSpecification {
    let name = try value.text()
    guard let app = index[name] else { throw unknownApp(name, value) }
    return app
  }

  /// The name of one guest: an app by its name or, where several guests run it, one of them, such as `mail-2`.
  func guest(_ value: YAMLValue) throws(Mistake) -> String {
    let name = try value.text()
    if index.app(ofGuest: name) != nil { return name }
    if let app = index[name] {
      throw value.mistake(
        .invalidValue, "`\(name)` is \(app.count) guests; name one, such as `\(name)-1`")
    }
    throw unknownApp(name, value)
  }

  /// The name of one guest, or of an app for every guest that runs it.
  func sender(_ value: YAMLValue) throws(Mistake) -> String {
    let name = try value.text()
    return index[name] != nil ? name : try guest(value)
  }

  /// The names in a guest's name or a list, each once; the name of an app stands for every guest that runs it.
  func guests(_ value: YAMLValue) throws(Mistake) -> [String] {
    var guests: [String] = []
    var known: Set<String> = []
    for element in try value.oneOrMore() {
      let name = try element.text()
      let named = if let app = index[name] { app.guests } else { [try guest(element)] }
      for guest in named where !known.insert(guest).inserted {
        throw element.mistake(.duplicateName, "`\(guest)` is named twice")
      }
      guests += named
    }
    return guests
  }

  /// The name of one guest, or a bundle id, which need not be on the device.
  func destination(_ value: YAMLValue) throws(Mistake) -> String {
    let text = try value.text()
    return Name.isBundleID(text) ? text : try guest(value)
  }

  /// A bundle id, in a place where the name of an app is often written.
  func bundleID(_ value: YAMLValue) throws(Mistake) -> String {
    if case .scalar(let text, _) = value.kind, let bundle = bundles[text] {
      throw value.mistake(
        .invalidValue,
        "`\(text)` is the name of an app, and a bundle id is needed; did you mean `\(bundle)`?")
    }
    return try AppSpecification.bundleID(value)
  }

  private func unknownApp(_ name: String, _ value: YAMLValue) -> Mistake {
    if let place, appsElsewhere.contains(name) {
      return value.mistake(.unknownName, "the device `\(place)` has no app `\(name)`")
    }
    return value.mistake(
      .unknownName,
      "no app is called `\(name)`\(Wording.hint(for: name, among: apps.map(\.name)))")
  }
}
