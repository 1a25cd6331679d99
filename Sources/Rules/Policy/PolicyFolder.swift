package import Encodings
package import GraphDocuments
internal import Output

/// Finds and reads policies in a folder, in the layouts of backup tools.
///
/// | tool | folder | file |
/// | --- | --- | --- |
/// | IntuneBackupAndRestore | `App Protection Policies` | `<name>.json`, and `Assignments/<id> - <name>.json` |
/// | IntuneCD | `App Protection` | `<name>_iosManagedAppProtection.json` |
/// | IntuneManagement | `AppProtection` | `<name>.json` |
///
/// All three tools mix the policies of every platform in one folder, and some also put app configurations there. In any
/// other folder, all JSON files are candidates.
extension ExportFolder {
  /// Returns the paths of the files that may contain policies, sorted: the JSON files in the tools' folders or, if
  /// there are no such folders, all JSON files. Assignment files and hidden files are left out.
  ///
  /// - Parameter paths: Paths relative to the folder, separated by `/`.
  package func candidates(among paths: some Sequence<String>) -> [String] {
    let files = documents(among: paths)
    let exported = files.filter(liesInPolicyFolder)
    return withoutAssignments(exported.isEmpty ? files : exported)
  }

  /// Returns all iOS policies in `files`. The warnings about skipped policies and files are added to the first policy.
  ///
  /// - Parameters:
  ///   - files: The files that may contain policies.
  ///   - scripts: The other files of the folder, which the error mentions if there is no policy.
  /// - Throws: ``PolicyErrors`` with the errors of all files, or with one error if no file contains a policy.
  package func policies(
    in files: [File], beside scripts: [File] = []
  ) throws(PolicyErrors) -> [PolicyDocument] {
    let survey = survey(files, beside: scripts)
    let errors = survey.files.flatMap(\.errors) + [survey.absence].compactMap(\.self)
    guard errors.isEmpty else { throw PolicyErrors(errors) }
    var documents = survey.files.flatMap(\.policies).map(\.document)
    documents[0].warnings += survey.warnings
    return documents
  }

  /// The names of the folders in which tools store policies, in lower case, without spaces.
  private static let policyFolders: Set<String> = ["appprotectionpolicies", "appprotection"]

  /// Returns whether the file is inside a folder in which a tool stores policies. The export folder itself, or one of
  /// its parent folders, can also be the tool's folder.
  private func liesInPolicyFolder(_ path: String) -> Bool {
    let folders = Self.parts(of: name) + Self.parts(of: path).dropLast()
    return folders.contains { Self.policyFolders.contains($0.filter { !$0.isWhitespace }) }
  }

  package struct Survey: Sendable {
    /// The files with iOS policies. Also the files with errors, if they are in a tool's policy folder or contain the
    /// name of the type of iOS policies.
    package var files: [SurveyedFile] = []
    /// The warnings about skipped policies and files.
    package var warnings: [PolicyWarning] = []
    /// The error if the folder contains neither policies nor files with errors; otherwise nil.
    package var absence: PolicyError?
  }

  package struct SurveyedFile: Sendable {
    package var policies: [(document: PolicyDocument, object: JSONValue)] = []
    /// The errors in the file; empty if it could be read.
    package var errors: [PolicyError] = []
  }

  /// Reads the files independently, so errors in one file do not affect the others.
  ///
  /// - Parameters:
  ///   - files: The files that may contain policies.
  ///   - scripts: The other files of the folder, which the error mentions if there is no policy.
  package func survey(_ files: [File], beside scripts: [File] = []) -> Survey {
    var survey = Survey()
    var skipped = Skipped()
    for file in files {
      var surveyed = SurveyedFile()
      do throws(PolicyErrors) {
        surveyed.policies = try PolicyErrors.collecting { errors throws(PolicyError) in
          try policies(in: file, &skipped, collecting: &errors)
        }
      } catch {
        surveyed.errors = error.errors
      }
      if !surveyed.errors.isEmpty || !surveyed.policies.isEmpty { survey.files.append(surveyed) }
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
    var message = "the folder contains no app protection policy for iOS"
    if let words = skipped.words { message += ", only \(words)" }
    if let wrapped = skipped.wrapped.first {
      message += "; in `\(wrapped.file)`, \(wrapped.policy.hint)"
    } else {
      message += naming(files)
    }
    return PolicyError(.noPolicy, folder: name, message)
  }

  private func warnings(about skipped: Skipped) -> [PolicyWarning] {
    let summary = skipped.words.map { words in
      PolicyWarning(.skippedFiles, folder: name, "skipped \(words)")
    }
    return [summary].compactMap(\.self)
      + skipped.wrapped.map { file, policy in
        PolicyWarning(
          .wrappedPolicy, file: file, at: policy.position,
          "the file is not a policy; \(policy.hint)")
      }
  }

  private func policies(
    in file: File, _ skipped: inout Skipped, collecting errors: inout PolicyKind.ErrorCollector
  ) throws(PolicyError) -> [(document: PolicyDocument, object: JSONValue)] {
    let reader = PolicyReader(file: DocumentFile(path(of: file)))
    var duplicates = PolicyKind.ErrorCollector()
    guard let root = try root(of: file, reader, collecting: &duplicates) else {
      skipped.others += 1
      return []
    }
    errors.add(duplicates)
    let objects = objects(in: root, reader, &skipped)
    return Array(zip(reader.documents(from: objects, in: root, collecting: &errors), objects))
  }

  /// Returns the file's JSON value. Nil if the file is malformed and nothing suggests that it contains a policy.
  private func root(
    of file: File, _ reader: PolicyReader, collecting errors: inout PolicyKind.ErrorCollector
  ) throws(PolicyError) -> JSONValue? {
    let isExpected = { liesInPolicyFolder(file.path) || file.mentions([GraphType.iOSName]) }
    do throws(PolicyError) {
      let root = try reader.file.root(of: file.bytes, collecting: &errors)
      return errors.isEmpty || isExpected() ? root : nil
    } catch {
      guard isExpected() else { return nil }
      throw error
    }
  }

  /// Returns the objects in a file that are iOS policies. Counts everything else in `skipped`.
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

  /// The policies and files that were skipped, for messages.
  private struct Skipped {
    /// The number of skipped policies by platform.
    var policies: [String: Int] = [:]
    var others = 0
    /// The skipped files that contain a policy inside another object or in a text.
    var wrapped: [(file: String, policy: WrappedDocument)] = []

    /// The number of skipped policies and files in words: `2 policies for Android and 1 other file`. Nil if there are
    /// none.
    var words: String? {
      var parts = policies.sorted { $0.key < $1.key }.map { platform, count in
        "\(count) \(count == 1 ? "policy" : "policies") for \(platform)"
      }
      if others > 0 { parts.append("\(others) other \(others == 1 ? "file" : "files")") }
      return parts.isEmpty ? nil : ListFormat.all(of: parts)
    }
  }
}
