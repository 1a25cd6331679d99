internal import Model

/// When an app last reached the service for an account.
struct CheckIn: Sendable {
  /// Bundle id.
  var app: String
  var account: Account
  /// Seconds of the virtual clock.
  var time: Int
}
