internal import Cryptography
package import Encodings
internal import Glibc
package import Model
internal import Output
package import Simulation
internal import Synchronization

/// The output of a shard, which consists of its plan and the result of each piece.
package struct Blob: Sendable {
  package let file: String
  package let plan: Plan
  /// The blob's first line, which contains the plan.
  let planLine: String
  package let shard: Shard
  /// The results, keyed by piece number from 0.
  package let results: [Int: PieceResult]
  /// The texts of files to which results refer, keyed by path.
  package let texts: [String: String]

  // MARK: Reading

  /// Reads a complete blob.
  ///
  /// - Parameter known: A blob that has already been read. If its plan line is equal, its parsed plan is reused.
  /// - Throws: ``RunError`` if the file cannot be read, is not a blob, is truncated or has been changed.
  package static func read(_ file: String, besides known: Blob? = nil) throws(RunError) -> Blob {
    var blob: Blob?
    // The plan is a single line that contains all cases, so it can be long.
    try JournalLines.read(file, longest: 1 << 28) { (lines) throws(RunError) in
      var reader = BlobReader(file, lines, besides: known)
      blob = try reader.blob()
    }
    guard let blob else { throw BlobReader.nothing(file) }
    return blob
  }
}

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
      .file(file), "this is not a blob; expected a file of `--blob`", rule: "blob")
  }

  mutating func blob() throws(RunError) -> Blob {
    guard let first = try lines.next(), let plan = plan(in: first) else {
      throw Self.nothing(file)
    }
    process(first)
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
      process(line)
      if let name = value["file"]?.string, let text = value["text"]?.string {
        texts[name] = text
      } else {
        let (number, result) = try result(value, (shard, results.count, pieces.count))
        guard pieces.contains(number), results[number] == nil else {
          throw mistake("the piece \(number) is repeated or belongs to another shard")
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

  /// Returns the plan line as text. To save memory, reuses the string of ``known`` if it has an equal plan line.
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
    process(line)
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
      process(line)
      do throws(JournalFormatError) {
        events.append(try JournalEvent(line: String(decoding: line, as: UTF8.self)))
      } catch {
        throw mistake(error.message, column: error.position.column)
      }
    }
    return (number, PieceResult(members: members, events: events))
  }

  private mutating func process(_ line: ArraySlice<UInt8>) {
    line.withUnsafeBytes { digest.update($0) }
    [UInt8(ascii: "\n")].withUnsafeBytes { digest.update($0) }
  }

  private mutating func check(_ value: JSONValue, _ end: Int, _ count: Int) throws(RunError) {
    guard end == count, value["digest"]?.string == Hexadecimal.text(digest.finalize()) else {
      throw RunError(
        .path(file), "the blob was changed after its shard wrote it: its digest differs",
        rule: "blob")
    }
    guard try lines.next() == nil else { throw mistake("data follows the blob's end") }
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
      "the blob of shard \(shard) is cut off after \(count) of \(all) pieces: the shard is still running, or only a part of the file was copied",
      rule: "blob")
  }

  private func mistake(_ message: String, column: Int = 1) -> RunError {
    RunError(
      .file(file, Position(line: lines.number, column: column)), message, rule: "blob")
  }
}

// MARK: - Blob files

/// Finds and reads blobs in files and folders.
package enum BlobFiles {
  /// The file name extension of blobs in folders.
  package static let ending = ".blob"

  /// Reads the blobs at the paths concurrently. For a folder, reads all of its `.blob` files.
  ///
  /// - Throws: ``RunError`` if a file is not a complete blob, or a folder contains none.
  package static func read(_ paths: [String]) throws(RunError) -> [Blob] {
    var files: [String] = []
    for path in paths { files += try self.files(in: path) }
    guard let path = files.first else { return [] }
    let first = try Blob.read(path)
    let others = try ThreadPool.ofAllCores.perform(Array(files.dropFirst())) {
      _, file throws(RunError) in
      try Blob.read(file, besides: first)
    }
    return [first] + others
  }

  private static func files(in path: String) throws(RunError) -> [String] {
    guard let folder = InputFolder(path) else { return [path] }
    let names = folder.names.filter { $0.hasSuffix(ending) }.sorted()
    guard !names.isEmpty else {
      throw RunError(.path(path), "the folder contains no blob (`\(ending)`)", rule: "blob")
    }
    var files: [String] = []
    for name in names { files.append(try folder.file(name)) }
    return files
  }
}

// MARK: - Writing

/// Writes a shard's blob while the shard runs.
///
/// Until the shard has ended, the data is in a file beside the blob. The file's name ends in
/// `.part`. A crash therefore cannot leave a blob that looks complete.
package final class BlobWriter: Sendable {
  /// The suffix of incomplete blobs.
  package static let openEnding = ".part"

  private let path: String
  private let open: String
  private let state: Mutex<State>

  private struct State {
    var descriptor: Int32
    var digest = SHA256Digest()
    var count = 0
    var isWhole = false
  }

  /// Starts a blob with the plan.
  ///
  /// - Parameter pieces: The numbers of the shard's pieces.
  /// - Throws: ``RunError`` if the file cannot be written.
  package init(
    to path: String, _ plan: Plan, _ shard: Shard, pieces: [Int]
  ) throws(RunError) {
    self.path = path
    var status = stat()
    // This is checked before the work starts, because the final rename cannot replace a folder.
    guard stat(path, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR else {
      throw RunError(unwritable: path, EISDIR)
    }
    // The name is unique, because a host that was considered lost may still be writing the same
    // shard.
    open = "\(path).\(Self.host)-\(getpid())\(Self.openEnding)"
    unlink(open)
    let descriptor = Glibc.open(open, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw RunError(unwritable: path, errno) }
    state = Mutex(State(descriptor: descriptor))
    try write(plan.line + "\n")
    try write(
      JSONWriter.objectLine { writer in
        writer.member("shard", shard.description)
        writer.numbers("pieces", pieces.sorted())
      })
  }

  private static var host: String {
    var name = utsname()
    guard uname(&name) == 0 else { return "host" }
    return withUnsafeBytes(of: name.nodename) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// Adds the result of a piece, with the events of the piece's device.
  ///
  /// - Parameter members: Writes the members of the result's JSON object.
  /// - Throws: ``RunError`` if the file cannot be written.
  package func add(
    piece: Int, events: [JournalEvent] = [], _ members: (inout JSONWriter) -> Void
  ) throws(RunError) {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("piece", piece)
      writer.member("events", events.count)
      writer.object("result", members)
    }
    writer.endLine()
    for event in events {
      event.write(to: &writer)
      writer.endLine()
    }
    try write(writer.text, pieces: 1)
  }

  /// Adds the text of a file to which results refer.
  ///
  /// - Throws: ``RunError`` if the file cannot be written.
  package func add(text: String, of file: String) throws(RunError) {
    try write(
      JSONWriter.objectLine { writer in
        writer.member("file", file)
        writer.member("text", text)
      })
  }

  /// Completes the blob, and renames the file to its final name.
  ///
  /// - Throws: ``RunError`` if the file cannot be completed.
  package func end() throws(RunError) {
    let (count, digest) = state.withLock { ($0.count, $0.digest) }
    try write(
      JSONWriter.objectLine { writer in
        writer.member("end", count)
        writer.member("digest", Hexadecimal.text(digest.finalize()))
      })
    let isSynced = state.withLock { state in
      let isSynced = fsync(state.descriptor) == 0 || errno == EINVAL
      let isClosed = close(state.descriptor) == 0
      state.descriptor = -1
      return isSynced && isClosed
    }
    guard isSynced, rename(open, path) == 0 else { throw RunError(unwritable: path, errno) }
    state.withLock { $0.isWhole = true }
  }

  deinit {
    let (descriptor, isWhole) = state.withLock { ($0.descriptor, $0.isWhole) }
    if descriptor >= 0 { close(descriptor) }
    if !isWhole { unlink(open) }
  }

  private func write(_ text: String, pieces: Int = 0) throws(RunError) {
    let isWritten = state.withLock { state in
      state.count += pieces
      var text = text
      return text.withUTF8 { bytes in
        state.digest.update(UnsafeRawBufferPointer(bytes))
        return Self.write(bytes[...], to: state.descriptor)
      }
    }
    guard isWritten else { throw RunError(unwritable: path, errno) }
  }

  private static func write(
    _ bytes: Slice<UnsafeBufferPointer<UInt8>>, to descriptor: Int32
  ) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(
        descriptor, UnsafeBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}
