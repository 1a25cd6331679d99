/// The state of an app that declarations manage, as a status report states it.
///
/// Source: github.com/apple/device-management, `declarative/status/app.managed.list.yaml`.
package struct ManagedAppState: Sendable, Hashable {
  /// The state of an app.
  package enum State: String, Sendable, Hashable {
    /// The app is installed and managed.
    case managed
    /// The app will be managed when it is installed; nothing is installed here.
    case notPresent = "not-present"
    /// The user's own copy cannot be managed.
    case failed
  }

  /// The bundle identifier of the app.
  package var identifier: String
  /// The identifier of the configuration.
  package var declaration: String
  package var state: State
  /// Whether the app itself has a managed configuration.
  package var hasConfiguration = false
  /// The bundle identifiers of the app's extensions that have a managed configuration.
  package var configuredExtensions: [String] = []

  init(_ identifier: String, _ declaration: String, _ state: State) {
    self.identifier = identifier
    self.declaration = declaration
    self.state = state
  }
}
