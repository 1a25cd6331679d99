public import Model

/// An app configuration, and whom an administrator assigned it to.
public struct AppConfigurationAssignment: Sendable {
  public var document: AppConfigurationDocument
  public var account: Account
  /// Bundle ids; nil: those that the document itself names.
  public var apps: [String]?
  /// Whether the administrator has taken it back.
  var isWithdrawn = false

  public init(document: AppConfigurationDocument, account: Account, apps: [String]? = nil) {
    self.document = document
    self.account = account
    self.apps = apps
  }
}
