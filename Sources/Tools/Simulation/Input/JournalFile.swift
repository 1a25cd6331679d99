internal import Encodings
internal import Foundation
package import Model
internal import Output
package import Scenario

package enum JournalFile {
  /// Reads the events of a journal, in order. Reading begins at the byte `start`, which must be the start of a line. A
  /// line that is not an event is an error.
  package static func read(
    _ path: String, from start: Int = 0
  ) throws(RunError) -> [JournalEvent] {
    var events: [JournalEvent] = []
    let piece = JournalPiece(bytes: start..<Int.max, linesBefore: 0)
    try JournalLines.read(path, start == 0 ? nil : piece) { (lines) throws(RunError) in
      while let line = try lines.next() {
        guard let text = String(validating: line, as: UTF8.self) else {
          throw RunError(.file(path), "the file is not UTF-8", rule: "file")
        }
        do throws(JournalFormatError) {
          events.append(try JournalEvent(line: text))
        } catch {
          let number = lines.number + (start == 0 ? 0 : try linesBefore(start, in: path))
          let place = Position(line: number, column: error.position.column)
          throw RunError(.file(path, place), error.message, rule: "journal")
        }
      }
    }
    return events
  }

  private static func linesBefore(_ start: Int, in path: String) throws(RunError) -> Int {
    try InputFile.bytes(path).prefix(start).count { $0 == UInt8(ascii: "\n") }
  }

  /// Returns the name of the only case in a journal; nil if the journal has no case or several.
  package static func caseName(of path: String) throws(RunError) -> CaseName? {
    var names: [CaseName] = []
    try JournalLines.read(path) { (lines) throws(RunError) in
      while let line = try lines.next() {
        // The name of an event is near the beginning of its line.
        guard String(decoding: line.prefix(96), as: UTF8.self).contains(#""event":"case.began""#)
        else { continue }
        let event = try? JournalEvent(line: String(decoding: line, as: UTF8.self))
        if let name = event.flatMap(CaseName.init) { names.append(name) }
      }
    }
    return names.count == 1 ? names[0] : nil
  }

  /// The readable events of a journal, and the error of the first unreadable line.
  package struct Remains {
    package var events: [JournalEvent] = []
    /// The number of lines that are not events, because they are incomplete or from a newer version.
    package var unread = 0
    package var problem: RunError?

    /// A sentence about the unreadable lines; nil if there are none.
    package var note: String? {
      problem.map { problem in
        let lines = unread == 1 ? "a line" : "\(unread) lines"
        return "\(lines) of the journal could not be read; the first error: \(problem)"
      }
    }
  }

  /// Reads as much of a journal as possible. A journal without any event is an error.
  package static func remains(of path: String) throws(RunError) -> Remains {
    var remains = Remains()
    try JournalLines.read(path) { (lines) throws(RunError) in
      while let line = try lines.next() {
        do throws(JournalFormatError) {
          remains.events.append(try JournalEvent(line: String(decoding: line, as: UTF8.self)))
        } catch {
          remains.unread += 1
          let place = Position(line: lines.number, column: error.position.column)
          remains.problem =
            remains.problem ?? RunError(.file(path, place), error.message, rule: "journal")
        }
      }
    }
    guard remains.events.isEmpty else { return remains }
    throw remains.problem
      ?? RunError(.file(path), "it contains no events", rule: "journal")
  }
}

// MARK: - Lines

/// The lines of a journal, read in pieces because journals may be larger than memory.
package struct JournalLines {
  private let path: String
  private let descriptor: Int32
  private let longest: Int
  private var buffer: [UInt8] = []
  private var start = 0
  /// The end of the bytes that have been searched for a line break: there is none between `start` and this index.
  private var searched = 0
  private var isAtEnd = false
  /// The number of the last line returned, from 1.
  package private(set) var number = 0
  /// Whether the last line returned has no line break, because its writer had not finished.
  package private(set) var isOpenEnded = false

  /// The number of bytes that have not yet been read, up to the end of the piece.
  private var left: Int

  private static let piece = 1 << 18
  /// The maximum length of a line, in bytes. Devices write much shorter lines.
  package static let longest = 1 << 24

  /// Opens the journal, calls `body` with the lines of `piece`, and closes the journal. If `piece` is nil, `body` gets
  /// all lines.
  package static func read(
    _ path: String, _ piece: JournalPiece? = nil, longest: Int = longest,
    _ body: (inout JournalLines) throws(RunError) -> Void
  ) throws(RunError) {
    let descriptor = try InputFile.opened(path)
    defer { close(descriptor) }
    // A device such as `/dev/zero` has neither lines nor an end.
    var status = stat()
    let isDevice = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
    var lines = JournalLines(
      path: path, descriptor: descriptor, longest: isDevice ? min(longest, Self.longest) : longest,
      left: piece?.bytes.count ?? .max)
    if let piece {
      lines.number = piece.linesBefore
      let start = off_t(piece.bytes.lowerBound)
      guard start == 0 || lseek(descriptor, start, SEEK_SET) == start else {
        throw InputFile.unreadable(path)
      }
    }
    try body(&lines)
  }

  private init(path: String, descriptor: Int32, longest: Int, left: Int) {
    self.path = path
    self.longest = longest
    self.descriptor = descriptor
    self.left = left
  }

  /// Returns the next line without its line break; nil at the end. Empty lines are skipped. A line that is too long is
  /// an error.
  package mutating func next() throws(RunError) -> ArraySlice<UInt8>? {
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = buffer[start..<end]
        start = end + 1
        searched = start
        number += 1
        if !line.isEmpty { return line }
      } else if isAtEnd {
        guard start < buffer.count else { return nil }
        defer { (start, searched) = (buffer.count, buffer.count) }
        number += 1
        isOpenEnded = true
        return buffer[start...]
      } else {
        searched = buffer.count
        guard searched - start <= longest else {
          throw RunError(
            .file(path, Position(line: number + 1, column: 1)),
            "the line is longer than the maximum of \(longest >> 20) MiB", rule: "journal")
        }
        try readOn()
      }
    }
  }

  private mutating func readOn() throws(RunError) {
    buffer.removeSubrange(..<start)
    searched -= start
    start = 0
    var (got, failure) = (0, Int32(0))
    buffer += [UInt8](unsafeUninitializedCapacity: min(Self.piece, left)) { piece, count in
      got = Foundation.read(descriptor, piece.baseAddress, piece.count)
      failure = got < 0 ? errno : 0
      count = max(got, 0)
    }
    left -= max(got, 0)
    isAtEnd = got == 0
    if failure != 0, failure != EINTR { throw InputFile.unreadable(path) }
  }
}

// MARK: - Pieces

/// A piece of a journal that consists of complete lines.
package struct JournalPiece: Sendable, Equatable {
  package var bytes: Range<Int>
  package var linesBefore: Int

  /// Divides the journal into `count` pieces of about equal size. Some pieces may be empty.
  ///
  /// - Throws: ``RunError`` if the file cannot be read, or several pieces of a pipe are requested.
  package static func pieces(of path: String, count: Int) throws(RunError) -> [JournalPiece] {
    // A pipe can be read only once.
    guard count > 1 else { return [JournalPiece(bytes: 0..<Int.max, linesBefore: 0)] }
    let descriptor = try InputFile.opened(path)
    defer { close(descriptor) }
    let size = Int(lseek(descriptor, 0, SEEK_END))
    guard size >= 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw RunError(
        .path(path), "it is not a regular file, and cannot be read in pieces", rule: "file")
    }
    var cuts = Cuts(at: (1..<count).map { size / count * $0 })
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let got = read(descriptor, &buffer, buffer.count)
      if got > 0 { cuts.append(buffer[..<got]) } else if got == 0 || errno != EINTR { break }
    }
    return cuts.pieces(upTo: size)
  }
}

/// The positions at which a journal is cut into pieces. Each cut is at the beginning of the first line at or after a
/// wanted position.
private struct Cuts {
  private var wanted: ArraySlice<Int>
  private var found: [(offset: Int, lines: Int)] = [(0, 0)]
  private var offset = 0
  private var lines = 0

  init(at places: [Int]) { wanted = places[...] }

  mutating func append(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !wanted.isEmpty, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      lines += 1
      rest = rest[(end + 1)...]
      let next = offset + end + 1 - bytes.startIndex
      while let place = wanted.first, place <= next {
        found.append((next, lines))
        wanted.removeFirst()
      }
    }
    offset += bytes.count
  }

  func pieces(upTo size: Int) -> [JournalPiece] {
    let all = found + wanted.map { _ in (offset: size, lines: lines) }
    return zip(all, all.dropFirst().map(\.offset) + [max(size, 0)]).map { cut, end in
      JournalPiece(bytes: cut.offset..<max(end, cut.offset), linesBefore: cut.lines)
    }
  }
}

// MARK: Growing journals

/// A reader of a growing journal. Each call of ``next()`` returns the complete lines added since the previous call.
///
/// If the device is reset, or its folder is replaced, the new journal is read from its beginning.
package struct GrowingJournal: Sendable {
  private let path: String
  /// The position after the last complete line, in bytes.
  private var position = 0
  /// The identity of the file; nil before the first read.
  private var file: Identity?
  /// The number of lines that could not be read as events, for example because a newer version wrote them.
  package private(set) var unread = 0
  /// Whether the last read reached the end of the journal.
  package private(set) var isAtEnd = false
  /// Whether the journal existed at the last read.
  package private(set) var isThere = false
  /// The number of times that a new journal has replaced the previous journal.
  package private(set) var successors = 0

  /// The identity of a file. A file that replaces it has a different identity.
  private struct Identity: Equatable {
    var device: dev_t
    var node: ino_t
  }

  /// The maximum number of bytes per read. It exceeds the maximum length of a line.
  private static let piece = 1 << 24

  package init(_ path: String) { self.path = path }

  /// Reads at most 16 MiB more of the journal, and returns the events in it. Returns an empty array if there are no new
  /// events, or if the journal can no longer be read.
  ///
  /// - Throws: ``RunError`` if the first read fails, or if a line is longer than journals allow.
  package mutating func next() throws(RunError) -> [JournalEvent] {
    let bytes: [UInt8]
    do {
      bytes = try readNew()
      isThere = true
    } catch {
      isThere = false
      isAtEnd = true
      if file == nil { throw error }
      return []
    }
    isAtEnd = bytes.count < Self.piece
    guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else {
      if isAtEnd { return [] }
      throw RunError(
        .file(path), "a line is longer than 16 MiB, the limit for lines of journals",
        rule: "journal")
    }
    position += end + 1
    return bytes[..<end].split(separator: UInt8(ascii: "\n")).compactMap { line in
      let event = try? JournalEvent(line: String(decoding: line, as: UTF8.self))
      if event == nil { unread += 1 }
      return event
    }
  }

  private mutating func readNew() throws(RunError) -> [UInt8] {
    // Do not block on a pipe.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw InputFile.unreadable(path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw InputFile.unreadable(path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw RunError(
        .file(path), "this is not a regular file, so it cannot be a journal", rule: "file")
    }
    let found = Identity(device: status.st_dev, node: status.st_ino)
    if let file, file != found || status.st_size < position { begin() }
    file = found
    return try InputFile.bytes(of: descriptor, at: path, from: position, atMost: Self.piece)
  }

  private mutating func begin() {
    position = 0
    unread = 0
    successors += 1
  }
}
