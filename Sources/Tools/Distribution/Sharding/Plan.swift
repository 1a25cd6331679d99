internal import Cryptography
package import Encodings
internal import Output
package import Simulation

/// The work of a run before it is divided into shards. All shards of a run have the same plan.
package struct Plan: Sendable {
  /// The command, such as `run`.
  package var command: String
  /// The version of Sluice, with its commit if the commit is known.
  package var version: String
  /// The options that affect results, as in a command line.
  package var options: [String]
  /// The SHA-256 digests of all files that the run reads, in hexadecimal, keyed by path.
  package var files: [String: String]
  /// The pieces, in the order of the report.
  package var pieces: [Piece]
  /// Further data that the command needs for its reports, as a JSON object.
  package var facts: String

  /// Creates the plan of a run.
  ///
  /// - Parameter facts: Writes the members of the facts' JSON object.
  package init(
    _ command: String, version: String, options: [String], files: [String: String],
    pieces: [Piece], facts: (inout JSONWriter) -> Void
  ) {
    self.command = command
    self.version = version
    self.options = options
    self.files = files
    self.pieces = pieces
    self.facts = JSONWriter.objectText(facts)
  }

  /// Checks that the files at the paths have not changed since the run read them. A path can also be a folder.
  ///
  /// - Throws: ``RunError`` if a file has changed, or if the run has read no file at one of the paths.
  package func check(paths: [String]) throws(RunError) {
    for path in paths {
      let folder = path.hasSuffix("/") ? path : path + "/"
      let known = files.keys.filter { $0 == path || $0.hasPrefix(folder) }
      guard !known.isEmpty else {
        throw RunError(
          .path(path), "the shards did not read this file; name only files that the shards read",
          rule: "merge")
      }
      let now = try InputDigests.of(files: InputFolder.files(at: path))
      for file in Set(known).union(now.keys).sorted() where now[file] != files[file] {
        throw RunError(.path(file), "the file has changed since the shards ran", rule: "merge")
      }
    }
  }
}

// MARK: - Pieces

/// A unit of work, such as a case, that runs on its own devices.
package struct Piece: Sendable, Hashable {
  /// The path of the piece's file, as the user wrote it; empty if the piece does not come from a file.
  package var file: String
  /// The name of the piece, which need not be unique in its file.
  package var name: String
  /// The number of steps. It is used to estimate the duration if no earlier report contains one.
  package var steps: Int

  package init(file: String, name: String, steps: Int) {
    self.file = file
    self.name = name
    self.steps = steps
  }
}

// MARK: - JSON

extension Plan {
  private static let schema = "sluice-blob-1"

  /// The plan as one line of JSON, without a line break. Equal plans have equal lines.
  var line: String {
    let line = JSONWriter.objectLine { writer in
      writer.member("schema", Self.schema)
      writer.member("command", command)
      writer.member("version", version)
      writer.strings("options", options)
      writer.object("files") { $0.members(of: files) { $0.string($1) } }
      writer.array("pieces", of: pieces) { $1.write(to: &$0) }
      writer.member("facts", json: facts.utf8)
    }
    return String(line.dropLast())
  }

  /// Parses a plan written as ``line``. Returns nil if the value is not a plan.
  init?(_ value: JSONValue) {
    guard value["schema"]?.string == Self.schema, let command = value["command"]?.string,
      let version = value["version"]?.string,
      let options = value["options"]?.array?.compactMap(\.string),
      let files = value["files"]?.members, let pieces = value["pieces"]?.array,
      let facts = value["facts"], facts.members != nil
    else { return nil }
    self.command = command
    self.version = version
    self.options = options
    self.files = Dictionary(
      files.map { ($0.name, $0.value.string ?? "") }, uniquingKeysWith: { $1 })
    self.pieces = pieces.compactMap(Piece.init)
    self.facts = facts.line
    guard self.pieces.count == pieces.count else { return nil }
  }
}

extension Piece {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.array { writer in
      writer.string(file)
      writer.string(name)
      writer.number(steps)
    }
  }

  fileprivate init?(_ value: JSONValue) {
    guard let parts = value.array, parts.count == 3, let file = parts[0].string,
      let name = parts[1].string, let steps = parts[2].count
    else { return nil }
    self.init(file: file, name: name, steps: steps)
  }
}

// MARK: - File digests

package enum InputDigests {
  /// Returns the SHA-256 digests of files in hexadecimal, keyed by path.
  ///
  /// - Throws: ``RunError`` if a file cannot be read.
  package static func of(files: [String]) throws(RunError) -> [String: String] {
    var digests: [String: String] = [:]
    for file in files where digests[file] == nil {
      digests[file] = Hexadecimal.text(sha256(try InputFile.bytes(file)))
    }
    return digests
  }
}
