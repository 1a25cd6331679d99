internal import Model

/// An account that is signed in to an app, and the service's answer for it there.
struct Enrollment: Sendable {
  var account: Account
  /// Whether the account is enrolled in the app, even without a policy.
  var isEnrolled: Bool
  /// Names of the policies that target the account in the app.
  var policies: [String]
}
