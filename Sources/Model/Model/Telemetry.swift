/// An event that the SDK reports of an app: its management and its action. It names no account and no data.
///
/// Source: Intune App SDK for iOS developer guide, telemetry.
public struct Telemetry: Sendable, Hashable {
  /// The app's bundle id.
  public var app: String
  public var kind: Kind
  public var management: Management
  /// The call or the operation; nil for a launch.
  public var call: String?
  /// The result of the call or the operation; nil for a launch.
  public var result: String?

  /// The kind of event.
  public enum Kind: String, Sendable, CaseIterable {
    case launch
    /// `registerAndEnroll`, `loginAndEnroll` or `deRegisterAndUnenroll`.
    case enrollment
    /// A request that the app made through the SDK.
    case action
  }

  /// The way in which the app is managed.
  public enum Management: String, Sendable, CaseIterable {
    case mamWithMDM, mamOnly, mdmOnly, unmanaged

    /// The management of an app with or without a managed account and MDM.
    public init(hasManagedAccount: Bool, isMDMManaged: Bool) {
      self =
        switch (hasManagedAccount, isMDMManaged) {
        case (true, true): .mamWithMDM
        case (true, false): .mamOnly
        case (false, true): .mdmOnly
        case (false, false): .unmanaged
        }
    }
  }

  /// An event of `kind` in `app`.
  public init(
    app: String, kind: Kind, management: Management, call: String? = nil, result: String? = nil
  ) {
    self.app = app
    self.kind = kind
    self.management = management
    self.call = call
    self.result = result
  }
}
