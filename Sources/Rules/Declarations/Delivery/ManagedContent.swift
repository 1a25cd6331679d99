/// What one app or extension is given.
package struct ManagedContent: Sendable, Equatable {
  /// Something that the app asks for by name.
  package struct Named<Value: Sendable & Equatable>: Sendable, Equatable {
    package var identifier: String
    package var value: Value
    /// The `ServerToken` of the asset that holds it.
    package var revision: String
  }

  /// The identifier of the configuration that says so.
  package var declaration: String
  /// The property list for ManagedApp's configuration; nil where none is set.
  package var configuration: Secret<[UInt8]>?
  /// The property list for `com.apple.configuration.managed` in the user defaults; nil where none
  /// is set, and for extensions.
  package var legacyConfiguration: Secret<[UInt8]>?
  /// In the administrator's order, as the following.
  package var passwords: [Named<PasswordCredential>] = []
  package var identities: [Named<IdentityCredential>] = []
  /// DER.
  package var certificates: [Named<[UInt8]>] = []
}
