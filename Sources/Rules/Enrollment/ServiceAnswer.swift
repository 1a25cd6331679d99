public import Model

/// The service's answer to a request about one account in one app.
public enum ServiceAnswer: Sendable, Equatable {
  /// Policies or configurations are targeted at the account, and `revision` names them. `needsRestart`: no policy
  /// applied in the app before, and the app has to restart.
  case policies(revision: TargetedRevision, needsRestart: Bool)
  /// The account is licensed, and neither a policy nor a configuration is targeted at it.
  case notTargeted
  /// The account's data is to be removed.
  case wipe
  /// A status of 200 and above.
  case failure(EnrollmentStatus)
  /// A status that the SDK gives by itself. The service was not asked, so this is no contact with it.
  case unasked(EnrollmentStatus)
}

/// The names of what the service has for an account in an app, at least one.
///
/// An app configuration alone enrolls an account, and protects nothing. Sources: ms-intune-app-sdk-ios, issue 281;
/// ms-intune-app-sdk-android, issue 173; MicrosoftDocs/IntuneDocs, pull requests 2634 and 3218. In Microsoft Graph both are
/// a `managedAppPolicy`.
public struct TargetedRevision: Sendable, Equatable {
  /// The names of the app protection policies, as one text; nil: none is targeted.
  public let policies: String?
  /// The names of the app configurations, as one text; nil: none is targeted.
  public let configurations: String?

  /// The revision of what is targeted; nil where nothing is.
  public init?(policies: String?, configurations: String? = nil) {
    guard policies != nil || configurations != nil else { return nil }
    self.policies = policies
    self.configurations = configurations
  }
}

extension TargetedRevision: ExpressibleByStringLiteral {
  /// The revision of app protection policies alone.
  public init(stringLiteral policies: String) {
    self.policies = policies
    configurations = nil
  }
}
