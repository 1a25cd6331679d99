internal import Model

/// An account that is signed in to an app, and what the service said to it there.
struct Enrollment: Sendable {
  var account: Account
  /// Whether the account is enrolled in the app, be it without a policy.
  var isEnrolled: Bool
  /// Names of the policies that target the account in the app.
  var policies: [String]
}
