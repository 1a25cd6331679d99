import Transfer

/// A folder of exported policies, as backup tools lay it out.
///
/// | tool | folder | file |
/// | --- | --- | --- |
/// | IntuneBackupAndRestore | `App Protection Policies` | `<name>.json`, and `Assignments/<id> - <name>.json` |
/// | IntuneCD | `App Protection` | `<name>_iosManagedAppProtection.json` |
/// | IntuneManagement | `AppProtection` | `<name>.json` |
///
/// All three put the policies of every platform side by side, and some put app configurations there. Of
/// any other folder all JSON files are candidates.
public struct ExportFolder: Sendable {
  /// A file of the folder: its path below the folder, with `/` between, and what it holds.
  public struct File: Sendable {
    public var path: String
    public var bytes: [UInt8]

    public init(path: String, bytes: [UInt8]) {
      self.path = path
      self.bytes = bytes
    }
  }

  /// The folder as the user named it, without a slash at its end. Messages and origins cite files below it.
  public let name: String

  public init(name: String) {
    let trimmed = name.reversed().drop { $0 == "/" }.reversed()
    self.name = trimmed.isEmpty && name.hasPrefix("/") ? "" : String(trimmed)
  }

  /// Those of `paths`, relative ones with `/` between, that may hold policies, sorted: the JSON files in the
  /// tools' folders, or all JSON files where there is no such folder. Assignments and hidden files are none.
  public func candidates(among paths: some Sequence<String>) -> [String] {
    let files = paths.filter { path in
      let parts = Self.parts(of: path)
      return parts.last?.hasSuffix(".json") == true && !parts.contains { $0.hasPrefix(".") }
    }
    let exported = files.filter(liesInPolicyFolder)
    let candidates = exported.isEmpty ? files : exported
    return candidates.filter { !Self.parts(of: $0).dropLast().contains("assignments") }.sorted()
  }

  /// All policies for iOS in `files`. What had to be skipped is a warning of the first.
  ///
  /// - Parameter files: The candidates.
  /// - Throws: ``PolicyError`` where a policy cannot be read, and where there is none at all.
  public func policies(in files: [File]) throws(PolicyError) -> [PolicyDocument] {
    let survey = survey(files)
    if let error = survey.files.lazy.compactMap(\.error).first ?? survey.absence { throw error }
    var documents = survey.files.flatMap(\.policies).map(\.document)
    documents[0].warnings += survey.warnings
    return documents
  }
}

extension ExportFolder {
  /// Lower case, without spaces.
  private static let policyFolders: Set<String> = ["appprotectionpolicies", "appprotection"]

  /// The folders and the file of a path, lower case.
  private static func parts(of path: String) -> [String] {
    path.lowercased().split(separator: "/").map(String.init)
  }

  /// Whether the user named one of the tools' folders, or the file lies in one below.
  func liesInPolicyFolder(_ path: String) -> Bool {
    let folders = Self.parts(of: name) + Self.parts(of: path).dropLast()
    return folders.contains { Self.policyFolders.contains($0.filter { !$0.isWhitespace }) }
  }
}
