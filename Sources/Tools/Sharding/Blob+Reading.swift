internal import Cryptography
internal import Diagnostics
internal import Encodings
internal import JSON
internal import Model
public import Simulation

extension Blob {
  /// Reads a whole blob.
  ///
  /// - Parameter known: another blob, probably of the same plan, which is not read again then; nil: none.
  /// - Throws: ``RunError`` where the file cannot be read, is no blob, is cut off, or was changed.
  public static func read(_ file: String, besides known: Blob? = nil) throws(RunError) -> Blob {
    var blob: Blob?
    // The plan is one line, of as many cases as there are.
    try JournalLines.read(file, longest: 1 << 28) { (lines) throws(RunError) in
      var reader = BlobReader(file, lines, besides: known)
      blob = try reader.blob()
    }
    guard let blob else { throw BlobReader.nothing(file) }
    return blob
  }
}

/// Reads a blob, line by line.
private struct BlobReader {
  private let file: String
  private var lines: JournalLines
  private let known: Blob?
  private var digest = SHA256Digest()

  init(_ file: String, _ lines: JournalLines, besides known: Blob?) {
    self.file = file
    self.lines = lines
    self.known = known
  }

  static func nothing(_ file: String) -> RunError {
    RunError(
      .file(file), "this is no blob; expected what `--blob` left", rule: "blob")
  }

  mutating func blob() throws(RunError) -> Blob {
    guard let first = try lines.next(), let plan = plan(in: first) else {
      throw Self.nothing(file)
    }
    take(first)
    let (shard, pieces) = try part(of: plan)
    var results: [Int: PieceResult] = [:]
    var texts: [String: String] = [:]
    while true {
      guard let line = try lines.next(), !lines.isOpenEnded else {
        throw cut(shard, results.count, of: pieces.count)
      }
      let value = try json(line)
      if let end = value["end"]?.int {
        try check(value, end, results.count)
        break
      }
      take(line)
      if let name = value["file"]?.string, let text = value["text"]?.string {
        texts[name] = text
      } else {
        let (number, result) = try result(value, (shard, results.count, pieces.count))
        guard pieces.contains(number), results[number] == nil else {
          throw mistake("the piece \(number) is none that the shard had to do, or there twice")
        }
        results[number] = result
      }
    }
    guard results.count == pieces.count else {
      throw cut(shard, results.count, of: pieces.count)
    }
    return Blob(
      file: file, plan: plan, planLine: text(of: first), shard: shard,
      results: results, texts: texts)
  }

  /// The plan's text, which blobs of one run share.
  private func text(of line: ArraySlice<UInt8>) -> String {
    if let known, line.elementsEqual(known.planLine.utf8) { return known.planLine }
    return String(decoding: line, as: UTF8.self)
  }

  private func plan(in line: ArraySlice<UInt8>) -> Plan? {
    if let known, line.elementsEqual(known.planLine.utf8) { return known.plan }
    return (try? JSONReader.read(Array(line))).flatMap(Plan.init)
  }

  private mutating func part(of plan: Plan) throws(RunError) -> (Shard, Set<Int>) {
    guard let line = try lines.next(), !lines.isOpenEnded else { throw Self.nothing(file) }
    let value = try json(line)
    guard let shard = value["shard"]?.string.flatMap({ Shard($0) }),
      let pieces = value["pieces"]?.array?.compactMap(\.int),
      pieces.allSatisfy({ plan.pieces.indices.contains($0) })
    else { throw mistake("expected the shard and the numbers of its pieces") }
    take(line)
    return (shard, Set(pieces))
  }

  private mutating func result(
    _ value: JSONValue, _ place: (shard: Shard, done: Int, of: Int)
  ) throws(RunError) -> (Int, PieceResult) {
    guard let number = value["piece"]?.int, let count = value["events"]?.int, count >= 0,
      let members = value["result"]
    else { throw mistake("expected the result of a piece") }
    var events: [JournalEvent] = []
    for _ in 0..<count {
      guard let line = try lines.next(), !lines.isOpenEnded else {
        throw cut(place.shard, place.done, of: place.of)
      }
      take(line)
      do throws(JournalFormatError) {
        events.append(try JournalEvent(line: String(decoding: line, as: UTF8.self)))
      } catch {
        throw mistake(error.message, column: error.position.column)
      }
    }
    return (number, PieceResult(members: members, events: events))
  }

  private mutating func take(_ line: ArraySlice<UInt8>) {
    line.withUnsafeBytes { digest.update($0) }
    [UInt8(ascii: "\n")].withUnsafeBytes { digest.update($0) }
  }

  private mutating func check(_ value: JSONValue, _ end: Int, _ count: Int) throws(RunError) {
    guard end == count, value["digest"]?.string == Hexadecimal.text(digest.finalize()) else {
      throw RunError(
        .path(file), "the blob was changed after its shard wrote it: its digest is another",
        rule: "blob")
    }
    guard try lines.next() == nil else { throw mistake("there is more after the blob's end") }
  }

  private func json(_ line: ArraySlice<UInt8>) throws(RunError) -> JSONValue {
    do throws(JSONSyntaxError) {
      return try JSONReader.read(Array(line))
    } catch {
      throw mistake(error.message, column: error.position.column)
    }
  }

  private func cut(_ shard: Shard, _ count: Int, of all: Int) -> RunError {
    RunError(
      .path(file),
      "the blob of shard \(shard) is cut off after \(count) of \(all) pieces: the shard has not ended, or the file was not copied whole",
      rule: "blob")
  }

  private func mistake(_ message: String, column: Int = 1) -> RunError {
    RunError(
      .file(file, Position(line: lines.number, column: column)), message, rule: "blob")
  }
}
