package import Encodings

package struct Declaration: Sendable {
  /// `Type`. The type may be unknown.
  package var typeName: String
  /// `Identifier`, unique among all declarations.
  package var identifier: String
  /// `ServerToken`, which changes with each revision.
  package var serverToken: String
  /// `Payload`, an object.
  package var payload: JSONValue
  /// The path of the file that contains the declaration, relative to the folder.
  package var file: String
  package var position: Position

  /// The declaration's type; nil if the type is not simulated.
  package var type: DeclarationType? { DeclarationType(rawValue: typeName) }

  package var kind: DeclarationKind { type?.kind ?? DeclarationKind(ofUnknown: typeName) }
}

// MARK: - Type

/// A simulated type of declaration.
package enum DeclarationType: String, Sendable, Hashable, CaseIterable {
  case activation = "com.apple.activation.simple"
  case managedApp = "com.apple.configuration.app.managed"
  case appSettings = "com.apple.configuration.app.settings"
  case legacyProfile = "com.apple.configuration.legacy"
  case statusSubscriptions = "com.apple.configuration.management.status-subscriptions"
  case test = "com.apple.configuration.management.test"
  case dataAsset = "com.apple.asset.data"
  case passwordAsset = "com.apple.asset.credential.userpassword"
  case identityAsset = "com.apple.asset.credential.identity"
  case scepAsset = "com.apple.asset.credential.scep"
  case acmeAsset = "com.apple.asset.credential.acme"
  case certificateAsset = "com.apple.asset.credential.certificate"
  case properties = "com.apple.management.properties"
  case organization = "com.apple.management.organization-info"
  case serverCapabilities = "com.apple.management.server-capabilities"

  package var kind: DeclarationKind {
    switch self {
    case .activation: .activation
    case .managedApp, .appSettings, .legacyProfile, .statusSubscriptions, .test: .configuration
    case .dataAsset, .passwordAsset, .identityAsset, .scepAsset, .acmeAsset, .certificateAsset:
      .asset
    case .properties, .organization, .serverCapabilities: .management
    }
  }

  /// The types that Apple publishes but Sluice does not simulate.
  ///
  /// Source: github.com/apple/device-management, `declarative/declarations`, up to iOS 27; Apple
  /// Device Management, Declarations.
  static let published: Set<String> = Set(
    [
      "asset.useridentity", "configuration.accessibility.settings", "configuration.account.caldav",
      "configuration.account.carddav",
      "configuration.account.exchange", "configuration.account.google",
      "configuration.account.ldap", "configuration.account.mail",
      "configuration.account.subscribed-calendar", "configuration.audio-accessory.settings",
      "configuration.content-cache.settings", "configuration.diskmanagement.settings",
      "configuration.extensible-sso",
      "configuration.external-intelligence.settings", "configuration.intelligence.settings",
      "configuration.keyboard.settings", "configuration.legacy.interactive",
      "configuration.math.settings", "configuration.migration-assistant.settings",
      "configuration.network.dns-proxy", "configuration.network.dns-settings",
      "configuration.network.relay", "configuration.network.vpn.always-on",
      "configuration.network.vpn.ikev2", "configuration.network.vpn.ipsec",
      "configuration.network.vpn.vpn-plugin",
      "configuration.package", "configuration.passcode.settings",
      "configuration.safari.bookmarks", "configuration.safari.extensions.settings",
      "configuration.safari.settings", "configuration.screensharing.connection",
      "configuration.screensharing.connection.group",
      "configuration.screensharing.host.settings", "configuration.security.certificate",
      "configuration.security.identity", "configuration.security.passkey.attestation",
      "configuration.services.background-tasks", "configuration.services.configuration-files",
      "configuration.siri.settings", "configuration.softwareupdate.enforcement.specific",
      "configuration.softwareupdate.settings", "configuration.watch.enrollment",
      "configuration.webcontent-filter.plugin",
    ].map { "com.apple." + $0 })
}

/// The kind of a declaration. Status reports group declarations by kind.
package enum DeclarationKind: String, Sendable, Hashable, CaseIterable {
  case activation = "activations"
  case configuration = "configurations"
  case asset = "assets"
  case management

  /// Derives the kind of a declaration of unknown type from the words in the type's name, such as
  /// `com.contoso.asset.logo`. If no word is a kind, the declaration counts as a configuration.
  init(ofUnknown type: String) {
    let words = type.split(separator: ".")
    self =
      if words.contains("activation") {
        .activation
      } else if words.contains("asset") {
        .asset
      } else if words.contains("management"), !words.contains("configuration") {
        .management
      } else {
        .configuration
      }
  }

  var noun: String {
    switch self {
    case .activation: "an activation"
    case .configuration: "a configuration"
    case .asset: "an asset"
    case .management: "a management declaration"
    }
  }
}

// MARK: - Problems

/// An error, a warning or a note about a folder of declarations.
///
/// Messages never quote values of configurations or secrets.
package struct DeclarationDiagnostic: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Severity: String, Sendable, Hashable {
    case error, warning, note
  }

  package var severity: Severity
  /// The file's path as shown to users: the folder's name, then the path relative to the folder.
  package var file: String
  package var position: Position?
  /// The message, in lower case, without full stop.
  package var message: String

  package var description: String {
    let place = position.map { ":\($0.line):\($0.column)" } ?? ""
    return "\(file)\(place): \(severity.rawValue): \(message) [declarations]".escapingUnprintable()
  }

  /// Orders problems by file, position and message.
  static func precedes(_ left: DeclarationDiagnostic, _ right: DeclarationDiagnostic) -> Bool {
    if left.file != right.file { return left.file < right.file }
    let places = (left.position, right.position)
    let (first, second) = (places.0?.line ?? 0, places.1?.line ?? 0)
    if first != second { return first < second }
    let (column, other) = (places.0?.column ?? 0, places.1?.column ?? 0)
    return column != other ? column < other : left.message < right.message
  }
}
