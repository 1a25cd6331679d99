package import GraphDocuments
package import JSON
internal import Output

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
  package func candidates(among paths: some Sequence<String>) -> [String] {
    let files = documents(among: paths)
    let exported = files.filter(liesInPolicyFolder)
    return withoutAssignments(exported.isEmpty ? files : exported)
  }

  /// Whether policies have their assignments in files of their own among `paths`, which are not read.
  package func assignsPolicies(among paths: some Sequence<String>) -> Bool {
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
  package func policies(
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
  private func liesInPolicyFolder(_ path: String) -> Bool {
    let folders = Self.parts(of: name) + Self.parts(of: path).dropLast()
    return folders.contains { Self.policyFolders.contains($0.filter { !$0.isWhitespace }) }
  }
}

extension ExportFolder {
  /// The content of a folder's files.
  package struct Survey: Sendable {
    /// The files with policies for iOS, and the files that should have some and cannot be read.
    package var files: [SurveyedFile] = []
    /// The warnings about policies and files that were passed over.
    package var warnings: [PolicyWarning] = []
    /// The reason why there is nothing to read; nil where there is something.
    package var absence: PolicyError?
  }

  /// A file of a folder, read.
  package struct SurveyedFile: Sendable {
    /// Each policy for iOS, and the JSON that states it.
    package var policies: [(document: PolicyDocument, object: JSONValue)] = []
    /// The reason why the file cannot be read; nil where it can.
    package var error: PolicyError?
  }

  /// Reads each file by itself, so that one that cannot be read hides no other.
  ///
  /// - Parameters:
  ///   - files: The candidates.
  ///   - scripts: Other files of the folder, which are named where it holds no policy.
  package func survey(_ files: [File], beside scripts: [File] = []) -> Survey {
    var survey = Survey()
    var skipped = Skipped()
    for file in files {
      var surveyed = SurveyedFile()
      do throws(PolicyError) {
        surveyed.policies = try policies(in: file, &skipped)
      } catch {
        surveyed.error = error
      }
      if surveyed.error != nil || !surveyed.policies.isEmpty { survey.files.append(surveyed) }
    }
    if survey.files.isEmpty {
      skipped.others += scripts.count
      survey.absence = absence(skipped, of: files + scripts)
    } else {
      survey.warnings = warnings(about: skipped)
    }
    return survey
  }

  private func absence(_ skipped: Skipped, of files: [File]) -> PolicyError {
    var message = "the folder holds no app protection policy for iOS"
    if let words = skipped.words { message += ", only \(words)" }
    if let wrapped = skipped.wrapped.first {
      message += "; in `\(wrapped.file)`, \(wrapped.policy.hint)"
    } else {
      message += naming(files)
    }
    return PolicyError(.noPolicy, file: name, message)
  }

  private func warnings(about skipped: Skipped) -> [PolicyWarning] {
    let summary = skipped.words.map { words in
      PolicyWarning(.skippedFiles, file: name, "skipped \(words)")
    }
    return [summary].compactMap(\.self)
      + skipped.wrapped.map { file, policy in
        PolicyWarning(
          .wrappedPolicy, file: file, at: policy.position, "the file is no policy; \(policy.hint)")
      }
  }

  private func policies(
    in file: File, _ skipped: inout Skipped
  ) throws(PolicyError) -> [(document: PolicyDocument, object: JSONValue)] {
    let reader = PolicyReader(file: DocumentFile(path(of: file)))
    guard let root = try root(of: file, reader) else {
      skipped.others += 1
      return []
    }
    let objects = objects(in: root, reader, &skipped)
    return Array(zip(try reader.documents(from: objects, in: root), objects))
  }

  /// The JSON value of the file; nil for a broken file, in a folder that may hold anything.
  private func root(of file: File, _ reader: PolicyReader) throws(PolicyError) -> JSONValue? {
    do throws(PolicyError) {
      return try reader.file.root(of: file.bytes)
    } catch {
      guard liesInPolicyFolder(file.path) || file.mentions([GraphType.iOSName]) else { return nil }
      throw error
    }
  }

  /// The objects of a file that are to be read as policies for iOS.
  private func objects(
    in root: JSONValue, _ reader: PolicyReader, _ skipped: inout Skipped
  ) -> [JSONValue] {
    let objects = (try? reader.objects(in: root)) ?? []
    var policies: [JSONValue] = []
    var isOther = true
    for object in objects {
      switch GraphType(of: object, in: root) {
      case .iOSPolicy: policies.append(object)
      case .foreign(let foreign):
        guard let platform = foreign.platform else { continue }
        skipped.policies[platform, default: 0] += 1
      case .unstated: continue
      }
      isOther = false
    }
    if isOther {
      skipped.others += 1
      if let wrapped = WrappedDocument(policyIn: root) {
        skipped.wrapped.append((reader.file.name, wrapped))
      }
    }
    return policies
  }

  /// The policies and files that were not read.
  private struct Skipped {
    /// The numbers of policies for other platforms, by platform.
    var policies: [String: Int] = [:]
    /// The number of other files.
    var others = 0
    /// The other files that hold a policy all the same.
    var wrapped: [(file: String, policy: WrappedDocument)] = []

    /// The skipped policies and files in words: `2 policies for Android and 1 other file`; nil where there are none.
    var words: String? {
      var parts = policies.sorted { $0.key < $1.key }.map { platform, count in
        "\(count) \(count == 1 ? "policy" : "policies") for \(platform)"
      }
      if others > 0 { parts.append("\(others) other \(others == 1 ? "file" : "files")") }
      return parts.isEmpty ? nil : Phrase.all(of: parts)
    }
  }
}
