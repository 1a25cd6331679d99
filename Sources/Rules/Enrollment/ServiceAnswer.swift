public import Model

/// The service's answer to a request about one account in one app.
public enum ServiceAnswer: Sendable, Equatable {
  /// Policies are targeted at the account, and `revision` names them. `needsRestart`: no policy applied in the app
  /// before, and the app has to restart.
  case policies(revision: String, needsRestart: Bool)
  /// The account is licensed, and no policy is targeted at it.
  case notTargeted
  /// The account's data is to be removed.
  case wipe
  /// A status of 200 and above.
  case failure(EnrollmentStatus)
}
