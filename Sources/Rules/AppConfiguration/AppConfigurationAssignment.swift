public import Model

/// An app configuration, with the account and the apps that an administrator assigned it to.
public struct AppConfigurationAssignment: Sendable {
  public var document: AppConfigurationDocument
  public var account: Account
  /// The bundle ids of the apps; nil: the apps that the document itself names.
  public var apps: [String]?
  /// Whether the administrator has withdrawn the assignment.
  var isWithdrawn = false

  /// Creates an assignment of `document` to `account`.
  public init(document: AppConfigurationDocument, account: Account, apps: [String]? = nil) {
    self.document = document
    self.account = account
    self.apps = apps
  }
}
