internal import Cryptography
internal import Encodings
package import JSON
internal import Output
package import Simulation

/// The work of a run, before it is split: all its shards have the same plan.
package struct Plan: Sendable {
  /// The command, such as `run`.
  package var command: String
  /// The version of Sluice, with its commit where that is known.
  package var version: String
  /// The options on which results depend, as a command line has them.
  package var options: [String]
  /// The digests of all files that the run reads, by path, in hexadecimal (SHA-256).
  package var files: [String: String]
  /// The pieces, in the order in which reports show them.
  package var pieces: [Piece]
  /// The facts that the command needs for its reports, as JSON.
  package var facts: String

  /// The plan of a run.
  ///
  /// - Parameter facts: writes the members of an object.
  package init(
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
  package func check(paths: [String]) throws(RunError) {
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

// MARK: - Pieces

/// A piece of work that a run does in one go, on devices of its own, such as a case.
package struct Piece: Sendable, Hashable {
  /// The file that the piece is from, as the user named it; empty where it is from none.
  package var file: String
  /// The name of the piece, which the same file may have twice.
  package var name: String
  /// The number of its steps, by which the time is guessed that it will take.
  package var steps: Int

  /// A piece of `steps` steps.
  package init(file: String, name: String, steps: Int) {
    self.file = file
    self.name = name
    self.steps = steps
  }
}

// MARK: - JSON

extension Plan {
  private static let schema = "sluice-blob-1"

  /// The plan as one line of JSON, without its break: two plans are the same where their lines are.
  var line: String {
    let line = JSONWriter.objectLine { writer in
      writer.member("schema", Self.schema)
      writer.member("command", command)
      writer.member("version", version)
      writer.strings("options", options)
      writer.object("files") { writer in
        for (path, digest) in files.sorted(by: { $0.key < $1.key }) {
          writer.member(named: path) { $0.string(digest) }
        }
      }
      writer.array("pieces") { writer in
        for piece in pieces { piece.write(to: &writer) }
      }
      writer.member("facts", json: facts.utf8)
    }
    return String(line.dropLast())
  }

  /// Reads what ``line`` writes; nil where the value is something else.
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

// MARK: - Digests of files

/// The digests of the files that a run reads.
package enum InputDigests {
  /// The digests of files, by path, in hexadecimal (SHA-256).
  ///
  /// - Throws: ``RunError`` where one cannot be read.
  package static func of(files: [String]) throws(RunError) -> [String: String] {
    var digests: [String: String] = [:]
    for file in files where digests[file] == nil {
      digests[file] = Hexadecimal.text(sha256(try InputFile.bytes(file)))
    }
    return digests
  }
}
