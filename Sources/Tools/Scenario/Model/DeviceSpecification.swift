package import Model

/// The device that every case of a scenario begins with.
package struct DeviceSpecification: Sendable, Equatable {
  /// The identifier of the device in tags and the journal.
  package var name: String
  /// The name that the device has together with others that are alike; nil: it is alone.
  package var group: String?
  /// The time of the virtual clock at first, in seconds since 1970-01-01T00:00:00Z.
  package var time: Int
  /// Whether the virtual clock begins with the machine's time when the device comes up, whatever ``time`` is.
  package var beginsNow = false
  package var seed: UInt64
  /// The place among several devices, from 0: each draws random numbers of its own.
  package var ordinal = 0
  /// Whether an MDM manages the device.
  package var isMDMEnrolled: Bool
  package var isSupervised = false
  /// The path of a `.mobileconfig` with the MDM's restrictions, as written: relative to the scenario file; nil: none.
  package var profile: String?
  /// Whether the MDM profile has AirDrop count as an unmanaged destination (`forceAirDropUnmanaged`); nil: as ``profile`` states.
  package var forcesAirDropUnmanaged: Bool?
  /// Whether the MDM profile allows Handoff (`allowActivityContinuation`); nil: as ``profile`` states.
  package var allowsActivityContinuation: Bool?
  /// The Apple Account that the user is signed in to; nil: none.
  package var appleAccount: String?
  /// Whether the user has Handoff on.
  package var isHandoffOn = true
  /// The number of apps that stay in memory while they are not in use; nil: all do. Where it is stated, an app that does not run is
  /// launched when a step addresses it.
  package var appsInMemory: Int?
  /// Whether `isFileEncryptionRequired` is true where a policy asks for encryption, which is contested.
  package var isFileEncryptionRequired = false
  /// The restrictions that the scenario itself states; they take precedence over those of the profile.
  package var restrictions: [Restriction: Bool]
  /// The path of a folder of declarations, as written: relative to the scenario file; nil: none.
  package var declarations: String?
  /// The condition of the device at first, for conditional launch: changes to a device without fault.
  package var conditions: ConditionChange
  /// The treatment of questions that policies have for the user: answered at once and rightly, or asked until a step
  /// `unlock`.
  package var prompts: Prompts

  /// The state of the service that enrolls accounts; nil: it answers at once, and nothing is wrong.
  package var service: ServiceChange?
  /// The language of the users.
  package var language = Language.english

  /// A language of users.
  package enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case french = "fr"
  }
  /// Whether the journal records the telemetry that the SDK would send to Microsoft.
  package var recordsTelemetry = false
  /// The device's entry in Microsoft Entra's directory.
  package var directory = DirectoryEntry()
  /// The values of tokens of app configurations, by the tokens' names, such as `serialnumber`.
  package var tokens: [String: String] = [:]

  /// A restriction of an MDM profile that rules read, by its key in profiles.
  package enum Restriction: String, Sendable, CaseIterable {
    case allowOpenFromManagedToUnmanaged, allowOpenFromUnmanagedToManaged, requireManagedPasteboard
    case allowManagedToWriteUnmanagedContacts, allowUnmanagedToReadManagedContacts
    case allowScreenShot, allowWritingTools, allowGenmoji
  }

  /// The treatment of questions that policies have for the user.
  package enum Prompts: String, Sendable, CaseIterable {
    case answered, asked
  }

  /// Creates the specification of a device; by default, an unenrolled iPhone on New Year's Day 2026.
  package init(
    name: String = "iPhone", time: Int = 1_767_225_600, seed: UInt64 = 1,
    isMDMEnrolled: Bool = false, profile: String? = nil, restrictions: [Restriction: Bool] = [:],
    conditions: ConditionChange = ConditionChange(), prompts: Prompts = .answered
  ) {
    self.name = name
    self.time = time
    self.seed = seed
    self.isMDMEnrolled = isMDMEnrolled
    self.profile = profile
    self.restrictions = restrictions
    self.conditions = conditions
    self.prompts = prompts
  }
}

// MARK: - Reading

extension DeviceSpecification {
  enum Key: String, CaseIterable {
    case name, time, seed, mdm, prompts, service, language, declarations
    case osVersion, model, jailbroken, threatLevel, pin, biometrics, online
    case tokens, telemetry, directory, appleAccount, handoff, appsInMemory
    case isFileEncryptionRequired
  }

  enum MDMKey: String, CaseIterable {
    case enrolled, supervised, profile
    case allowOpenFromManagedToUnmanaged, allowOpenFromUnmanagedToManaged, requireManagedPasteboard
    case allowManagedToWriteUnmanagedContacts, allowUnmanagedToReadManagedContacts
    case allowScreenShot, allowWritingTools, allowGenmoji
    case forceAirDropUnmanaged, allowActivityContinuation
  }

  /// Reads a device; nil is a device without properties of its own.
  ///
  /// - Parameter others: keys that the caller has taken out, for suggestions.
  init(_ value: YAMLValue?, _ names: Names, others: [String] = []) throws(Mistake) {
    self.init()
    guard let value else { return }
    let fields = try Fields<Key>(value, "a device", others: others)
    if let value = fields[.name] {
      name = try value.text()
      guard Name.isValid(name) else {
        throw value.mistake(
          .invalidValue,
          "`\(name)` cannot name a device; use letters, digits, `-` and `_`, a letter first")
      }
    }
    if let value = fields[.time] {
      beginsNow = try value.text() == "now"
      if !beginsNow { time = try Self.time(value) }
    }
    if let value = fields[.seed] { seed = UInt64(try value.int(in: 0 ... .max)) }
    if let value = fields[.prompts] { prompts = try value.word() }
    if let value = fields[.service] { service = try ServiceChange(value, names) }
    if let value = fields[.language] { language = try value.word() }
    conditions = try ConditionChange(
      osVersion: fields[.osVersion], model: fields[.model], jailbroken: fields[.jailbroken],
      threatLevel: fields[.threatLevel], pin: fields[.pin], biometrics: fields[.biometrics],
      online: fields[.online])
    for member in try fields[.tokens]?.mapping() ?? [] {
      tokens[member.key] = try Self.token(member)
    }
    if let value = fields[.directory] { directory = try DirectoryEntry(value) }
    if let value = fields[.telemetry] { recordsTelemetry = try value.bool() }
    appleAccount = try fields[.appleAccount]?.text()
    if let value = fields[.handoff] { isHandoffOn = try value.bool() }
    if let value = fields[.isFileEncryptionRequired] { isFileEncryptionRequired = try value.bool() }
    appsInMemory = try fields[.appsInMemory]?.int(in: 1...1_000)
    declarations = try fields[.declarations]?.text()
    if let value = fields[.mdm] { try read(mdm: value) }
    guard let value = fields[.declarations], !isMDMEnrolled else { return }
    throw value.mistake(
      .conflictingKeys, "a device with `declarations` needs `mdm: { enrolled: true }`")
  }

  private mutating func read(mdm value: YAMLValue) throws(Mistake) {
    let mdm = try Fields<MDMKey>(value, "the key `mdm`")
    isMDMEnrolled = try mdm.required(.enrolled).bool()
    if let value = mdm[.supervised] {
      isSupervised = try value.bool()
      guard !isSupervised || isMDMEnrolled else {
        throw value.mistake(.conflictingKeys, "only a device with `enrolled: true` is supervised")
      }
    }
    profile = try mdm[.profile]?.text()
    forcesAirDropUnmanaged = try mdm[.forceAirDropUnmanaged]?.bool()
    allowsActivityContinuation = try mdm[.allowActivityContinuation]?.bool()
    for key in MDMKey.allCases {
      guard let value = mdm[key], let restriction = Restriction(rawValue: key.rawValue) else {
        continue
      }
      restrictions[restriction] = try value.bool()
    }
  }

  /// The names of the service's tokens whose values neither account nor clock states.
  private static let tokens = [
    "aaddeviceid", "accountid", "deviceid", "onpremisessamaccountname", "serialnumber",
    "signeddeviceid", "udidlast4digits", "username",
  ]

  private static func token(_ member: YAMLValue.Member) throws(Mistake) -> String {
    guard tokens.contains(member.key) else {
      throw Mistake(
        .unknownKey, at: member.position,
        "the key `tokens` has no key `\(member.key)`"
          + Wording.hint(for: member.key, among: tokens))
    }
    return try member.value.text()
  }

  private static func time(_ value: YAMLValue) throws(Mistake) -> Int {
    let text = try value.text()
    guard let seconds = Timestamp.seconds(text) else {
      throw value.mistake(
        .invalidValue, "`time` must read like `2026-01-01T09:00:00Z`, or `now`, found `\(text)`")
    }
    return seconds
  }
}

extension DirectoryEntry {
  static let registered = "registered"
  static let keys = [registered] + DirectoryAttribute.allCases.map(\.rawValue)

  init(_ value: YAMLValue) throws(Mistake) {
    self.init()
    for member in try value.mapping() {
      guard member.key != Self.registered else {
        isRegistered = try member.value.bool()
        continue
      }
      guard let attribute = DirectoryAttribute(rawValue: member.key) else {
        throw Mistake(
          .unknownKey, at: member.position,
          "the key `directory` has no key `\(member.key)`"
            + Wording.hint(for: member.key, among: Self.keys))
      }
      attributes[attribute] =
        if attribute == .isCompliant {
          [try member.value.bool() ? "True" : "False"]
        } else {
          switch attribute.kind {
          case .collection: try member.value.texts()
          case .identifier, .word, .text: [try member.value.text()]
          }
        }
    }
    guard isRegistered == false, !attributes.isEmpty else { return }
    throw value.mistake(
      .conflictingKeys, "the directory has no attributes of a device that is not registered")
  }
}

// MARK: - Several devices

/// One of several devices of a scenario, or so many that are alike.
struct DeviceMember {
  var device: DeviceSpecification
  /// The apps of the file that the device has, with the accounts that are signed in there.
  var apps: [AppSpecification]
  /// The number of devices that are alike.
  var count = 1

  enum Key: String, CaseIterable {
    case apps, count
  }

  /// The most devices that can be alike.
  private static let mostDevices = 10_000

  enum AppKey: String, CaseIterable {
    case signedIn
  }

  /// Reads the devices of a file, by their names.
  static func readAll(_ value: YAMLValue, _ names: Names) throws(Mistake) -> [DeviceMember] {
    let members = try value.mapping()
    guard !members.isEmpty else {
      throw value.mistake(.missingKey, "`devices` needs at least one device")
    }
    var devices: [DeviceMember] = []
    var known: [String: String] = [:]
    for member in members {
      let device = try DeviceMember(member, names)
      for name in device.names + [device.device.name] {
        guard known.updateValue(member.key, forKey: name) ?? member.key == member.key else {
          throw Mistake(
            .duplicateName, at: member.position, "two devices are called `\(name)`")
        }
      }
      devices.append(device)
      if let first = devices.first { try device.checkClock(with: first, member) }
    }
    return devices
  }

  /// - Throws: ``Mistake`` where the clock of the device does not begin with that of the first one.
  private func checkClock(
    with first: DeviceMember, _ member: YAMLValue.Member
  ) throws(Mistake) {
    guard device.time != first.device.time || device.beginsNow != first.device.beginsNow else {
      return
    }
    throw Mistake(
      .conflictingKeys, at: member.position,
      "all devices have one clock, and `time` of `\(device.name)` is another one than that of `\(first.device.name)`"
    )
  }

  /// The names of the devices: that of the member, or with a count above 1, `phone-1`, `phone-2`, ….
  private var names: [String] {
    count == 1 ? [device.name] : (1...count).map { "\(device.name)-\($0)" }
  }

  private init(_ member: YAMLValue.Member, _ names: Names) throws(Mistake) {
    let name = try Names.validated(member, naming: "a device")
    // A device whose apps are all of the file's needs to state nothing.
    let keys = member.value.isEmpty ? [] : try member.value.mapping()
    if let key = keys.first(where: { $0.key == DeviceSpecification.Key.name.rawValue }) {
      throw Mistake(
        .conflictingKeys, at: key.position, "the name of the device is `\(name)`; leave `name` out")
    }
    var rest = member.value
    rest.kind = .mapping(keys.filter { Key(rawValue: $0.key) == nil })
    device = try DeviceSpecification(rest, names, others: Key.allCases.map(\.rawValue))
    device.name = name
    apps = names.apps
    if let value = keys.first(where: { $0.key == Key.count.rawValue })?.value {
      count = try value.int(in: 1...Self.mostDevices)
    }
    guard let listed = keys.first(where: { $0.key == Key.apps.rawValue }) else { return }
    apps = try Self.apps(listed.value, names)
  }

  /// The apps that a device has: their names, or a mapping of them to what is other on it.
  private static func apps(
    _ value: YAMLValue, _ names: Names
  ) throws(Mistake) -> [AppSpecification] {
    var apps: [AppSpecification] = []
    func add(_ app: AppSpecification, at value: YAMLValue) throws(Mistake) {
      guard !apps.contains(where: { $0.name == app.name }) else {
        throw value.mistake(.duplicateName, "`\(app.name)` is named twice")
      }
      apps.append(app)
    }
    if case .mapping(let members) = value.kind {
      for member in members {
        var name = member.value
        name.kind = .scalar(member.key, isPlain: true)
        name.position = member.position
        var app = try names.app(name)
        if !member.value.isEmpty {
          let fields = try Fields<AppKey>(member.value, "the app `\(app.name)` of a device")
          if let value = fields[.signedIn] { app.signedIn = try names.accounts(value) }
        }
        try add(app, at: name)
      }
    } else {
      for element in try value.sequence() { try add(names.app(element), at: element) }
    }
    for app in apps {
      guard let container = app.containingApp, !apps.contains(where: { $0.name == container })
      else { continue }
      throw value.mistake(
        .missingKey, "`\(app.name)` is in the app `\(container)`, which the device has not")
    }
    return apps
  }

  /// The scenario as each of the devices sees it.
  func scenarios(within whole: Scenario) -> [Scenario] {
    names.map { name in
      var scenario = whole
      scenario.apps = apps
      scenario.device = device
      guard count > 1 else { return scenario }
      scenario.device.name = name
      scenario.device.group = device.name
      return scenario
    }
  }
}

// MARK: - Links between devices

/// The way between the devices of a scenario.
package struct LinkSpecification: Sendable, Equatable {
  /// The seconds of the virtual clock that what passes from one device to another takes; 0: it is there at once.
  package var latency = 0

  /// Creates a way that takes no time.
  package init() {}
}

extension LinkSpecification {
  enum Key: String, CaseIterable {
    case latency
  }

  /// Reads the way between devices; nil is one that takes no time.
  init(_ value: YAMLValue?) throws(Mistake) {
    self.init()
    guard let value else { return }
    let fields = try Fields<Key>(value, "the key `links`")
    latency = try Action.Advance.seconds(fields.required(.latency))
  }
}
