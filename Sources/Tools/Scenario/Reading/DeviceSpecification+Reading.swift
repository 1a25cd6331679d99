import Model

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
