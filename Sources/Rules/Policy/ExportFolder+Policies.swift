public import GraphDocuments

/// A folder of exported policies, as backup tools lay it out.
///
/// | tool | folder | file |
/// | --- | --- | --- |
/// | IntuneBackupAndRestore | `App Protection Policies` | `<name>.json`, and `Assignments/<id> - <name>.json` |
/// | IntuneCD | `App Protection` | `<name>_iosManagedAppProtection.json` |
/// | IntuneManagement | `AppProtection` | `<name>.json` |
///
/// All three put the policies of every platform side by side, and some put app configurations there. In
/// any other folder all JSON files are candidates.
extension ExportFolder {
  /// The paths among `paths` that may hold policies, sorted; relative, with `/` between: the JSON files in the
  /// tools' folders, or all JSON files where there is no such folder. Assignments and hidden files are left out.
  public func candidates(among paths: some Sequence<String>) -> [String] {
    let files = documents(among: paths)
    let exported = files.filter(liesInPolicyFolder)
    return withoutAssignments(exported.isEmpty ? files : exported)
  }

  /// Whether policies have their assignments in files of their own among `paths`, which are not read.
  public func assignsPolicies(among paths: some Sequence<String>) -> Bool {
    let files = documents(among: paths)
    let exported = files.filter(liesInPolicyFolder)
    return hasAssignments(among: exported.isEmpty ? files : exported)
  }

  /// All policies for iOS in `files`. Files that had to be skipped are a warning of the first policy.
  ///
  /// - Parameters:
  ///   - files: The candidates.
  ///   - scripts: Other files of the folder, which are named where it holds no policy.
  /// - Throws: ``PolicyError`` where a policy cannot be read, and where there is none at all.
  public func policies(
    in files: [File], beside scripts: [File] = []
  ) throws(PolicyError) -> [PolicyDocument] {
    let survey = survey(files, beside: scripts)
    if let error = survey.files.lazy.compactMap(\.error).first ?? survey.absence { throw error }
    var documents = survey.files.flatMap(\.policies).map(\.document)
    documents[0].warnings += survey.warnings
    return documents
  }

  /// The names of the tools' folders, in lower case, without spaces.
  private static let policyFolders: Set<String> = ["appprotectionpolicies", "appprotection"]

  /// Whether the user named one of the tools' folders, or the file lies in one below.
  func liesInPolicyFolder(_ path: String) -> Bool {
    let folders = Self.parts(of: name) + Self.parts(of: path).dropLast()
    return folders.contains { Self.policyFolders.contains($0.filter { !$0.isWhitespace }) }
  }
}
