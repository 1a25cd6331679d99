internal import Bundle
internal import Encodings
internal import Foundation
internal import Output
internal import Predicates

/// The declarations of a folder, after the checks that do not depend on a device.
///
/// The result depends only on the set of declarations and the data of their assets. The order of files, and of
/// declarations in a file, does not matter.
package struct DeclarationSet: Sendable {
  /// All declarations, including invalid declarations and declarations of unknown type, ordered by identifier.
  package var declarations: [Declaration] { checked.map(\.declaration) }
  /// The problems, ordered by file and position.
  package private(set) var problems: [DeclarationDiagnostic] = []
  /// The assets whose data was found and read, by identifier.
  package private(set) var assets: [String: Asset] = [:]
  /// The checked declarations, ordered by identifier.
  private(set) var checked: [CheckedDeclaration] = []
  let folder: DeclarationFolder
  /// The texts of declaration files by path. Checks use them to compute positions in predicates.
  private var texts: [String: JSONText] = [:]
  /// The number of characters compared so far to find suggestions for misspelled names.
  private var comparisons = 0

  package init() { self.init(DeclarationFolder(name: "", files: [:])) }

  package init(_ folder: DeclarationFolder) {
    self.folder = folder
    let reader = DeclarationReader(folder)
    problems = reader.problems
    checked = reader.declarations.map { check($0) }
    texts = [:]
    resolveReferences(reader.unread)
    if folder.isOneFile {
      // The user did not write the generated declarations, so positions in them are meaningless.
      for index in problems.indices { problems[index].position = nil }
    }
    problems.sort(by: DeclarationDiagnostic.precedes)
  }

  // MARK: Checks of one declaration

  private mutating func check(_ declaration: Declaration) -> CheckedDeclaration {
    var result = CheckedDeclaration(declaration: declaration)
    guard let type = declaration.type else {
      reportUnknown(declaration)
      result.errors.append(
        StatusReason(
          .unknownDeclarationType, "the type of the declaration is unknown",
          ["UnknownDeclarationType": .string(declaration.typeName)]))
      return result
    }
    var checker = PayloadChecker()
    checker.check(
      declaration.payload, against: PayloadSchema.keys(of: type),
      isOpen: PayloadSchema.isOpen(type))
    if checker.errors.isEmpty {
      result.meaning = meaning(of: declaration, type, &checker, &result.errors)
    }
    report(checker, declaration)
    result.references = checker.references
    if !checker.errors.isEmpty, result.errors.isEmpty {
      result.errors.append(
        StatusReason(
          .invalidPayload, "the payload is invalid: " + checker.errors[0].message,
          of: declaration))
    }
    if !checker.unknownKeys.isEmpty {
      result.notes.append(
        StatusReason(
          .unknownPayloadKeys, "the payload has unknown keys",
          ["UnknownPayloadKeys": .array(checker.unknownKeys.map(StatusValue.string))]))
    }
    if type.kind == .asset, result.isValid { readAsset(declaration, &result) }
    return result
  }

  private mutating func reportUnknown(_ declaration: Declaration) {
    let name = declaration.typeName
    let position = declaration.payload.position
    if DeclarationType.published.contains(name) {
      return warn(
        "`\(name)` is not simulated, although real devices support it", declaration, position)
    }
    let nearest = Self.types.nearest(to: name, &comparisons)
    fail(
      "unknown declaration type `\(name)`" + Suggestion.text(nearest),
      declaration, declaration.position)
  }

  private static let types = Vocabulary(
    DeclarationType.allCases.map(\.rawValue) + DeclarationType.published)

  private mutating func meaning(
    of declaration: Declaration, _ type: DeclarationType, _ checker: inout PayloadChecker,
    _ errors: inout [StatusReason]
  ) -> CheckedDeclaration.Meaning {
    let payload = declaration.payload
    switch type {
    case .activation: return activation(declaration, &errors)
    case .managedApp:
      return ManagedAppReader.settings(of: payload, &checker).map { .managedApp($0) } ?? .none
    case .appSettings: return AppSettings(payload, &checker).map { .appSettings($0) } ?? .none
    case .legacyProfile:
      switch (payload["ProfileURL"]?.string, payload["ProfileAssetReference"]?.string) {
      case (let url?, nil): return .profile(.url(url))
      case (nil, let asset?): return .profile(.asset(asset))
      case (nil, nil):
        checker.fail(payload.position, "`ProfileURL` is missing")
      case (_?, _?):
        checker.fail(
          payload.position, "only one of `ProfileURL` and `ProfileAssetReference` may be present")
      }
      return .none
    case .statusSubscriptions: return .subscriptions(subscriptions(of: payload, &checker))
    case .test:
      return .test(
        TestSettings(
          echo: payload["Echo"]?.string ?? "",
          echoAsset: payload["EchoDataAssetReference"]?.string,
          outcome: payload["ReturnStatus"]?.string.flatMap(TestSettings.Outcome.init)
            ?? .installed))
    case .properties:
      guard case .dictionary(let values) = StatusValue(payload) else { return .none }
      return .properties(values)
    case .dataAsset, .passwordAsset, .identityAsset, .scepAsset, .acmeAsset, .certificateAsset,
      .organization, .serverCapabilities:
      return .none
    }
  }

  private mutating func subscriptions(
    of payload: JSONValue, _ checker: inout PayloadChecker
  ) -> [String] {
    (payload["StatusItems"]?.array ?? []).compactMap { item in
      guard let name = item["Name"], let text = name.string else { return nil }
      if !StatusItems.isPublished(text) {
        checker.warn(name.position, unknownItem(text))
      }
      return text
    }
  }

  private static let items = Vocabulary(StatusItems.published)

  private mutating func unknownItem(_ name: String) -> String {
    let nearest = Self.items.nearest(to: name, &comparisons)
    return "unknown status item `\(name)`" + Suggestion.text(nearest)
  }

  private mutating func activation(
    _ declaration: Declaration, _ errors: inout [StatusReason]
  ) -> CheckedDeclaration.Meaning {
    let payload = declaration.payload
    let configurations = (payload["StandardConfigurations"]?.array ?? []).compactMap(\.string)
    guard let predicate = payload["Predicate"], let source = predicate.string else {
      return .activation(configurations: configurations, condition: nil)
    }
    do throws(ConditionError) {
      let condition = try ActivationCondition(parsing: source)
      let unknown = condition.statusItems.filter { !StatusItems.isPublished($0.name) }
      guard !unknown.isEmpty else {
        return .activation(configurations: configurations, condition: condition)
      }
      var place = JSONStringPlace(of: predicate.position, in: text(of: declaration.file))
      for item in unknown {
        warn(unknownItem(item.name), declaration, place.position(of: item.offset))
      }
      return .activation(configurations: configurations, condition: condition)
    } catch {
      var place = JSONStringPlace(of: predicate.position, in: text(of: declaration.file))
      fail("in `Predicate`: " + error.message, declaration, place.position(of: error.offset))
      errors.append(
        StatusReason(
          .unableToParsePredicate, "the predicate cannot be read: " + error.message,
          of: declaration, ["Predicate": .string(source)]))
      return .none
    }
  }

  private mutating func text(of path: String) -> JSONText {
    if let text = texts[path] { return text }
    let text = JSONText(folder.files[path] ?? [])
    texts[path] = text
    return text
  }

  private mutating func readAsset(
    _ declaration: Declaration, _ result: inout CheckedDeclaration
  ) {
    var warnings: [PayloadChecker.Note] = []
    do throws(AssetError) {
      let asset = try AssetReader(folder: folder).asset(of: declaration, &warnings)
      assets[declaration.identifier] = asset
      for warning in warnings {
        problems.append(
          folder.problem(
            .warning, "the data of the asset `\(asset.identifier)`: " + warning.message, asset.path,
            warning.position))
      }
    } catch {
      report(error, declaration)
      let code: StatusReason.Code =
        switch error.code {
        case .cannotBeDownloaded: .assetCannotBeDownloaded
        case .cannotBeVerified: .assetCannotBeVerified
        case .cannotBeDeserialized: .assetCannotBeDeserialized
        }
      result.errors.append(
        StatusReason(
          code, "the asset cannot be used: " + error.message, ["Error": .string(error.message)]))
    }
  }

  private mutating func report(_ error: AssetError, _ declaration: Declaration) {
    let url = declaration.payload["Reference"]?["DataURL"]
    if let place = error.place, let text = url?.string,
      let location = try? AssetLocation(text, root: folder.root)
    {
      problems.append(
        folder.problem(
          .error, "the data of the asset `\(declaration.identifier)`: " + error.message,
          location.path, place))
    } else {
      fail(
        "the asset `\(declaration.identifier)`: " + error.message, declaration,
        url?.position ?? declaration.position)
    }
  }

  private mutating func report(_ checker: PayloadChecker, _ declaration: Declaration) {
    for error in checker.errors + checker.lost { fail(error.message, declaration, error.position) }
    for warning in checker.warnings { warn(warning.message, declaration, warning.position) }
  }

  // MARK: Checks between declarations

  private mutating func resolveReferences(_ unread: UnreadDeclarations) {
    let byIdentifier = Dictionary(
      checked.map { ($0.declaration.identifier, $0) }, uniquingKeysWith: { first, _ in first })
    var resolver = ReferenceResolver(
      declarations: byIdentifier, unread: unread, assets: assets, folder: folder)
    for index in checked.indices where checked[index].isValid {
      let resolution = resolver.resolve(checked[index])
      checked[index].errors += resolution.errors
      problems += resolution.problems
    }
  }

  mutating func fail(_ message: String, _ declaration: Declaration, _ position: Position) {
    problems.append(folder.problem(.error, message, declaration.file, position))
  }

  private mutating func warn(
    _ message: String, _ declaration: Declaration, _ position: Position
  ) {
    problems.append(folder.problem(.warning, message, declaration.file, position))
  }
}

// MARK: - Profiles

extension DeclarationSet {
  /// Reads the input that the user named: a folder of declarations or a single configuration profile. A profile becomes
  /// the only configuration of the set.
  ///
  /// - Parameter name: The name of the input in messages.
  /// - Throws: ``DeclarationDiagnostic`` if the input is neither, or if the profile cannot be used.
  package init(at path: String, called name: String) throws(DeclarationDiagnostic) {
    if path.lowercased().hasSuffix(".mobileconfig") {
      try self.init(profileAt: path, called: name)
    } else {
      self.init(try DeclarationFolder(at: path, called: name))
    }
  }

  private init(profileAt path: String, called name: String) throws(DeclarationDiagnostic) {
    var status = stat()
    if stat(path, &status) == 0 {
      let size = Int(status.st_size)
      guard status.st_mode & S_IFMT == S_IFREG, size <= DeclarationFolder.maximumFileSize else {
        throw DeclarationDiagnostic(
          severity: .error, file: name,
          message: "expected a file of at most \(DeclarationFolder.maximumFileSize) bytes")
      }
    }
    let bytes: [UInt8]
    let profile: ConfigurationProfile
    do throws(BundleError) {
      bytes = try BundleFile.bytes(path, atMost: DeclarationFolder.maximumFileSize)
      profile = try ConfigurationProfile(bytes, file: name)
    } catch {
      throw DeclarationDiagnostic(
        severity: .error, file: name,
        position: error.line.map { Position(line: $0, column: error.column ?? 1) },
        message: error.message)
    }
    let declarations = Self.declarations(around: profile.identifier ?? "profile")
    self.init(
      DeclarationFolder(
        name: name, files: ["declarations.json": declarations, Self.profileName: bytes],
        isOneFile: true))
  }

  private static let profileName = "profile.mobileconfig"

  /// Returns JSON with two declarations: a configuration with the profile's identifier, and an activation that
  /// references it.
  private static func declarations(around identifier: String) -> [UInt8] {
    // The activation's identifier must differ from the profile's, but not extend it, which could exceed the maximum
    // length.
    let activation = identifier == "activation" ? "profile" : "activation"
    var writer = JSONWriter()
    writer.array { writer in
      writer.object { writer in
        writer.member("Type", DeclarationType.activation.rawValue)
        writer.member("Identifier", activation)
        writer.member("ServerToken", "1")
        writer.object("Payload") { writer in
          writer.array("StandardConfigurations") { $0.string(identifier) }
        }
      }
      writer.object { writer in
        writer.member("Type", DeclarationType.legacyProfile.rawValue)
        writer.member("Identifier", identifier)
        writer.member("ServerToken", "1")
        writer.object("Payload") { $0.member("ProfileURL", profileName) }
      }
    }
    return writer.bytes
  }
}

struct ProfileLoader {
  let folder: DeclarationFolder
  let assets: [String: Asset]

  func profile(_ source: ProfileSource) -> Result<ConfigurationProfile, AssetError> {
    do throws(AssetError) {
      let (path, bytes) = try data(of: source)
      do throws(BundleError) {
        return .success(try ConfigurationProfile(bytes, file: folder.display(path)))
      } catch {
        let place = error.line.map { ":\($0)" } ?? ""
        return .failure(AssetError(.cannotBeDeserialized, "\(path)\(place): \(error.message)"))
      }
    } catch {
      return .failure(error)
    }
  }

  private func data(
    of source: ProfileSource
  ) throws(AssetError) -> (path: String, bytes: [UInt8]) {
    switch source {
    case .url(let url):
      let location = try AssetLocation(url, root: folder.root)
      guard let bytes = folder.files[location.path] else {
        throw AssetError(.cannotBeDownloaded, "the folder has no file `\(location.path)`")
      }
      return (location.path, bytes)
    case .asset(let identifier):
      guard let asset = assets[identifier], case .data(let data) = asset.content else {
        throw AssetError(.cannotBeDownloaded, "the asset `\(identifier)` cannot be used")
      }
      return (asset.path, data.value)
    }
  }
}

// MARK: - Checked declarations

/// A declaration, with the results of the checks that need no device.
struct CheckedDeclaration: Sendable {
  var declaration: Declaration
  /// The reasons why the declaration is invalid. Empty if it is valid.
  var errors: [StatusReason] = []
  /// Remarks for status reports. They do not make the declaration invalid.
  var notes: [StatusReason] = []
  var references: [PayloadChecker.Reference] = []
  var meaning: Meaning = .none

  /// The parsed payload; `none` if it is invalid or its type needs no parsing.
  enum Meaning: Sendable {
    case none
    case activation(configurations: [String], condition: ActivationCondition?)
    case managedApp(ManagedAppSettings)
    case appSettings(AppSettings)
    case profile(ProfileSource)
    case subscriptions([String])
    case test(TestSettings)
    case properties([String: StatusValue])
  }

  var isValid: Bool { errors.isEmpty }
}

enum ProfileSource: Sendable, Equatable {
  /// A path or a URL.
  case url(String)
  /// The identifier of a data asset.
  case asset(String)
}

/// The settings of `com.apple.configuration.management.test`.
struct TestSettings: Sendable, Equatable {
  enum Outcome: String, Sendable {
    case installed = "Installed"
    case failed = "Failed"
    case unlocked = "Unlocked"
  }

  var echo: String
  /// The identifier of the data asset to echo; nil if there is none.
  var echoAsset: String?
  var outcome: Outcome
}

/// The apps that a declaration allows or denies. A device shows and launches only allowed apps.
///
/// Source: github.com/apple/device-management, `app.settings.yaml`.
struct AppSettings: Sendable, Equatable {
  /// The bundle ids of the allowed apps; nil to allow all apps.
  var allowed: Set<String>?
  var denied: Set<String>

  /// Reads the lists of apps in a payload.
  ///
  /// - Parameter payload: A payload whose keys have been checked.
  /// - Returns: nil if the payload has a setting that exists only for macOS. The error is added to `checker`.
  init?(_ payload: JSONValue, _ checker: inout PayloadChecker) {
    let lists = payload["Allowed"]
    for key in PayloadSchema.macOSLists {
      if let value = lists?[key] { checker.fail(value.position, "`\(key)` is for macOS only") }
    }
    let names = { (key: String) in lists?[key]?.array.map { Set($0.compactMap(\.string)) } }
    allowed = names("AllowedApps")
    denied = names("DeniedApps") ?? []
    if !checker.errors.isEmpty { return nil }
  }
}
