internal import Diagnostics
internal import Foundation
public import Model

/// A journal that grows, as far as it was read: each look takes the whole lines that have come since the one before.
public struct JournalTail: Sendable {
  private let path: String
  /// The position after the last whole line, in bytes.
  private var position = 0
  /// The number of lines that are no events, because they are from a newer version.
  public private(set) var unread = 0
  /// Whether the last look took all that there was.
  public private(set) var isAtEnd = false

  /// The most bytes that one look takes; more than any line has.
  private static let piece = 1 << 24

  /// A journal from its beginning.
  public init(_ path: String) { self.path = path }

  /// The next events that have come; of many, as many as one look takes.
  ///
  /// - Throws: ``RunError`` where the file cannot be read, or has a line that is longer than any of a journal.
  public mutating func next() throws(RunError) -> [JournalEvent] {
    let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
    // A reset has begun the journal anew.
    if let size, size < position { position = 0 }
    let bytes = try InputFile.bytes(path, from: position, atMost: Self.piece)
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
}
