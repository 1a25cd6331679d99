internal import JSON

/// A folder of exports, as backup tools lay them out.
package struct ExportFolder: Sendable {
  /// A file of the folder: its path below the folder, with `/` between, and its content.
  package struct File: Sendable {
    package var path: String
    package var bytes: [UInt8]

    /// Creates a file.
    package init(path: String, bytes: [UInt8]) {
      self.path = path
      self.bytes = bytes
    }

    /// Whether the file names one of the types, even if the rest of it is broken.
    package func mentions(_ types: [String]) -> Bool {
      types.contains { bytes.contains(Array($0.utf8)) }
    }
  }

  /// The folder as the user named it, without a slash at its end. Messages and origins cite files below it.
  package let name: String

  /// Creates a folder with the name that the user gave it.
  package init(name: String) {
    let trimmed = name.reversed().drop { $0 == "/" }.reversed()
    self.name = String(trimmed)
  }

  /// The paths among `paths`, relative ones with `/` between, of JSON files, without hidden ones.
  package func documents(among paths: some Sequence<String>) -> [String] {
    paths.filter { path in
      let parts = Self.parts(of: path)
      return parts.last?.hasSuffix(".json") == true && !parts.contains { $0.hasPrefix(".") }
    }
  }

  /// The paths of documents themselves, sorted: some tools store the documents' assignments beside them.
  package func withoutAssignments(_ paths: [String]) -> [String] {
    paths.filter { !Self.parts(of: $0).dropLast().contains("assignments") }.sorted()
  }

  /// Whether one of the paths is that of assignments that a tool stores beside documents.
  package func hasAssignments(among paths: [String]) -> Bool {
    paths.contains { Self.parts(of: $0).dropLast().contains("assignments") }
  }

  /// The paths among `paths` of scripts and configurations of other tools, sorted, without hidden ones: no reader
  /// takes them, and ``naming(_:)`` says what they are.
  package func scripts(among paths: some Sequence<String>) -> [String] {
    paths.filter { path in
      ForeignText.isScript(path) && !Self.parts(of: path).contains { $0.hasPrefix(".") }
    }.sorted()
  }

  /// The end of a message that the folder holds no document of some kind: what its files are instead, the first of each
  /// kind; empty where nothing tells that.
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

  /// The documents of one kind in the files of a folder.
  package struct Contents<Document> {
    package var documents: [Document]
    /// The number of files without such a document.
    fileprivate var skipped: Int
    /// The end of an error message for a folder without a document: the types of its files.
    fileprivate var naming: String

    /// A message that the folder holds no document; `noun` is what one is.
    package func absence(of noun: String) -> String {
      "the folder holds no \(noun)" + (skipped > 0 ? ", only \(words) of something else" : "")
        + naming
    }

    /// A message that files without a document were skipped; nil where there were none. `noun` is what one is, with its
    /// article.
    package func skipping(without noun: String) -> String? {
      skipped > 0 ? "skipped \(words) without \(noun)" : nil
    }

    private var words: String { "\(skipped) \(skipped == 1 ? "file" : "files")" }
  }

  /// Reads all files of the folder.
  ///
  /// - Parameters:
  ///   - files: The candidates.
  ///   - scripts: Other files of the folder, which are named where it holds no document.
  ///   - read: Reads the documents of one file; none: the file is of another kind.
  /// - Throws: What `read` throws.
  package func contents<Document, Failure: Error>(
    of files: [File], beside scripts: [File],
    _ read: (File) throws(Failure) -> [Document]
  ) throws(Failure) -> Contents<Document> {
    var contents = Contents<Document>(documents: [], skipped: 0, naming: "")
    for file in files {
      let found = try read(file)
      if found.isEmpty { contents.skipped += 1 }
      contents.documents += found
    }
    if contents.documents.isEmpty {
      contents.skipped += scripts.count
      contents.naming = naming(files + scripts)
    }
    return contents
  }

  /// The most files that a message names.
  private static let namedKinds = 4

  /// The first object of a file in words; nil where nothing tells its type, and for policies of other platforms, which
  /// readers count.
  private static func words(for file: File) -> String? {
    guard let root = try? JSONReader.read(file.bytes) else { return nil }
    let object = root["value"]?.array?.first ?? root.array?.first ?? root
    guard let type = ObjectType(of: object, in: root) else { return nil }
    switch type.kind {
    case .otherPolicy, .tenantDefault: return nil
    case .iOSPolicy, .managedAppConfiguration, .managedDeviceConfiguration,
      .conditionalAccessPolicy, .targeting, .other:
      return type.words() + type.use
    }
  }

  /// The path by which messages cite a file.
  package func path(of file: File) -> String { "\(name)/\(file.path)" }

  /// The folders and the file of a path, in lower case.
  package static func parts(of path: String) -> [String] {
    path.lowercased().split(separator: "/").map(String.init)
  }
}
