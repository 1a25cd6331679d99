internal import JSON

extension Plan {
  static let schema = "sluice-blob-1"

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
