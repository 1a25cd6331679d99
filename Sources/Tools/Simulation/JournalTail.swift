internal import Foundation
public import Model

/// A journal that grows, as far as it was read: each look takes the whole lines that have come since the one before.
public struct JournalTail {
  private let path: String
  /// The position after the last whole line, in bytes.
  private var position = 0
  /// The number of lines that are no events, because they are from a newer version.
  public private(set) var unread = 0

  /// A journal from its beginning.
  public init(_ path: String) { self.path = path }

  /// The events that have come.
  ///
  /// - Throws: ``RunError`` where the file cannot be read.
  public mutating func next() throws(RunError) -> [JournalEvent] {
    let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
    // A reset has begun the journal anew.
    if let size, size < position { position = 0 }
    let bytes = try InputFile.bytes(path, from: position)
    guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    position += end + 1
    var events: [JournalEvent] = []
    for line in bytes[..<end].split(separator: UInt8(ascii: "\n")) {
      if let event = try? JournalEvent(line: String(decoding: line, as: UTF8.self)) {
        events.append(event)
      } else {
        unread += 1
      }
    }
    return events
  }
}
