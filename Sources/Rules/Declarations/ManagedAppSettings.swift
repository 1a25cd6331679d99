internal import Encodings

/// The settings of `com.apple.configuration.app.managed`.
struct ManagedAppSettings: Sendable {
  /// The identifier of the managed app. A configuration states exactly one.
  enum App: Sendable, Hashable {
    case bundle(String)
    case appStore(String)
    case manifest(String)
  }

  /// A secret that an app requests by name, and the asset that contains it.
  struct SecretReference: Sendable, Hashable {
    var identifier: String
    var asset: String
  }

  struct Configuration: Sendable, Hashable {
    /// The identifier of the data asset that contains the configuration; nil if there is none.
    var data: String?
    var passwords: [SecretReference] = []
    var identities: [SecretReference] = []
    var certificates: [SecretReference] = []
  }

  var app: App
  var configuration: Configuration?
  var extensions: [ComposedIdentifier: Configuration]
  /// The identifier of the data asset that contains the configuration for the user defaults; nil if there is none.
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

// MARK: - Reader

/// Checks and reads the values of a `com.apple.configuration.app.managed` payload whose keys have been checked.
struct ManagedAppReader {
  private let payload: JSONValue
  private var checker: PayloadChecker

  private init(_ payload: JSONValue, _ checker: PayloadChecker) {
    self.payload = payload
    self.checker = checker
  }

  /// Reads the settings in a payload.
  ///
  /// - Parameter checker: Receives the errors. It must not contain any yet.
  /// - Returns: The settings; nil if there was an error.
  static func settings(
    of payload: JSONValue, _ checker: inout PayloadChecker
  ) -> ManagedAppSettings? {
    var reader = ManagedAppReader(payload, checker)
    let settings = reader.settings()
    checker = reader.checker
    return checker.errors.isEmpty ? settings : nil
  }

  private mutating func settings() -> ManagedAppSettings? {
    let app = app()
    if let configuration = payload["AppConfig"] { checkNames(configuration, "AppConfig") }
    var extensions: [ComposedIdentifier: ManagedAppSettings.Configuration] = [:]
    for member in payload["ExtensionConfigs"]?.members ?? [] {
      checkNames(member.value, "ExtensionConfigs.\(member.name)")
      guard let identifier = ComposedIdentifier(member.name) else {
        checker.fail(
          member.position,
          "`\(member.name)` must be a bundle id, a space and the team in brackets: "
            + "`com.contoso.mail.share (ABCDE12345)`")
        continue
      }
      extensions[identifier] = .init(member.value)
    }
    return app.map { app in
      ManagedAppSettings(
        app: app, configuration: payload["AppConfig"].map { .init($0) }, extensions: extensions,
        legacyData: payload["LegacyAppConfigAssetReference"]?.string)
    }
  }

  private mutating func app() -> ManagedAppSettings.App? {
    for key in ["AppComposedIdentifier", "iOSApp"] {
      if let value = payload[key] { checker.fail(value.position, "`\(key)` is for macOS only") }
    }
    let keys = ["AppStoreID", "BundleID", "ManifestURL"].filter { payload[$0] != nil }
    guard let key = keys.first, keys.count == 1, let value = payload[key]?.string else {
      let list = "`AppStoreID`, `BundleID` and `ManifestURL`"
      let found = keys.isEmpty ? "none" : keys.map { "`\($0)`" }.joined(separator: " and ")
      checker.fail(payload.position, "exactly one of \(list) must be present, found \(found)")
      return nil
    }
    if key != "ManifestURL", payload["InstallBehavior"]?["License"]?["Assignment"] == nil {
      checker.warn(
        payload.position,
        "`InstallBehavior.License.Assignment` is missing; real devices require it for App Store apps"
      )
    }
    return switch key {
    case "AppStoreID": .appStore(value)
    case "BundleID": .bundle(value)
    default:  // open: the key `ManifestURL`
      .manifest(value)
    }
  }

  /// Checks that the names of secrets are not empty, and are unique within each kind.
  private mutating func checkNames(_ configuration: JSONValue, _ path: String) {
    for key in ["Passwords", "Identities", "Certificates"] {
      var names: Set<String> = []
      for secret in configuration[key]?.array ?? [] {
        guard let name = secret["Identifier"], let text = name.string else { continue }
        if text.isEmpty {
          checker.fail(name.position, "an `Identifier` in `\(path).\(key)` is empty")
        } else if !names.insert(text).inserted {
          checker.fail(name.position, "`\(path).\(key)` has the `Identifier` `\(text)` twice")
        }
      }
    }
  }
}
