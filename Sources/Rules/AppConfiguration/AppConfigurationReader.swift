public import GraphDocuments
internal import JSON

/// Reads app configurations as Microsoft Graph exports them.
///
/// Accepts a single `targetedManagedAppConfiguration` or `iosMobileAppConfiguration`, an array of them, and Graph's
/// answers `{"value": …}`, in UTF-8 or UTF-16. Properties that are not documented are kept, with a warning where
/// one is nearly a documented name.
public struct AppConfigurationReader {
  /// The maximum size of the keys and values of one configuration, in bytes.
  public static let maximumSize = 1 << 20

  let file: DocumentFile<ConfigurationKind>
  private let parser: PropertyListParser

  /// Creates a reader of one file.
  ///
  /// - Parameters:
  ///   - file: The name by which messages cite the file.
  ///   - parser: The parser for the property list of `encodedSettingXml`.
  public init(file: String, parser: @escaping PropertyListParser) {
    self.file = DocumentFile(file)
    self.parser = parser
  }

  /// Reads the configurations in `bytes`, at least one.
  ///
  /// - Throws: ``AppConfigurationError`` where a configuration cannot be read, and where there is none.
  public func read(
    _ bytes: [UInt8]
  ) throws(AppConfigurationError) -> [AppConfigurationDocument] {
    let root = try file.root(of: bytes)
    var documents: [AppConfigurationDocument] = []
    for object in try objects(in: root) { documents.append(try document(object, in: root)) }
    return documents
  }

  // MARK: parts of a file

  /// The objects that may be configurations: the root itself, or the elements of its list.
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
    var reader = DocumentReader(object, channel, in: file, parser: parser)
    return try reader.read()
  }
}
