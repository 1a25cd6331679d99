internal import Diagnostics
internal import Foundation
public import Model

/// A journal that grows, as far as it was read: each look takes the whole lines that have come since the one before.
///
/// Its device may be reset, or go away with its folder and come again: another journal is read from its beginning.
public struct JournalTail: Sendable {
  private let path: String
  /// The position after the last whole line, in bytes.
  private var position = 0
  /// The file that is read; nil before the first look.
  private var file: Identity?
  /// The number of lines that are no events, because they are from a newer version.
  public private(set) var unread = 0
  /// Whether the last look took all that there was.
  public private(set) var isAtEnd = false
  /// Whether there was a journal at the last look.
  public private(set) var isThere = false
  /// How often another journal has come in place of the one before.
  public private(set) var successors = 0

  /// What tells a file from one that comes in its place.
  private struct Identity: Equatable {
    var device: dev_t
    var node: ino_t
  }

  /// The most bytes that one look takes; more than any line has.
  private static let piece = 1 << 24

  /// A journal from its beginning.
  public init(_ path: String) { self.path = path }

  /// The next events that have come; of many, as many as one look takes. None while there is no journal.
  ///
  /// - Throws: ``RunError`` where there is no journal at the first look, or it has a line that is longer than any of a
  ///   journal.
  public mutating func next() throws(RunError) -> [JournalEvent] {
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
