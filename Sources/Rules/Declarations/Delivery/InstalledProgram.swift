/// An app or extension on a device, with the facts that management needs.
package struct InstalledProgram: Sendable, Hashable {
  /// The kind of a program.
  package enum Kind: Sendable, Hashable {
    case app
    /// An extension in the app of that bundle identifier.
    case appExtension(app: String)
    /// A keyboard in the app of that bundle identifier.
    case keyboard(app: String, KeyboardAccess)

    /// The bundle identifier of the app that an extension is in; nil for an app.
    package var app: String? {
      switch self {
      case .app: nil
      case .appExtension(let app), .keyboard(let app, _): app
      }
    }
  }

  /// The access that the user allows a keyboard.
  package enum KeyboardAccess: Sendable, Hashable {
    /// The user allows full access.
    case full
    case limited
  }

  /// The ability of MDM to take an app over.
  package enum Management: Sendable, Hashable {
    case possible
    /// The user installed the app and keeps it: neither the app nor its extensions get anything.
    case refused
  }

  /// The bundle identifier and the team of the code signature; the team is empty where there is no signature.
  package var identifier: ComposedIdentifier
  package var kind: Kind
  package var management: Management
  /// The identifier in the App Store, for configurations by `AppStoreID`; nil where the app is from elsewhere.
  package var appStoreIdentifier: String?
  /// The URL of the manifest, for configurations by `ManifestURL`; nil where the app is from elsewhere.
  package var manifestURL: String?

  /// Creates a program.
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
