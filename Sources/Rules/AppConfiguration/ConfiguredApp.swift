public import GraphDocuments
public import Model

/// The facts about an app that determine its configuration for one account.
public struct ConfiguredApp: Sendable {
  /// The app's bundle id; for an extension, the bundle id of the containing app.
  public var bundleID: String
  public var state: ManagementState
  /// Whether the SDK takes configurations from the MAM service.
  public var isServed: Bool
  /// The complete configuration by MDM; nil: the account is not the enrolled user, or MDM does not manage the app.
  public var managed: [String: ConfigurationValue]?

  /// Creates the facts about an app.
  public init(
    bundleID: String, state: ManagementState = .unenrolled, isServed: Bool = true,
    managed: [String: ConfigurationValue]? = nil
  ) {
    self.bundleID = bundleID
    self.state = state
    self.isServed = isServed
    self.managed = managed
  }
}
