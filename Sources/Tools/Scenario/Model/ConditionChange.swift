public import Transfer

/// What a scenario says of a device's conditions; nil leaves them as they are.
public struct ConditionChange: Sendable, Equatable {
  public var osVersion: Version?
  /// The model's identifier, such as `iPhone17,1`.
  public var model: String?
  public var isJailbroken: Bool?
  public var threatLevel: DevicePosture.ThreatLevel?
  public var hasPIN: Bool?
  public var biometrics: DevicePosture.Biometrics?
  public var isOnline: Bool?

  public init() {}

  public func apply(to conditions: inout DevicePosture) {
    conditions.osVersion = osVersion ?? conditions.osVersion
    conditions.model = model ?? conditions.model
    conditions.isJailbroken = isJailbroken ?? conditions.isJailbroken
    conditions.threatLevel = threatLevel ?? conditions.threatLevel
    conditions.hasPIN = hasPIN ?? conditions.hasPIN
    conditions.biometrics = biometrics ?? conditions.biometrics
    conditions.isOnline = isOnline ?? conditions.isOnline
  }

  /// Whether nothing is said.
  var isEmpty: Bool { self == ConditionChange() }

  /// In one line: `jailbroken, offline`.
  var text: String {
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
