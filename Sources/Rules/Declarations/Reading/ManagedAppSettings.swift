internal import JSON

/// The settings of `com.apple.configuration.app.managed`.
struct ManagedAppSettings: Sendable {
  /// The app that is meant, by one of its identifiers.
  enum App: Sendable, Hashable {
    case bundle(String)
    case appStore(String)
    case manifest(String)
  }

  /// A secret that an app asks for by name, and the asset that holds it.
  struct SecretReference: Sendable, Hashable {
    var identifier: String
    var asset: String
  }

  /// The configuration of an app or an extension.
  struct Configuration: Sendable, Hashable {
    /// The identifier of a data asset; nil where there is none.
    var data: String?
    var passwords: [SecretReference] = []
    var identities: [SecretReference] = []
    var certificates: [SecretReference] = []
  }

  var app: App
  var configuration: Configuration?
  var extensions: [ComposedIdentifier: Configuration]
  /// The identifier of a data asset; nil where there is none.
  var legacyData: String?
}

extension ManagedAppSettings.Configuration {
  init(_ json: JSONValue) {
    data = json["DataAssetReference"]?.string
    passwords = Self.secrets(json["Passwords"])
    identities = Self.secrets(json["Identities"])
    certificates = Self.secrets(json["Certificates"])
  }

  private static func secrets(_ json: JSONValue?) -> [ManagedAppSettings.SecretReference] {
    (json?.array ?? []).map { secret in
      .init(
        identifier: secret["Identifier"]?.string ?? "",
        asset: secret["AssetReference"]?.string ?? "")
    }
  }
}
