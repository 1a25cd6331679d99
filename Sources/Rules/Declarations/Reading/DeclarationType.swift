/// A type of declaration that is simulated.
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

  /// The types that Apple publishes and that are not simulated: real devices know them, this one does not.
  ///
  /// Source: github.com/apple/device-management, `declarative/declarations`, up to iOS 27; Apple Device Management,
  /// Declarations.
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

/// The four kinds of declarations, as a status report lists them.
package enum DeclarationKind: String, Sendable, Hashable, CaseIterable {
  case activation = "activations"
  case configuration = "configurations"
  case asset = "assets"
  case management

  /// The kind of a declaration of unknown type, by the type's name: `com.contoso.asset.logo`; a configuration where
  /// the name does not tell.
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

  /// The noun for the kind in messages, with its article.
  var noun: String {
    switch self {
    case .activation: "an activation"
    case .configuration: "a configuration"
    case .asset: "an asset"
    case .management: "a management declaration"
    }
  }
}
