/// An app or extension on a device, as far as management asks for it.
package struct InstalledProgram: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case app
    /// In the app of that bundle identifier.
    case appExtension(app: String)
    /// A keyboard in the app of that bundle identifier.
    case keyboard(app: String, KeyboardAccess)

    /// That of the app that an extension is in; nil for an app.
    package var app: String? {
      switch self {
      case .app: nil
      case .appExtension(let app), .keyboard(let app, _): app
      }
    }
  }

  package enum KeyboardAccess: Sendable, Hashable {
    /// The user allows full access.
    case full
    case limited
  }

  /// Whether MDM may take an app over.
  package enum Management: Sendable, Hashable {
    case possible
    /// The user installed the app and keeps it: neither it nor its extensions get anything.
    case refused
  }

  /// The team is that of the code signature, empty where there is none.
  package var identifier: ComposedIdentifier
  package var kind: Kind
  package var management: Management
  /// For configurations by `AppStoreID`; nil where the app is from elsewhere.
  package var appStoreIdentifier: String?
  /// For configurations by `ManifestURL`; nil where the app is from elsewhere.
  package var manifestURL: String?

  package init(
    _ identifier: ComposedIdentifier, _ kind: Kind, management: Management = .possible,
    appStoreIdentifier: String? = nil, manifestURL: String? = nil
  ) {
    self.identifier = identifier
    self.kind = kind
    self.management = management
    self.appStoreIdentifier = appStoreIdentifier
    self.manifestURL = manifestURL
  }
}
