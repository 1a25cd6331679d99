internal import Encodings
package import GraphDocuments

/// Reads app configurations in the format in which Microsoft Graph exports them.
///
/// A file contains a `targetedManagedAppConfiguration` or `iosMobileAppConfiguration`, an array of them, or Graph's
/// response `{"value": …}`, in UTF-8 or UTF-16. Undocumented properties are kept. If such a property has a value, or a
/// name similar to a documented one, a warning reports it.
package struct AppConfigurationReader {
  /// The maximum size of a configuration's keys and values, in bytes.
  static let maximumSize = 1 << 20

  let file: DocumentFile<ConfigurationKind>

  /// Creates a reader. Messages refer to the file as `file`.
  package init(file: String) {
    self.file = DocumentFile(file)
  }

  /// Reads the configurations in a file's content.
  ///
  /// - Throws: ``AppConfigurationErrors`` if a configuration cannot be read, or if there is none.
  package func read(
    _ bytes: [UInt8]
  ) throws(AppConfigurationErrors) -> [AppConfigurationDocument] {
    try AppConfigurationErrors.collecting { errors throws(AppConfigurationError) in
      let root = try file.root(of: bytes, collecting: &errors)
      return try objects(in: root).compactMap { document($0, in: root, collecting: &errors) }
    }
  }

  // MARK: Objects

  /// Returns the objects that may be configurations. If `root` has a member `value`, reads the member instead. Returns
  /// the elements of an array, or a single object.
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
      throw file.failure(.noConfiguration, list.position, "the list contains no app configuration")
    }
    return objects
  }

  /// Reads a configuration. Returns nil if `object` is not a configuration, or if it has errors, which are added to
  /// `errors`.
  func document(
    _ object: JSONValue, in root: JSONValue,
    collecting errors: inout ConfigurationKind.ErrorCollector
  ) -> AppConfigurationDocument? {
    let kind = errors.read { () throws(AppConfigurationError) in
      try self.kind(of: object, in: root)
    }
    guard let kind else { return nil }
    var reader = DocumentReader(object, kind.channel, in: file)
    guard var document = reader.read(collecting: &errors) else { return nil }
    if kind.isDefault { document.isDefault = true }
    return document
  }

  private func kind(
    of object: JSONValue, in root: JSONValue
  ) throws(AppConfigurationError) -> (
    channel: AppConfigurationDocument.Channel, isDefault: Bool
  ) {
    guard object.members != nil else {
      throw file.failure(
        .noConfiguration, object.position, "expected an app configuration, found \(object.kindName)"
      )
    }
    switch ConfigurationType(of: object, in: root) {
    case .managedApps: return (.managedApps, false)
    case .tenantDefault: return (.managedApps, true)
    case .managedDevices: return (.managedDevices, false)
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
          "the object is not an app configuration; \(wrapped.hint)")
      }
      throw file.failure(
        .noConfiguration, object.position,
        "the object has no property of an app configuration, such as `customSettings` or "
          + "`settings`")
    }
  }

}

// MARK: - Object types

/// The type of a Graph object, as far as it matters here. ``ObjectType`` distinguishes more types.
enum ConfigurationType {
  /// `targetedManagedAppConfiguration`.
  case managedApps
  /// `iosMobileAppConfiguration`.
  case managedDevices
  /// `defaultManagedAppProtection`. Its `customSettings` apply to the users that no other policy targets.
  case tenantDefault
  /// An object of another type. The associated values are a description and its position.
  case other(String, Position)
  case unstated

  static let names = ["targetedManagedAppConfiguration", "iosMobileAppConfiguration"]

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
      case .iOSPolicy, .otherPolicy, .conditionalAccessPolicy, .user, .group, .assignmentFilter,
        .mobileApp, .other:
        .other(type.words() + type.use, type.position)
      }
  }
}

/// The kind of document that this module reads: app configurations for iOS, that is, Graph's
/// `targetedManagedAppConfiguration` and `iosMobileAppConfiguration`.
enum ConfigurationKind: AppDocumentKind {
  typealias ErrorCode = AppConfigurationErrorCode
  typealias WarningCode = AppConfigurationWarningCode

  static let indefiniteName = "an app configuration"
  static let definiteName = "the configuration"
  static let appWithoutBundleID: AppConfigurationWarningCode? = nil

  /// Returns the words as a list for an error message: `` one of `a`, `b` ``.
  static func list(_ words: [String]) -> String {
    "one of " + words.map { "`\($0)`" }.joined(separator: ", ")
  }

  /// Returns the properties that Graph documents for a configuration of this channel.
  ///
  /// Source: Microsoft Graph, resource types `targetedManagedAppConfiguration`, `iosMobileAppConfiguration` and
  /// `defaultManagedAppProtection`, v1.0 and beta.
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

/// A folder of exported files. Each JSON file may contain app configurations, because every backup tool uses different
/// folder names and stores configurations among other objects.
package struct AppConfigurationFolder {
  private let folder: ExportFolder

  package init(name: String) {
    folder = ExportFolder(name: name)
  }

  /// Returns the paths of files that may contain configurations, sorted. Files of assignments and hidden files are left
  /// out.
  ///
  /// - Parameter paths: Relative paths, separated by `/`.
  package func candidates(among paths: some Sequence<String>) -> [String] {
    folder.withoutAssignments(folder.documents(among: paths))
  }

  /// Returns all iOS configurations in `files`. If files were skipped, a warning is added to the first configuration.
  ///
  /// - Parameter scripts: Other files in the folder. If there is no configuration, the error names them.
  /// - Throws: ``AppConfigurationErrors`` of all files with an unreadable configuration, or one error if there is no
  ///   configuration.
  package func configurations(
    in files: [ExportFolder.File], beside scripts: [ExportFolder.File] = []
  ) throws(AppConfigurationErrors) -> [AppConfigurationDocument] {
    let contents = try folder.contents(of: files, beside: scripts) {
      file throws(AppConfigurationErrors) in
      try AppConfigurationErrors.collecting { errors throws(AppConfigurationError) in
        try configurations(in: file, collecting: &errors)
      }
    }
    var documents = contents.documents
    guard !documents.isEmpty else {
      throw AppConfigurationErrors([
        AppConfigurationError(
          .noConfiguration, folder: folder.name, contents.absence(of: "app configuration for iOS"))
      ])
    }
    if let message = contents.skipping(without: "an app configuration for iOS") {
      documents[0].warnings.append(
        AppConfigurationWarning(.skippedFiles, folder: folder.name, message))
    }
    return documents
  }

  private func configurations(
    in file: ExportFolder.File, collecting errors: inout ConfigurationKind.ErrorCollector
  ) throws(AppConfigurationError) -> [AppConfigurationDocument] {
    let reader = AppConfigurationReader(file: folder.path(of: file))
    let root: JSONValue
    var duplicates = ConfigurationKind.ErrorCollector()
    do throws(AppConfigurationError) {
      root = try reader.file.root(of: file.bytes, collecting: &duplicates)
    } catch {
      // A malformed file is of unknown kind unless it contains the name of a configuration type.
      guard file.mentions(ConfigurationType.names) else { return [] }
      throw error
    }
    guard duplicates.isEmpty || file.mentions(ConfigurationType.names) else { return [] }
    errors.add(duplicates)
    var documents: [AppConfigurationDocument] = []
    for object in (try? reader.objects(in: root)) ?? [] {
      switch ConfigurationType(of: object, in: root) {
      case .managedApps, .managedDevices: break
      case .tenantDefault where object["customSettings"]?.array?.isEmpty == false: break
      // The custom settings of other policies are not app configurations.
      case .tenantDefault, .other, .unstated: continue
      }
      if let document = reader.document(object, in: root, collecting: &errors) {
        documents.append(document)
      }
    }
    return documents
  }
}
