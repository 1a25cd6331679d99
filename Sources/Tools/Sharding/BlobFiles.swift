internal import Diagnostics
public import Simulation

/// Blobs in files that a user names.
public enum BlobFiles {
  /// The end of the names of blobs in folders.
  public static let ending = ".blob"

  /// Reads blobs, each a file or a folder that is searched for `.blob`, several at a time.
  ///
  /// - Throws: ``RunError`` where a file is no whole blob, or a folder has none.
  public static func read(_ paths: [String]) throws(RunError) -> [Blob] {
    var files: [String] = []
    for path in paths { files += try self.files(in: path) }
    guard let path = files.first else { return [] }
    let first = try Blob.read(path)
    let others = try Crew.ofAllCores.perform(Array(files.dropFirst())) { _, file throws(RunError) in
      try Blob.read(file, besides: first)
    }
    return [first] + others
  }

  private static func files(in path: String) throws(RunError) -> [String] {
    guard let folder = InputFolder(path) else { return [path] }
    let names = folder.names.filter { $0.hasSuffix(ending) }.sorted()
    guard !names.isEmpty else {
      throw RunError(.path(path), "the folder holds no blob (`\(ending)`)", rule: "blob")
    }
    var files: [String] = []
    for name in names { files.append(try folder.file(name)) }
    return files
  }
}
