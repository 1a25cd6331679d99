/// How an app that declarations manage fares, as a status report tells it.
///
/// Source: github.com/apple/device-management, `declarative/status/app.managed.list.yaml`.
package struct ManagedAppState: Sendable, Hashable {
  package enum State: String, Sendable, Hashable {
    /// It is installed and managed.
    case managed
    /// It will be managed when it is installed; nothing is installed here.
    case notPresent = "not-present"
    /// The user's own copy cannot be managed.
    case failed
  }

  /// The bundle identifier.
  package var identifier: String
  /// That of the configuration.
  package var declaration: String
  package var state: State
  /// Whether the app itself has a managed configuration.
  package var hasConfiguration = false
  /// The bundle identifiers of its extensions that have one.
  package var configuredExtensions: [String] = []

  init(_ identifier: String, _ declaration: String, _ state: State) {
    self.identifier = identifier
    self.declaration = declaration
    self.state = state
  }
}
