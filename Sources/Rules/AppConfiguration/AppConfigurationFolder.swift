public import GraphDocuments
internal import JSON

/// A folder of exports. Backup tools store app configurations beside policies and everything else, in folders that
/// each tool names in its own way, so every JSON file is a candidate.
public struct AppConfigurationFolder {
  private let folder: ExportFolder
  private let parser: PropertyListParser

  /// Creates a folder.
  ///
  /// - Parameter name: The folder as the user named it.
  public init(name: String, parser: @escaping PropertyListParser) {
    folder = ExportFolder(name: name)
    self.parser = parser
  }

  /// The paths among `paths` that may hold configurations, sorted; relative, with `/` between. Assignments and
  /// hidden files are left out.
  public func candidates(among paths: some Sequence<String>) -> [String] {
    folder.withoutAssignments(folder.documents(among: paths))
  }

  /// All configurations for iOS in `files`. Files that had to be skipped are a warning of the first configuration.
  ///
  /// - Parameter scripts: Other files of the folder, which are named where it holds no configuration.
  /// - Throws: ``AppConfigurationError`` where a configuration cannot be read, and where there is none at all.
  public func configurations(
    in files: [ExportFolder.File], beside scripts: [ExportFolder.File] = []
  ) throws(AppConfigurationError) -> [AppConfigurationDocument] {
    let contents = try folder.contents(of: files, beside: scripts) {
      file throws(AppConfigurationError) in try configurations(in: file)
    }
    var documents = contents.documents
    guard !documents.isEmpty else {
      throw AppConfigurationError(
        .noConfiguration, file: folder.name, contents.absence(of: "app configuration for iOS"))
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
    let reader = AppConfigurationReader(file: folder.path(of: file), parser: parser)
    let root: JSONValue
    do throws(AppConfigurationError) {
      root = try reader.file.root(of: file.bytes)
    } catch {
      // A broken file may be anything, unless it says what it is.
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
