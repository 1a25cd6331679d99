/// A setting that differs between two policies and turns no flow, because other settings that differ make up for
/// it: an exemption, say, that keeps open what a stricter Send would close.
public struct BalancedDifference: Sendable {
  public var setting: SettingDifference
  /// The policy that depends on it.
  public var holder: Holder
  /// The simplest request that shows it.
  public var scene: Scene
  /// What that policy makes of the request.
  public var with: FlowDifference.Side
  /// What it would make of it with the other policy's value.
  public var without: FlowDifference.Side

  public enum Holder: String, Sendable {
    case old, new
  }
}
