internal import Diagnostics
public import JSON
public import Simulation

/// The work of a run, before it is split: all its shards have the same plan.
public struct Plan: Sendable {
  /// The command, such as `run`.
  public var command: String
  /// The version of Sluice, with its commit where that is known.
  public var version: String
  /// The options on which results depend, as a command line has them.
  public var options: [String]
  /// The digests of all files that the run reads, by path, in hexadecimal (SHA-256).
  public var files: [String: String]
  /// The pieces, in the order in which reports show them.
  public var pieces: [Piece]
  /// The facts that the command needs for its reports, as JSON.
  public var facts: String

  /// The plan of a run.
  ///
  /// - Parameter facts: writes the members of an object.
  public init(
    _ command: String, version: String, options: [String], files: [String: String],
    pieces: [Piece], facts: (inout JSONWriter) -> Void
  ) {
    self.command = command
    self.version = version
    self.options = options
    self.files = files
    self.pieces = pieces
    var writer = JSONWriter()
    writer.object(facts)
    self.facts = writer.text
  }

  /// Checks that files, and all below folders, are those that the run has read.
  ///
  /// - Throws: ``RunError`` where one is another, or the run has read none there.
  public func check(paths: [String]) throws(RunError) {
    for path in paths {
      // Nothing is looked at that the run has not read.
      let folder = path.hasSuffix("/") ? path : path + "/"
      let known = files.keys.filter { $0 == path || $0.hasPrefix(folder) }
      guard !known.isEmpty else {
        throw RunError(.path(path), "the shards have read no such file", rule: "merge")
      }
      let now = try InputDigests.of(files: InputFolder.files(at: path))
      for file in Set(known).union(now.keys).sorted() where now[file] != files[file] {
        throw RunError(.path(file), "the file has changed since the shards ran", rule: "merge")
      }
    }
  }
}
