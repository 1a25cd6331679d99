package import Encodings

/// A document in an export, such as a policy.
package protocol ExportedDocument {
  /// The id in the tenant; nil if the file states none.
  var id: String? { get }
  var displayName: String { get }
  /// The path of the file as the user gave it.
  var file: String { get }
  var position: Position { get }
}

/// A document with assignments, which some tools store in a separate file.
package protocol AssignableDocument: ExportedDocument {
  /// The assignments; nil if the file states none.
  var assignments: [Assignment]? { get set }
}

/// A folder of exports in the layout of a backup tool.
package struct ExportFolder: Sendable {
  /// A file of the folder. The path is relative to the folder and separated by `/`.
  package struct File: Sendable {
    package var path: String
    package var bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) {
      self.path = path
      self.bytes = bytes
    }

    /// Returns whether the file contains the name of one of the types, even if its JSON is malformed.
    package func mentions(_ types: [String]) -> Bool {
      types.contains { bytes.contains(Array($0.utf8)) }
    }
  }

  /// The folder as the user gave it, without a trailing slash. Messages and origins use it as the prefix of file paths.
  package let name: String

  package init(name: String) {
    let trimmed = name.reversed().drop { $0 == "/" }.reversed()
    self.name = String(trimmed)
  }

  /// Returns the paths of JSON files that are not hidden.
  ///
  /// - Parameter paths: Relative paths, separated by `/`.
  package func documents(among paths: some Sequence<String>) -> [String] {
    paths.filter { path in
      let parts = Self.parts(of: path)
      return parts.last?.hasSuffix(".json") == true && !parts.contains { $0.hasPrefix(".") }
    }
  }

  /// Returns the sorted paths without assignment files, which some tools store next to the documents.
  package func withoutAssignments(_ paths: [String]) -> [String] {
    paths.filter { !Self.parts(of: $0).dropLast().contains("assignments") }.sorted()
  }

  /// Returns the sorted paths of assignment files, which some tools store next to the documents.
  package func assignmentFiles(among paths: some Sequence<String>) -> [String] {
    documents(among: paths).filter { Self.parts(of: $0).dropLast().contains("assignments") }
      .sorted()
  }

  /// The assignments of one document in a separate file, named `<id> - <name>.json` or `<name>.json`.
  package struct AssignmentFile: Sendable {
    /// The file's name without its extension, in lower case.
    private let name: String
    package let path: String
    package let assignments: [Assignment]

    /// Reads the file; nil if it is not JSON or contains no assignments.
    package init?(_ file: File, in folder: ExportFolder) {
      guard let root = try? JSONReader.read(file.bytes),
        let assignments = Assignment.assignments(of: root)
      else { return nil }
      let parts = ExportFolder.parts(of: file.path)
      name = parts.last.map { String($0.dropLast(".json".count)) } ?? ""
      path = folder.path(of: file)
      self.assignments = assignments
    }

    /// The parent of the assignments folder.
    private var parent: Substring {
      path.split(separator: "/").dropLast(2).last.flatMap { path[..<$0.endIndex] } ?? ""
    }

    /// Returns whether the file is named after the document, and the document is below the folder that contains the
    /// assignments folder.
    fileprivate func belongs(to document: some AssignableDocument) -> Bool {
      isOf(id: document.id, displayName: document.displayName)
        && document.file.hasPrefix(parent + "/")
    }

    /// Returns whether the file is named after the document.
    package func isOf(id: String?, displayName: String) -> Bool {
      let displayName = displayName.lowercased()
      if name == displayName { return true }
      guard let id = id?.lowercased(), name.hasPrefix(id) else {
        return name.hasSuffix(" - " + displayName)
      }
      return true
    }
  }

  /// Adds assignments from `files` to documents without assignments. Files match documents by id or name.
  package func attach(_ files: [File], to documents: inout [some AssignableDocument]) {
    let read = files.compactMap { AssignmentFile($0, in: self) }
    for index in documents.indices where documents[index].assignments == nil {
      documents[index].assignments =
        read.first { $0.belongs(to: documents[index]) }?.assignments
    }
  }

  /// Returns the sorted paths of other tools' scripts and configurations that are not hidden. They are not
  /// read; ``naming(_:)`` describes them in messages.
  package func scripts(among paths: some Sequence<String>) -> [String] {
    paths.filter { path in
      ForeignText.isScript(path) && !Self.parts(of: path).contains { $0.hasPrefix(".") }
    }.sorted()
  }

  /// Returns the end of a message about a folder without documents of the requested kind. The text lists the recognised
  /// kinds of files, with the first file of each kind; empty if there are none.
  package func naming(_ files: [File]) -> String {
    var known: Set<String> = []
    var advice = ""
    var clauses: [String] = []
    for file in files where clauses.count < Self.namedKinds {
      let text = ForeignText(file.bytes, file: file.path)
      guard let words = text?.noun ?? Self.words(for: file), known.insert(words).inserted else {
        continue
      }
      clauses.append("; `\(path(of: file))` is \(words)")
      if text != nil {
        advice = "; export from Microsoft Graph, or with a tool that writes Graph's JSON"
      }
    }
    return clauses.joined() + advice
  }

  /// The documents of one kind in a folder's files.
  package struct Contents<Document> {
    package var documents: [Document]
    /// The number of files without such a document.
    fileprivate var skipped: Int
    /// The end of an error message for a folder without a document: the types of its files.
    fileprivate var naming: String

    /// Returns the message about a folder without a `noun`.
    package func absence(of noun: String) -> String {
      "the folder contains no \(noun)" + (skipped > 0 ? ", only \(words) of other kinds" : "")
        + naming
    }

    /// Returns the message about skipped files without a document; nil if there are none.
    ///
    /// - Parameter noun: The kind of document, with an article.
    package func skipping(without noun: String) -> String? {
      skipped > 0 ? "skipped \(words) without \(noun)" : nil
    }

    private var words: String { "\(skipped) \(skipped == 1 ? "file" : "files")" }
  }

  /// - Parameters:
  ///   - files: The candidates.
  ///   - scripts: Other files of the folder, named in the error if there is no document.
  ///   - read: Reads the documents of one file; empty if the file is of another kind.
  /// - Throws: The errors of all files for which `read` throws.
  package func contents<Document, Code>(
    of files: [File], beside scripts: [File],
    _ read: (File) throws(DocumentErrors<Code>) -> [Document]
  ) throws(DocumentErrors<Code>) -> Contents<Document> {
    var contents = Contents<Document>(documents: [], skipped: 0, naming: "")
    var errors: [DocumentError<Code>] = []
    for file in files {
      do throws(DocumentErrors<Code>) {
        let found = try read(file)
        if found.isEmpty { contents.skipped += 1 }
        contents.documents += found
      } catch {
        errors += error.errors
      }
    }
    guard errors.isEmpty else { throw DocumentErrors(errors) }
    if contents.documents.isEmpty {
      contents.skipped += scripts.count
      contents.naming = naming(files + scripts)
    }
    return contents
  }

  /// The maximum number of kinds of files that a message lists.
  private static let namedKinds = 4

  /// Describes a file's first object; nil for malformed JSON, unknown types, other platforms' policies and tenants'
  /// default policies.
  private static func words(for file: File) -> String? {
    guard let root = try? JSONReader.read(file.bytes) else { return nil }
    let object = root["value"]?.array?.first ?? root.array?.first ?? root
    guard let type = ObjectType(of: object, in: root) else { return nil }
    switch type.kind {
    case .otherPolicy, .tenantDefault: return nil
    case .iOSPolicy, .managedAppConfiguration, .managedDeviceConfiguration,
      .conditionalAccessPolicy, .user, .group, .assignmentFilter, .mobileApp, .targeting, .other:
      return type.words() + type.use
    }
  }

  /// Returns the file's path in messages.
  package func path(of file: File) -> String { "\(name)/\(file.path)" }

  /// Returns the components of a path, in lower case.
  package static func parts(of path: String) -> [String] {
    path.lowercased().split(separator: "/").map(String.init)
  }
}
