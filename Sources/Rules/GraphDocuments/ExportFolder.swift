package import Encodings

/// A document in an export, such as a policy.
package protocol ExportedDocument {
  /// The document's id in the tenant; nil if the file states none.
  var id: String? { get }
  var displayName: String { get }
  /// The path of the file as the user gave it.
  var file: String { get }
  var position: Position { get }
}

/// A document that is assigned to groups. Some tools store its assignments in a separate file.
package protocol AssignableDocument: ExportedDocument {
  /// The assignments; nil if the document's file states none.
  var assignments: [Assignment]? { get set }
}

/// A folder of exported documents, as a backup tool writes it.
package struct ExportFolder: Sendable {
  /// A file of the folder. The path is relative to the folder and separated by `/`.
  package struct File: Sendable {
    package var path: String
    package var bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) {
      self.path = path
      self.bytes = bytes
    }

    /// Returns whether the file contains one of the texts, such as the name of a type. The file need not be valid JSON.
    package func mentions(_ types: [String]) -> Bool {
      types.contains { bytes.contains(Array($0.utf8)) }
    }
  }

  /// The folder's path as the user gave it, without a trailing slash. In messages, paths of files begin with it.
  package let name: String

  package init(name: String) {
    let trimmed = name.reversed().drop { $0 == "/" }.reversed()
    self.name = String(trimmed)
  }

  /// Returns the paths of the JSON files, without hidden files and files in hidden folders.
  ///
  /// - Parameter paths: Paths relative to the folder, separated by `/`.
  package func documents(among paths: some Sequence<String>) -> [String] {
    paths.filter { path in
      let parts = Self.parts(of: path)
      return parts.last?.hasSuffix(".json") == true && !parts.contains { $0.hasPrefix(".") }
    }
  }

  /// Returns the paths outside folders named `assignments`, sorted. In such folders, some tools store assignments
  /// separately from their documents.
  package func withoutAssignments(_ paths: [String]) -> [String] {
    paths.filter { !Self.parts(of: $0).dropLast().contains("assignments") }.sorted()
  }

  /// Returns the paths of JSON files in folders named `assignments`, sorted. In such folders, some tools store
  /// assignments separately from their documents.
  package func assignmentFiles(among paths: some Sequence<String>) -> [String] {
    documents(among: paths).filter { Self.parts(of: $0).dropLast().contains("assignments") }
      .sorted()
  }

  /// A file with the assignments of one document, separate from the document. Its name is `<id> - <name>.json` or
  /// `<name>.json`.
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

    /// The path of the folder that contains the folder `assignments`.
    private var parent: Substring {
      path.split(separator: "/").dropLast(2).last.flatMap { path[..<$0.endIndex] } ?? ""
    }

    /// Returns whether the file contains the document's assignments. The file must be named after the document, and the
    /// document must be in the folder that contains the folder `assignments`, at any depth.
    fileprivate func belongs(to document: some AssignableDocument) -> Bool {
      isOf(id: document.id, displayName: document.displayName)
        && document.file.hasPrefix(parent + "/")
    }

    /// Returns whether the file's name contains the id or the name of a document.
    package func isOf(id: String?, displayName: String) -> Bool {
      let displayName = displayName.lowercased()
      if name == displayName { return true }
      guard let id = id?.lowercased(), name.hasPrefix(id) else {
        return name.hasSuffix(" - " + displayName)
      }
      return true
    }
  }

  /// Reads assignment files, and adds their assignments to the documents that have none. A file belongs to the document
  /// whose id or name is in the file's name.
  package func attach(_ files: [File], to documents: inout [some AssignableDocument]) {
    let read = files.compactMap { AssignmentFile($0, in: self) }
    for index in documents.indices where documents[index].assignments == nil {
      documents[index].assignments =
        read.first { $0.belongs(to: documents[index]) }?.assignments
    }
  }

  /// Returns the paths of other tools' scripts and configurations, sorted, without hidden files and files in hidden
  /// folders. No documents are read from them; ``naming(_:)`` mentions them in messages.
  package func scripts(among paths: some Sequence<String>) -> [String] {
    paths.filter { path in
      ForeignText.isScript(path) && !Self.parts(of: path).contains { $0.hasPrefix(".") }
    }.sorted()
  }

  /// Returns the end of a message about a folder without documents of the requested kind: each recognised kind of file
  /// in the folder, with the first file of that kind. Empty if no kind is recognised.
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

  /// The documents of one kind that were found in a folder's files.
  package struct Contents<Document> {
    package var documents: [Document]
    /// The number of files in which no document of the kind was found.
    fileprivate var skipped: Int
    /// The end of the error message for a folder without documents: the kinds of files that the folder contains
    /// instead.
    fileprivate var naming: String

    /// Returns the message that the folder contains no document.
    ///
    /// - Parameter noun: The kind of document, without an article.
    package func absence(of noun: String) -> String {
      "the folder contains no \(noun)" + (skipped > 0 ? ", only \(words) of other kinds" : "")
        + naming
    }

    /// Returns the message about the files that were skipped because they contain no document; nil if no file was
    /// skipped.
    ///
    /// - Parameter noun: The kind of document, with an article.
    package func skipping(without noun: String) -> String? {
      skipped > 0 ? "skipped \(words) without \(noun)" : nil
    }

    private var words: String { "\(skipped) \(skipped == 1 ? "file" : "files")" }
  }

  /// Reads the documents in a folder's files.
  ///
  /// - Parameters:
  ///   - files: The files that may contain documents.
  ///   - scripts: Further files of the folder. If there are no documents, ``Contents/absence(of:)`` mentions them.
  ///   - read: Returns the documents in one file; empty if the file contains another kind.
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

  /// Returns a description of a file's first object. Nil for malformed JSON, unknown types, policies of other
  /// platforms, and default policies of tenants.
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

  /// Returns the file's path as messages show it, with the folder's name.
  package func path(of file: File) -> String { "\(name)/\(file.path)" }

  /// Returns the components of a path, in lower case.
  package static func parts(of path: String) -> [String] {
    path.lowercased().split(separator: "/").map(String.init)
  }
}
