internal import Diagnostics
internal import Foundation
internal import JSON

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
