import JSON
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

  /// Whether the file holds a policy for iOS, or what is meant to be one and cannot be read.
  public func concerns(_ file: File) -> Bool {
    do throws(PolicyError) {
      return try !policies(in: [file]).isEmpty
    } catch {
      return error.code != .noPolicy
    }
  }

  /// All policies for iOS in `files`. What had to be skipped is a warning of the first.
  ///
  /// - Parameter files: The candidates.
  /// - Throws: ``PolicyError`` where a policy cannot be read, and where there is none at all.
  public func policies(in files: [File]) throws(PolicyError) -> [PolicyDocument] {
    var documents: [PolicyDocument] = []
    var skipped = Skipped()
    for file in files {
      let reader = PolicyReader(file: "\(name)/\(file.path)")
      guard let root = try root(of: file, reader) else {
        skipped.others += 1
        continue
      }
      let objects = try policies(in: root, reader, &skipped)
      documents += try reader.documents(from: objects)
    }
    guard !documents.isEmpty else {
      throw PolicyError(
        .noPolicy, file: name, at: Position(line: 1, column: 1),
        "the folder holds no app protection policy for iOS"
          + (skipped.words.map { ", only \($0)" } ?? ""))
    }
    if let words = skipped.words {
      documents[0].warnings.append(
        PolicyWarning(
          .skippedFiles, file: name, at: Position(line: 1, column: 1),
          "skipped \(words); files that say whom policies are assigned to are not read"))
    }
    return documents
  }

  /// nil for what is broken, or no object and no list, in a folder that may hold anything.
  private func root(of file: File, _ reader: PolicyReader) throws(PolicyError) -> JSONValue? {
    do {
      return try reader.root(of: file.bytes)
    } catch {
      let name = Array(GraphType.iOSName.utf8)
      guard liesInPolicyFolder(file.path) || file.bytes.contains(name) else { return nil }
      throw error
    }
  }

  /// The objects of a file that are to be read as policies for iOS.
  private func policies(
    in root: JSONValue, _ reader: PolicyReader, _ skipped: inout Skipped
  ) throws(PolicyError) -> [JSONValue] {
    guard let objects = try? reader.objects(in: root) else {
      skipped.others += 1
      return []
    }
    var policies: [JSONValue] = []
    var isOther = true
    for object in objects {
      switch GraphType(of: object) {
      case .iOSPolicy: policies.append(object)
      case .unstated where Self.hasSetting(object): policies.append(object)
      case .foreign(let foreign):
        guard let platform = foreign.platform else { continue }
        skipped.policies[platform, default: 0] += 1
      case .unstated: continue
      }
      isOther = false
    }
    if isOther { skipped.others += 1 }
    return policies
  }

  /// What was not read.
  private struct Skipped {
    /// By platform.
    var policies: [String: Int] = [:]
    /// Files.
    var others = 0

    /// `2 policies for Android and 1 other file`; nil where there is nothing.
    var words: String? {
      var parts = policies.sorted { $0.key < $1.key }.map { platform, count in
        "\(count) \(count == 1 ? "policy" : "policies") for \(platform)"
      }
      if others > 0 { parts.append("\(others) other \(others == 1 ? "file" : "files")") }
      guard let last = parts.popLast() else { return nil }
      return parts.isEmpty ? last : parts.joined(separator: ", ") + " and " + last
    }
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
  private func liesInPolicyFolder(_ path: String) -> Bool {
    let folders = Self.parts(of: name) + Self.parts(of: path).dropLast()
    return folders.contains { Self.policyFolders.contains($0.filter { !$0.isWhitespace }) }
  }

  /// Whether an object without a type is an app protection policy: it states a setting of one.
  private static func hasSetting(_ object: JSONValue) -> Bool {
    (object.members ?? []).contains { Setting(rawValue: $0.name)?.holder == .policy }
  }
}
