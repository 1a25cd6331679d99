internal import Foundation
internal import JSON
package import Model
internal import Output
package import Scenario

/// A journal on disk.
package enum JournalFile {
  /// All events of a journal, in their order.
  ///
  /// - Parameter start: the position to begin at, in bytes: the beginning of a line.
  /// - Throws: ``RunError`` where the file cannot be read, or a line is no event.
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

  /// The name of the only case that a journal tells of; nil: it tells of none or of several.
  ///
  /// - Throws: ``RunError`` where the file cannot be read.
  package static func caseName(of path: String) throws(RunError) -> CaseName? {
    var names: [CaseName] = []
    try JournalLines.read(path) { (lines) throws(RunError) in
      while let line = try lines.next() {
        // The name of an event stands near the beginning of its line.
        guard String(decoding: line.prefix(96), as: UTF8.self).contains(#""event":"case.began""#)
        else { continue }
        let event = try? JournalEvent(line: String(decoding: line, as: UTF8.self))
        if let name = event.flatMap(CaseName.init) { names.append(name) }
      }
    }
    return names.count == 1 ? names[0] : nil
  }

  /// The events of a journal that can be read, and what is wrong with the first line that cannot.
  package struct Remains {
    package var events: [JournalEvent] = []
    /// The number of lines that are no events: cut, or from a newer version.
    package var unread = 0
    /// What is wrong with the first of them.
    package var problem: RunError?

    /// What is missing, in a sentence; nil where nothing is.
    package var note: String? {
      problem.map { problem in
        let lines = unread == 1 ? "a line" : "\(unread) lines"
        return "\(lines) of the journal could not be read, the first for this: \(problem)"
      }
    }
  }

  /// What can be read of a journal.
  ///
  /// - Throws: ``RunError`` where the file cannot be read, or there is no event in it.
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
      ?? RunError(.file(path), "there is no event in it", rule: "journal")
  }
}

// MARK: - Lines

/// The lines of a journal, read piece by piece: journals may be larger than memory.
package struct JournalLines {
  private let path: String
  private let descriptor: Int32
  private let longest: Int
  private var buffer: [UInt8] = []
  private var start = 0
  /// How far there is no line break behind `start`.
  private var searched = 0
  private var isAtEnd = false
  /// The number of the line that came last, from 1.
  package private(set) var number = 0
  /// Whether the line that came last has no line break: whoever wrote it had not finished.
  package private(set) var isOpenEnded = false

  /// How many bytes of the file are still to be read.
  private var left: Int

  private static let piece = 1 << 18
  /// The most bytes that a line may have: a device writes no longer one by far.
  package static let longest = 1 << 24

  /// Opens the journal for `body`, and closes it.
  ///
  /// - Parameters:
  ///   - piece: the lines to read; nil: all.
  ///   - longest: the most bytes that a line may have.
  /// - Throws: ``RunError`` where the file cannot be read, and what `body` throws.
  package static func read(
    _ path: String, _ piece: JournalPiece? = nil, longest: Int = longest,
    _ body: (inout JournalLines) throws(RunError) -> Void
  ) throws(RunError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw InputFile.unreadable(path) }
    defer { close(descriptor) }
    // A device such as /dev/zero has neither lines nor an end.
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

  /// The next line without its line break; nil at the end. Empty lines are skipped.
  ///
  /// - Throws: ``RunError`` where the file cannot be read on.
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
            "the line is longer than \(longest >> 20) MiB, as none is", rule: "journal")
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

/// A piece of a journal, of whole lines.
package struct JournalPiece: Sendable, Equatable {
  /// The piece's place in the file.
  package var bytes: Range<Int>
  /// The number of lines before it.
  package var linesBefore: Int

  /// The journal in `count` pieces about equally large, of which some may be empty.
  ///
  /// - Throws: ``RunError`` where the file cannot be read.
  package static func pieces(of path: String, count: Int) throws(RunError) -> [JournalPiece] {
    // A pipe can be read once.
    guard count > 1 else { return [JournalPiece(bytes: 0..<Int.max, linesBefore: 0)] }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw InputFile.unreadable(path) }
    defer { close(descriptor) }
    let size = Int(lseek(descriptor, 0, SEEK_END))
    guard size >= 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw RunError(.path(path), "it is no file, and cannot be read in pieces", rule: "file")
    }
    var cuts = Cuts(at: (1..<count).map { size / count * $0 })
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let got = read(descriptor, &buffer, buffer.count)
      if got > 0 { cuts.take(buffer[..<got]) } else if got == 0 || errno != EINTR { break }
    }
    return cuts.pieces(upTo: size)
  }
}

/// The places at which a journal is cut: the first line that begins at or behind each wanted place.
private struct Cuts {
  private var wanted: ArraySlice<Int>
  private var found: [(offset: Int, lines: Int)] = [(0, 0)]
  private var offset = 0
  private var lines = 0

  init(at places: [Int]) { wanted = places[...] }

  mutating func take(_ bytes: ArraySlice<UInt8>) {
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

// MARK: - Growing journals

/// A journal that grows, as far as it was read: each look takes the whole lines that have come since the one before.
///
/// Its device may be reset, or go away with its folder and come again: another journal is read from its beginning.
package struct JournalTail: Sendable {
  private let path: String
  /// The position after the last whole line, in bytes.
  private var position = 0
  /// The file that is read; nil before the first look.
  private var file: Identity?
  /// The number of lines that are no events, because they are from a newer version.
  package private(set) var unread = 0
  /// Whether the last look took all that there was.
  package private(set) var isAtEnd = false
  /// Whether there was a journal at the last look.
  package private(set) var isThere = false
  /// How often another journal has come in place of the one before.
  package private(set) var successors = 0

  /// What tells a file from one that comes in its place.
  private struct Identity: Equatable {
    var device: dev_t
    var node: ino_t
  }

  /// The most bytes that one look takes; more than any line has.
  private static let piece = 1 << 24

  /// A journal from its beginning.
  package init(_ path: String) { self.path = path }

  /// The next events that have come; of many, as many as one look takes. None while there is no journal.
  ///
  /// - Throws: ``RunError`` where there is no journal at the first look, or it has a line that is longer than any of a
  ///   journal.
  package mutating func next() throws(RunError) -> [JournalEvent] {
    let bytes: [UInt8]
    do {
      bytes = try look()
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
        .file(path), "a line is longer than 16 MiB, as none of a journal is", rule: "journal")
    }
    position += end + 1
    return bytes[..<end].split(separator: UInt8(ascii: "\n")).compactMap { line in
      let event = try? JournalEvent(line: String(decoding: line, as: UTF8.self))
      if event == nil { unread += 1 }
      return event
    }
  }

  /// What stands behind the position.
  private mutating func look() throws(RunError) -> [UInt8] {
    // A pipe does not hold the look up.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw InputFile.unreadable(path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw InputFile.unreadable(path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw RunError(.file(path), "this is no file, and so no journal", rule: "file")
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
