/// A setting that differs between two policies and changes no flow, because other settings that differ compensate for
/// it: an exemption, say, that keeps open what a stricter Send would close.
public struct BalancedDifference: Sendable {
  public var setting: SettingDifference
  /// The policy whose answers depend on the setting.
  public var holder: Holder
  /// The simplest request that shows the dependence.
  public var scene: Scene
  /// The policy's answer to the request.
  public var with: FlowDifference.Side
  /// The policy's answer with the other policy's value of the setting.
  public var without: FlowDifference.Side

  /// One of the two policies.
  public enum Holder: String, Sendable {
    case old, new
  }
}
