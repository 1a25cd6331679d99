public import Model

/// The policy for one account in one app: the settings of all policies targeted at it, merged so that the
/// most restrictive value of each setting wins.
///
/// A class, because requests share it and compare it by identity; it never changes.
public final class EffectivePolicy: Sendable {
  public let settings: Settings
  /// The origin of each stated setting. A setting that is missing here was absent or null in the
  /// document that won, and its default holds.
  public let origins: [Setting: Origin]

  /// The place of a setting's value.
  public struct Origin: Sendable, Hashable {
    /// The path of the file as the user named it.
    public var file: String
    public var line: Int
    /// The policy's `displayName`.
    public var policy: String

    /// Creates an origin.
    public init(file: String, line: Int, policy: String) {
      self.file = file
      self.line = line
      self.policy = policy
    }
  }

  /// Creates a policy from merged settings.
  public init(settings: Settings, origins: [Setting: Origin] = [:]) {
    self.settings = settings
    self.origins = origins
  }
}
