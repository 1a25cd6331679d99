/// A folder of exports, as backup tools lay them out.
public struct ExportFolder: Sendable {
  /// A file of the folder: its path below the folder, with `/` between, and its content.
  public struct File: Sendable {
    public var path: String
    public var bytes: [UInt8]

    /// Creates a file.
    public init(path: String, bytes: [UInt8]) {
      self.path = path
      self.bytes = bytes
    }

    /// Whether the file names one of the types, even if the rest of it is broken.
    package func mentions(_ types: [String]) -> Bool {
      types.contains { bytes.contains(Array($0.utf8)) }
    }
  }

  /// The folder as the user named it, without a slash at its end. Messages and origins cite files below it.
  public let name: String

  /// Creates a folder with the name that the user gave it.
  public init(name: String) {
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

  /// The path by which messages cite a file.
  package func path(of file: File) -> String { "\(name)/\(file.path)" }

  /// The folders and the file of a path, in lower case.
  package static func parts(of path: String) -> [String] {
    path.lowercased().split(separator: "/").map(String.init)
  }
}
