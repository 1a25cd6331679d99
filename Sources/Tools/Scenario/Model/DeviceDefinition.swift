package import Model

/// The initial device of every case in a scenario: by default, an unenrolled iPhone on 1 January 2026.
package struct DeviceDefinition: Sendable, Equatable {
  /// The device's identifier in tags and the journal.
  package var name = "iPhone"
  /// The name of the group of identical devices to which the device belongs; nil for a single device.
  package var group: String?
  /// The initial time of the virtual clock, in seconds since 1970-01-01T00:00:00Z.
  package var time = 1_767_225_600
  /// Whether the virtual clock starts at the machine's time instead of ``time``.
  package var beginsNow = false
  package var seed: UInt64 = 1
  /// The device's index, from 0. Devices with different indices have different random numbers.
  package var ordinal = 0
  package var isMDMEnrolled = false
  package var isSupervised = false
  /// Whether Intune is the device's MDM. If so, Intune adds the enrolled user to the configurations of some apps.
  package var isManagedByIntune = false
  /// The path of a `.mobileconfig` file with MDM restrictions, relative to the scenario file; nil if there is none.
  package var profile: String?
  /// Whether the MDM profile treats AirDrop as an unmanaged destination (`forceAirDropUnmanaged`);
  /// nil for the value in ``profile``.
  package var forcesAirDropUnmanaged: Bool?
  /// Whether the MDM profile allows Handoff (`allowActivityContinuation`); nil for the value in ``profile``.
  package var allowsActivityContinuation: Bool?
  /// The user's Apple Account; nil if the user is not signed in to one.
  package var appleAccount: String?
  /// Whether the user has enabled Handoff.
  package var isHandoffOn = true
  /// The maximum number of apps in memory; nil for no limit. If there is a limit, a step for an app that is not running
  /// launches the app.
  package var appsInMemory: Int?
  /// The maximum number of extensions that run at the same time; further extensions wait. Nil for the device's default.
  package var extensionsAtOnce: Int?
  /// Whether the SDK's `isFileEncryptionRequired` returns true if a policy requires encryption. The setting exists
  /// because the real behaviour is disputed.
  package var isFileEncryptionRequired = false
  /// The restrictions that the scenario states. They override the profile's restrictions.
  package var restrictions: [Restriction: Bool] = [:]
  /// The path of a folder of declarations, relative to the scenario file; nil if there is none.
  package var declarations: String?
  /// The device's initial state for conditional launch, as differences from a device that meets every condition.
  package var conditions = ConditionChange()
  /// The handling of policy prompts: they are answered immediately and correctly, or stay open until an `unlock` step.
  package var prompts: Prompts = .answered

  /// The initial state of the enrollment service; nil if it answers immediately and without errors.
  package var service: ServiceChange?
  package var language = Language.english

  package enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case french = "fr"
  }
  /// Whether the journal records the telemetry that the SDK would send to Microsoft.
  package var recordsTelemetry = false
  /// The device's entry in the Microsoft Entra directory.
  package var directory = DirectoryEntry()
  /// The values of app configuration tokens, keyed by token name, such as `serialnumber`.
  package var tokens: [String: String] = [:]

  /// An MDM restriction that rules read. The raw value is the restriction's key in profiles.
  package enum Restriction: String, Sendable, CaseIterable {
    case allowOpenFromManagedToUnmanaged, allowOpenFromUnmanagedToManaged, requireManagedPasteboard
    case allowManagedToWriteUnmanagedContacts, allowUnmanagedToReadManagedContacts
    case allowScreenShot, allowWritingTools, allowGenmoji
  }

  package enum Prompts: String, Sendable, CaseIterable {
    case answered, asked
  }
}

// MARK: - Reading

extension DeviceDefinition {
  enum Key: String, FieldKey {
    case name, time, seed, mdm, prompts, service, language, declarations
    case osVersion, model, jailbroken, threatLevel, pin, biometrics, online
    case tokens, telemetry, directory, appleAccount, handoff, appsInMemory, extensionsAtOnce
    case isFileEncryptionRequired

    static let synonyms: [String: Key] = [
      "os": .osVersion, "ios": .osVersion, "iosversion": .osVersion, "version": .osVersion,
      "jailbreak": .jailbroken, "rooted": .jailbroken, "passcode": .pin, "faceid": .biometrics,
      "touchid": .biometrics, "offline": .online, "network": .online, "clock": .time, "date": .time,
      "locale": .language, "enrolled": .mdm, "supervised": .mdm, "profile": .mdm, "type": .model,
    ]
  }

  enum MDMKey: String, FieldKey {
    case enrolled, supervised, intune, profile
    case allowOpenFromManagedToUnmanaged, allowOpenFromUnmanagedToManaged, requireManagedPasteboard
    case allowManagedToWriteUnmanagedContacts, allowUnmanagedToReadManagedContacts
    case allowScreenShot, allowWritingTools, allowGenmoji
    case forceAirDropUnmanaged, allowActivityContinuation
  }

  /// Reads a device.
  ///
  /// - Parameters:
  ///   - value: The device; nil for a device with default properties.
  ///   - others: Keys that the caller reads itself. Error messages may suggest them.
  init(_ value: YAMLValue?, _ names: Names, others: [String] = []) throws(InputError) {
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
    extensionsAtOnce = try fields[.extensionsAtOnce]?.int(in: 1...1_000)
    declarations = try fields[.declarations]?.text()
    if let value = fields[.mdm] { try read(mdm: value) }
    guard let value = fields[.declarations], !isMDMEnrolled else { return }
    throw value.mistake(
      .conflictingKeys, "a device with `declarations` needs `mdm: { enrolled: true }`")
  }

  private mutating func read(mdm value: YAMLValue) throws(InputError) {
    let mdm = try Fields<MDMKey>(value, "the key `mdm`")
    isMDMEnrolled = try mdm.required(.enrolled).bool()
    if let value = mdm[.supervised] {
      isSupervised = try value.bool()
      guard !isSupervised || isMDMEnrolled else {
        throw value.mistake(
          .conflictingKeys, "only a device with `enrolled: true` can be supervised")
      }
    }
    if let value = mdm[.intune] {
      isManagedByIntune = try value.bool()
      guard !isManagedByIntune || isMDMEnrolled else {
        throw value.mistake(
          .conflictingKeys, "Intune manages only a device with `enrolled: true`")
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

  /// The app configuration tokens with values that are not derived from the account or the clock.
  private static let tokens = [
    "aaddeviceid", "accountid", "deviceid", "onpremisessamaccountname", "serialnumber",
    "signeddeviceid", "udidlast4digits", "username",
  ]

  private static func token(_ member: YAMLValue.Member) throws(InputError) -> String {
    guard tokens.contains(member.key) else {
      throw InputError(
        .unknownKey, at: member.position,
        "the key `tokens` has no key `\(member.key)`"
          + Wording.hint(for: member.key, among: tokens))
    }
    return try member.value.text()
  }

  private static func time(_ value: YAMLValue) throws(InputError) -> Int {
    let text = try value.text()
    guard let seconds = Timestamp.seconds(text) else {
      throw value.mistake(
        .invalidValue, "`time` must have the form `2026-01-01T09:00:00Z`, or `now`, found `\(text)`"
      )
    }
    return seconds
  }
}

extension DirectoryEntry {
  static let registered = "registered"
  static let keys = [registered] + DirectoryAttribute.allCases.map(\.rawValue)

  init(_ value: YAMLValue) throws(InputError) {
    self.init()
    for member in try value.mapping() {
      guard member.key != Self.registered else {
        isRegistered = try member.value.bool()
        continue
      }
      guard let attribute = DirectoryAttribute(rawValue: member.key) else {
        throw InputError(
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
      .conflictingKeys,
      "a device with `registered: false` has no other attributes in the directory; leave them out"
    )
  }
}

// MARK: - Multiple devices

/// A device, or a group of identical devices, in a scenario with several devices.
struct DeviceMember {
  var device: DeviceDefinition
  /// The device's apps, with the accounts that are signed in on this device.
  var apps: [AppDefinition]
  var count = 1

  enum Key: String, FieldKey {
    case apps, count
  }

  /// The maximum number of identical devices.
  private static let mostDevices = 10_000

  enum AppKey: String, FieldKey {
    case signedIn
  }

  static func readAll(_ value: YAMLValue, _ names: Names) throws(InputError) -> [DeviceMember] {
    let members = try value.mapping()
    guard !members.isEmpty else {
      throw value.mistake(.missingKey, "`devices` needs at least one device")
    }
    var devices: [DeviceMember] = []
    var known: [String: String] = [:]
    return try members.readEach { member throws(InputError) in
      let device = try member.readAllParts { member throws(InputError) in
        try DeviceMember(member, names)
      }
      for name in device.names + [device.device.name] {
        guard known.updateValue(member.key, forKey: name) ?? member.key == member.key else {
          throw InputError(
            .duplicateName, at: member.position, "two devices are called `\(name)`")
        }
      }
      devices.append(device)
      if let first = devices.first { try device.checkClock(with: first, member) }
      return device
    }
  }

  /// Checks that the device's clock starts at the same time as the first device's clock.
  private func checkClock(
    with first: DeviceMember, _ member: YAMLValue.Member
  ) throws(InputError) {
    guard device.time != first.device.time || device.beginsNow != first.device.beginsNow else {
      return
    }
    throw InputError(
      .conflictingKeys, at: member.position,
      "all devices share one clock, but the `time` of `\(device.name)` differs from that of `\(first.device.name)`"
    )
  }

  /// The names of the member's devices: the member's name or, if ``count`` is above 1, `phone-1`, `phone-2` and so on.
  private var names: [String] {
    count == 1 ? [device.name] : (1...count).map { "\(device.name)-\($0)" }
  }

  private init(_ member: YAMLValue.Member, _ names: Names) throws(InputError) {
    let name = try Names.validated(member, naming: "a device")
    // If a device has all of the scenario's apps, it needs no keys.
    let keys = member.value.isEmpty ? [] : try member.value.mapping()
    if let key = keys.first(where: { $0.key == DeviceDefinition.Key.name.rawValue }) {
      throw InputError(
        .conflictingKeys, at: key.position, "the name of the device is `\(name)`; leave `name` out")
    }
    var rest = member.value
    rest.kind = .mapping(keys.filter { Key(rawValue: $0.key) == nil })
    device = try DeviceDefinition(rest, names, others: Key.allCases.map(\.rawValue))
    device.name = name
    apps = names.apps
    if let value = keys.first(where: { $0.key == Key.count.rawValue })?.value {
      count = try value.int(in: 1...Self.mostDevices)
    }
    guard let listed = keys.first(where: { $0.key == Key.apps.rawValue }) else { return }
    apps = try Self.apps(listed.value, names)
  }

  /// Reads the device's apps, which are a list of names, or a mapping from names to properties on this device.
  private static func apps(
    _ value: YAMLValue, _ names: Names
  ) throws(InputError) -> [AppDefinition] {
    var apps: [AppDefinition] = []
    var known: Set<String> = []
    func add(_ app: AppDefinition, at value: YAMLValue) throws(InputError) {
      guard known.insert(app.name).inserted else {
        throw value.mistake(.duplicateName, "`\(app.name)` is named twice")
      }
      apps.append(app)
    }
    if case .mapping(let members) = value.kind {
      for member in members {
        var name = member.value
        name.kind = .scalar(member.key, isPlain: true)
        name.position = member.position
        for var app in try names.apps(name) {
          if !member.value.isEmpty {
            let fields = try Fields<AppKey>(member.value, "the app `\(app.name)` of a device")
            if let value = fields[.signedIn] { app.signedIn = try names.accounts(value) }
          }
          try add(app, at: name)
        }
      }
    } else {
      for element in try value.sequence() {
        for app in try names.apps(element) { try add(app, at: element) }
      }
    }
    for app in apps {
      guard let container = app.containingApp, !known.contains(container) else { continue }
      throw value.mistake(
        .missingKey,
        "`\(app.name)` needs the app `\(container)` that contains it; add it to the device")
    }
    return apps
  }

  /// Returns a copy of the scenario for each device, with only that device and its apps.
  func scenarios(within whole: Scenario) -> [Scenario] {
    var scenario = whole
    scenario.apps = apps
    scenario.device = device
    return names.map { name in
      guard count > 1 else { return scenario }
      var scenario = scenario
      scenario.device.name = name
      scenario.device.group = device.name
      return scenario
    }
  }
}

// MARK: - Links between devices

/// The connections between a scenario's devices.
package struct LinkDefinition: Sendable, Equatable {
  /// The latency of messages between devices, in seconds of the virtual clock; 0 delivers immediately.
  package var latency = 0

  package init() {}
}

extension LinkDefinition {
  enum Key: String, FieldKey {
    case latency
  }

  /// Reads the connections between devices. If `value` is nil, the connections have no latency.
  init(_ value: YAMLValue?) throws(InputError) {
    self.init()
    guard let value else { return }
    let fields = try Fields<Key>(value, "the key `links`")
    latency = try Action.Advance.seconds(fields.required(.latency))
  }
}
