package import GraphDocuments
internal import JSON
internal import Model

/// Reads app configurations in Microsoft Graph's export format.
///
/// Accepts a single `targetedManagedAppConfiguration` or `iosMobileAppConfiguration`, an array of them, and
/// Graph's responses `{"value": …}`, in UTF-8 or UTF-16. Undocumented properties are kept, with a warning if
/// one is set or resembles a documented name.
package struct AppConfigurationReader {
  /// The maximum size of one configuration's keys and values, in bytes.
  static let maximumSize = 1 << 20

  let file: DocumentFile<ConfigurationKind>

  /// Creates a reader of one file, which messages cite as `file`.
  package init(file: String) {
    self.file = DocumentFile(file)
  }

  /// Reads one or more configurations from `bytes`.
  ///
  /// - Throws: ``AppConfigurationError`` if a configuration cannot be read, or if there is none.
  package func read(
    _ bytes: [UInt8]
  ) throws(AppConfigurationError) -> [AppConfigurationDocument] {
    let root = try file.root(of: bytes)
    var documents: [AppConfigurationDocument] = []
    for object in try objects(in: root) { documents.append(try document(object, in: root)) }
    return documents
  }

  // MARK: Objects

  /// Returns the objects that may be configurations: the root, the elements of its list, or its `value`.
  func objects(in root: JSONValue) throws(AppConfigurationError) -> [JSONValue] {
    let list = root["value"] ?? root
    let objects: [JSONValue]
    switch list.kind {
    case .array(let elements): objects = elements
    case .object: objects = [list]
    case .null, .bool, .number, .string:
      throw file.failure(
        .noConfiguration, list.position,
        "expected an app configuration or a list of them, found \(list.kindName)")
    }
    guard !objects.isEmpty else {
      throw file.failure(.noConfiguration, list.position, "the list holds no app configuration")
    }
    return objects
  }

  func document(
    _ object: JSONValue, in root: JSONValue
  ) throws(AppConfigurationError) -> AppConfigurationDocument {
    guard object.members != nil else {
      throw file.failure(
        .noConfiguration, object.position, "expected an app configuration, found \(object.kindName)"
      )
    }
    switch ConfigurationType(of: object, in: root) {
    case .managedApps: return try document(object, .managedApps)
    case .tenantDefault:
      var document = try document(object, .managedApps)
      document.isDefault = true
      return document
    case .managedDevices: return try document(object, .managedDevices)
    case .other(let words, let position):
      throw file.failure(
        .otherType, position,
        "expected an app configuration for iOS (`#microsoft.graph.\(ConfigurationType.names[0])` or "
          + "`#microsoft.graph.\(ConfigurationType.names[1])`), found \(words)")
    case .unstated:
      if let wrapped = WrappedDocument(
        of: [.managedAppConfiguration, .managedDeviceConfiguration], in: object, or: root)
      {
        throw file.failure(
          .noConfiguration, wrapped.position,
          "the object has no property of an app configuration; \(wrapped.hint)")
      }
      throw file.failure(
        .noConfiguration, object.position,
        "the object has no property of an app configuration, such as `customSettings` or "
          + "`settings`")
    }
  }

  private func document(
    _ object: JSONValue, _ channel: AppConfigurationDocument.Channel
  ) throws(AppConfigurationError) -> AppConfigurationDocument {
    var reader = DocumentReader(object, channel, in: file)
    return try reader.read()
  }
}

// MARK: - Object types

/// The type of a Graph object, reduced from ``ObjectType`` to what this reader needs.
enum ConfigurationType {
  /// `targetedManagedAppConfiguration`.
  case managedApps
  /// `iosMobileAppConfiguration`.
  case managedDevices
  /// `defaultManagedAppProtection`. Its `customSettings` apply to all users whom no other policy targets.
  case tenantDefault
  /// Another type: its description and position.
  case other(String, Position)
  case unstated

  static let names = ["targetedManagedAppConfiguration", "iosMobileAppConfiguration"]

  /// Determines the type of an object in the document `root`.
  init(of object: JSONValue, in root: JSONValue) {
    guard let type = ObjectType(of: object, in: root) else {
      self = .unstated
      return
    }
    self =
      switch type.kind {
      case .managedAppConfiguration: .managedApps
      case .managedDeviceConfiguration: .managedDevices
      case .tenantDefault: .tenantDefault
      case .targeting: .unstated
      case .iOSPolicy, .otherPolicy, .conditionalAccessPolicy, .other:
        .other(type.words() + type.use, type.position)
      }
  }
}

/// App configurations for iOS: Graph's `targetedManagedAppConfiguration` and `iosMobileAppConfiguration`.
enum ConfigurationKind: AppDocumentKind {
  typealias ErrorCode = AppConfigurationErrorCode
  typealias WarningCode = AppConfigurationWarningCode

  static let indefiniteName = "an app configuration"
  static let definiteName = "the configuration"
  static let appWithoutBundleID: AppConfigurationWarningCode? = nil

  /// Joins the words for an error message: `` one of `a`, `b` ``.
  static func list(_ words: [String]) -> String {
    "one of " + words.map { "`\($0)`" }.joined(separator: ", ")
  }

  /// Returns the documented properties of a configuration.
  ///
  /// Source: Microsoft Graph, resource types `targetedManagedAppConfiguration`, `iosMobileAppConfiguration`
  /// and `defaultManagedAppProtection`, v1.0 and beta.
  static func properties(of channel: AppConfigurationDocument.Channel) -> KnownProperties {
    switch channel {
    case .managedApps: managedApps
    case .managedDevices: managedDevices
    }
  }

  private static let common = [
    "assignments", "createdDateTime", "description", "displayName", "id", "lastModifiedDateTime",
    "roleScopeTagIds", "settings", "version",
  ]

  private static let managedApps = KnownProperties([
    .any: common + [
      "appGroupType", "apps", "customSettings", "deployedAppCount", "deploymentSummary",
      "isAssigned", "targetedAppManagementLevels",
    ]
  ])

  private static let managedDevices = KnownProperties([
    .any: common + [
      "deviceStatusSummary", "deviceStatuses", "encodedSettingXml", "targetedMobileApps",
      "userStatusSummary", "userStatuses",
    ]
  ])
}

// MARK: - Folders

/// A folder of exports. Every JSON file is a candidate, because backup tools store app configurations among
/// other objects, in folders that each tool names differently.
package struct AppConfigurationFolder {
  private let folder: ExportFolder

  package init(name: String) {
    folder = ExportFolder(name: name)
  }

  /// Returns the sorted paths that may hold configurations. Assignments and hidden files are left out.
  ///
  /// - Parameter paths: Relative paths, separated by `/`.
  package func candidates(among paths: some Sequence<String>) -> [String] {
    folder.withoutAssignments(folder.documents(among: paths))
  }

  /// Returns all iOS configurations in `files`. If files were skipped, the first one carries a warning.
  ///
  /// - Parameter scripts: Other files of the folder, which the error names if there is no configuration.
  /// - Throws: An ``AppConfigurationError`` for each file with an unreadable configuration, or one if there is no
  ///   configuration.
  package func configurations(
    in files: [ExportFolder.File], beside scripts: [ExportFolder.File] = []
  ) throws(DocumentErrors<AppConfigurationErrorCode>) -> [AppConfigurationDocument] {
    let contents = try folder.contents(of: files, beside: scripts) {
      file throws(AppConfigurationError) in try configurations(in: file)
    }
    var documents = contents.documents
    guard !documents.isEmpty else {
      throw DocumentErrors([
        AppConfigurationError(
          .noConfiguration, file: folder.name, contents.absence(of: "app configuration for iOS"))
      ])
    }
    if let message = contents.skipping(without: "an app configuration for iOS") {
      documents[0].warnings.append(
        AppConfigurationWarning(.skippedFiles, file: folder.name, message))
    }
    return documents
  }

  private func configurations(
    in file: ExportFolder.File
  ) throws(AppConfigurationError) -> [AppConfigurationDocument] {
    let reader = AppConfigurationReader(file: folder.path(of: file))
    let root: JSONValue
    do throws(AppConfigurationError) {
      root = try reader.file.root(of: file.bytes)
    } catch {
      // A malformed file may be of any kind, unless it names a configuration type.
      guard file.mentions(ConfigurationType.names) else { return [] }
      throw error
    }
    var documents: [AppConfigurationDocument] = []
    for object in (try? reader.objects(in: root)) ?? [] {
      switch ConfigurationType(of: object, in: root) {
      case .managedApps, .managedDevices: documents.append(try reader.document(object, in: root))
      case .tenantDefault where object["customSettings"]?.array?.isEmpty == false:
        documents.append(try reader.document(object, in: root))
      // Policies have custom settings of their own.
      case .tenantDefault, .other, .unstated: continue
      }
    }
    return documents
  }
}
