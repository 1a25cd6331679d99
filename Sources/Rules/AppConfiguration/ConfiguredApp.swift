public import GraphDocuments
public import Model

/// What counts of an app when its configuration is put together for one account.
public struct ConfiguredApp: Sendable {
  /// Of the containing app, where the app is an extension.
  public var bundleID: String
  public var state: ManagementState
  /// Whether the SDK takes configurations from the MAM service.
  public var isServed: Bool
  /// What MDM has configured, all of it; nil: the account is not the enrolled user, or MDM does not manage the app.
  public var managed: [String: ConfigurationValue]?

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
