/// What conditional launch asks about the device.
public struct DevicePosture: Sendable, Hashable {
  public var osVersion: Version
  /// The model's identifier, such as `iPhone14,5`, in any casing.
  public var model: String
  public var isJailbroken: Bool
  /// What the threat defence app last reported; nil: there is none, or it reported nothing.
  public var threatLevel: ThreatLevel?
  /// Whether a device PIN is set.
  public var hasPIN: Bool
  public var biometrics: Biometrics
  public var isMDMEnrolled: Bool
  /// Whether the app reaches the service now.
  public var isOnline: Bool

  /// How endangered a threat defence app finds the device, the safest first.
  public enum ThreatLevel: String, Sendable, CaseIterable {
    case secured, low, medium, high
  }

  public enum Biometrics: String, Sendable, CaseIterable {
    case none, touchID, faceID
  }

  public init(
    osVersion: Version, model: String = "", isJailbroken: Bool = false,
    threatLevel: ThreatLevel? = nil, hasPIN: Bool = false, biometrics: Biometrics = .none,
    isMDMEnrolled: Bool = false, isOnline: Bool = true
  ) {
    self.osVersion = osVersion
    self.model = model
    self.isJailbroken = isJailbroken
    self.threatLevel = threatLevel
    self.hasPIN = hasPIN
    self.biometrics = biometrics
    self.isMDMEnrolled = isMDMEnrolled
    self.isOnline = isOnline
  }
}
