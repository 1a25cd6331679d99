internal import Model

/// The last time that an app reached the service for an account.
struct CheckIn: Sendable {
  /// Bundle id of the app.
  var app: String
  var account: Account
  /// Time in seconds of the virtual clock.
  var time: Int
}
