package import Model

/// A change to a device's condition. A property that is nil stays unchanged.
package struct ConditionChange: StepDetail {
  package var osVersion: Version?
  /// The model identifier, such as `iPhone17,1`.
  package var model: String?
  package var isJailbroken: Bool?
  package var threatLevel: DevicePosture.ThreatLevel?
  package var hasPIN: Bool?
  package var biometrics: DevicePosture.Biometrics?
  package var isOnline: Bool?

  package init() {}

  package func apply(to conditions: inout DevicePosture) {
    conditions.osVersion = osVersion ?? conditions.osVersion
    conditions.model = model ?? conditions.model
    conditions.isJailbroken = isJailbroken ?? conditions.isJailbroken
    conditions.threatLevel = threatLevel ?? conditions.threatLevel
    conditions.hasPIN = hasPIN ?? conditions.hasPIN
    conditions.biometrics = biometrics ?? conditions.biometrics
    conditions.isOnline = isOnline ?? conditions.isOnline
  }

  var isEmpty: Bool { self == ConditionChange() }

  /// The change as a clause, such as `the device becomes jailbroken, offline`.
  package var text: String { "the device becomes \(words)" }

  private var words: String {
    var parts: [String] = []
    if let osVersion { parts.append("iOS \(osVersion)") }
    if let model { parts.append("model `\(model)`") }
    if let isJailbroken { parts.append(isJailbroken ? "jailbroken" : "not jailbroken") }
    if let threatLevel { parts.append("threat level \(threatLevel.rawValue)") }
    if let hasPIN { parts.append(hasPIN ? "with a PIN" : "without a PIN") }
    if let biometrics { parts.append("biometrics \(biometrics.rawValue)") }
    if let isOnline { parts.append(isOnline ? "online" : "offline") }
    return parts.joined(separator: ", ")
  }
}

extension ConditionChange {
  static let step = StepRow(
    "device",
    "Change the device's state for conditional launch; an omitted key stays as it is. Apps notice when they start, resume or switch identity",
    .mapping(MappingRow("conditions", Key.self, where: #""minProperties": 1"#)),
    example: #"{"osVersion": "18.5", "jailbroken": true}"#
  ) { (value, names) throws(InputError) in .change(.device(try ConditionChange(value))) }

  init(
    osVersion: YAMLValue?, model: YAMLValue?, jailbroken: YAMLValue?, threatLevel: YAMLValue?,
    pin: YAMLValue?, biometrics: YAMLValue?, online: YAMLValue?
  ) throws(InputError) {
    self.init()
    if let osVersion { self.osVersion = try AppDefinition.version(osVersion) }
    self.model = try model?.text()
    isJailbroken = try jailbroken?.bool()
    self.threatLevel = try threatLevel?.word()
    hasPIN = try pin?.bool()
    self.biometrics = try biometrics?.word()
    isOnline = try online?.bool()
  }

  private enum Key: String, MappingKey {
    case osVersion, model, jailbroken, threatLevel, pin, biometrics, online

    var row: KeyRow {
      switch self {
      case .osVersion:
        .optional(
          .init(
            json:
              #""type": ["string", "number"], "minimum": 0, "pattern": "^[0-9]+(\\.[0-9]+){0,7}$""#),
          "Version of iOS")
      case .model: .optional(.text, "Identifier of the model, such as iPhone17,1")
      case .jailbroken: .optional(.flag, "Whether the device is jailbroken")
      case .threatLevel:
        .optional(
          .word(of: DevicePosture.ThreatLevel.self),
          "The threat level that the threat defence app last reported")
      case .pin: .optional(.flag, "Whether a device PIN is set")
      case .biometrics:
        .optional(
          .word(of: DevicePosture.Biometrics.self), "The biometric sensor")
      case .online: .optional(.flag, "Whether the device has a network")
      }
    }
  }

  init(_ value: YAMLValue) throws(InputError) {
    let fields = try Fields<Key>(value, "a change of the device")
    try self.init(
      osVersion: fields[.osVersion], model: fields[.model], jailbroken: fields[.jailbroken],
      threatLevel: fields[.threatLevel], pin: fields[.pin], biometrics: fields[.biometrics],
      online: fields[.online])
    guard !isEmpty else {
      throw value.mistake(.missingKey, "the step contains no change of the device")
    }
  }
}
