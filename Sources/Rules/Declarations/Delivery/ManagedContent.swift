/// The content that is delivered to one app or extension.
package struct ManagedContent: Sendable, Equatable {
  /// A value that the app asks for by name.
  package struct Named<Value: Sendable & Equatable>: Sendable, Equatable {
    package var identifier: String
    package var value: Value
    /// The `ServerToken` of the asset that holds it.
    package var revision: String
  }

  /// The identifier of the configuration that delivers the content.
  package var declaration: String
  /// The property list for ManagedApp's configuration; nil where none is set.
  package var configuration: Secret<[UInt8]>?
  /// The property list for `com.apple.configuration.managed` in the user defaults; nil where none
  /// is set, and for extensions.
  package var legacyConfiguration: Secret<[UInt8]>?
  /// The passwords in the administrator's order, as with the following lists.
  package var passwords: [Named<PasswordCredential>] = []
  package var identities: [Named<IdentityCredential>] = []
  /// The certificates in DER.
  package var certificates: [Named<[UInt8]>] = []
}
