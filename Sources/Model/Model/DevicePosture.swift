/// The state of the device that conditional launch asks about.
public struct DevicePosture: Sendable, Hashable {
  public var osVersion: Version
  /// The model's identifier, such as `iPhone14,5`, in any casing.
  public var model: String
  public var isJailbroken: Bool
  /// The level that the threat defence app last reported; nil where there is none, or it reported nothing.
  public var threatLevel: ThreatLevel?
  /// Whether a device PIN is set.
  public var hasPIN: Bool
  public var biometrics: Biometrics
  public var isMDMEnrolled: Bool
  /// Whether the app reaches the service now.
  public var isOnline: Bool

  /// The degree of danger that a threat defence app finds on the device, the safest first.
  public enum ThreatLevel: String, Sendable, CaseIterable {
    case secured, low, medium, high
  }

  /// The biometrics that the device has enrolled.
  public enum Biometrics: String, Sendable, CaseIterable {
    case none, touchID, faceID
  }

  /// A posture; the defaults describe a device in order, without PIN and MDM.
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
