/// A folder of exports, as backup tools lay them out.
public struct ExportFolder: Sendable {
  /// A file of the folder: its path below the folder, with `/` between, and what it holds.
  public struct File: Sendable {
    public var path: String
    public var bytes: [UInt8]

    public init(path: String, bytes: [UInt8]) {
      self.path = path
      self.bytes = bytes
    }

    /// Whether one of the types is named in it, be the rest broken.
    package func mentions(_ types: [String]) -> Bool {
      types.contains { bytes.contains(Array($0.utf8)) }
    }
  }

  /// The folder as the user named it, without a slash at its end. Messages and origins cite files below it.
  public let name: String

  public init(name: String) {
    let trimmed = name.reversed().drop { $0 == "/" }.reversed()
    self.name = String(trimmed)
  }

  /// Those of `paths`, relative ones with `/` between, that are JSON files, without hidden ones.
  package func documents(among paths: some Sequence<String>) -> [String] {
    paths.filter { path in
      let parts = Self.parts(of: path)
      return parts.last?.hasSuffix(".json") == true && !parts.contains { $0.hasPrefix(".") }
    }
  }

  /// Those of `paths` that are documents themselves, sorted: some tools put whom they are assigned to beside them.
  package func withoutAssignments(_ paths: [String]) -> [String] {
    paths.filter { !Self.parts(of: $0).dropLast().contains("assignments") }.sorted()
  }

  /// The path by which messages cite a file.
  package func path(of file: File) -> String { "\(name)/\(file.path)" }

  /// The folders and the file of a path, lower case.
  package static func parts(of path: String) -> [String] {
    path.lowercased().split(separator: "/").map(String.init)
  }
}
