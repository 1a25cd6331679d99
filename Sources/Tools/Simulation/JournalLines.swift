internal import Diagnostics
internal import Foundation
internal import JSON

/// The lines of a journal, read piece by piece: journals may be larger than memory.
struct JournalLines {
  private let path: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var start = 0
  /// How far there is no line break behind `start`.
  private var searched = 0
  private var isAtEnd = false
  /// The number of the line that came last, from 1.
  private(set) var number = 0
  /// Whether the line that came last has no line break: whoever wrote it had not finished.
  private(set) var isOpenEnded = false

  private static let piece = 1 << 18
  /// The most bytes that a line may have: a device writes no longer one by far.
  private static let longest = 1 << 24

  /// Opens the journal for `body`, and closes it.
  ///
  /// - Throws: ``RunError`` where the file cannot be read, and what `body` throws.
  static func read(
    _ path: String, _ body: (inout JournalLines) throws(RunError) -> Void
  ) throws(RunError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw InputFile.unreadable(path) }
    defer { close(descriptor) }
    var lines = JournalLines(path: path, descriptor: descriptor)
    try body(&lines)
  }

  private init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  /// The next line without its line break; nil at the end. Empty lines are skipped.
  ///
  /// - Throws: ``RunError`` where the file cannot be read on.
  mutating func next() throws(RunError) -> ArraySlice<UInt8>? {
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
        guard searched - start <= Self.longest else {
          throw RunError(
            .file(path, Position(line: number + 1, column: 1)),
            "the line is longer than 16 MiB, as none of a journal is", rule: "journal")
        }
        try readOn()
      }
    }
  }

  private mutating func readOn() throws(RunError) {
    buffer.removeSubrange(..<start)
    searched -= start
    start = 0
    let count = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: Self.piece))
    let got = buffer.withUnsafeMutableBytes { bytes in
      Foundation.read(descriptor, bytes.baseAddress.map { $0 + count }, Self.piece)
    }
    buffer.removeLast(Self.piece - max(got, 0))
    isAtEnd = got == 0
    if got < 0, errno != EINTR { throw InputFile.unreadable(path) }
  }
}
