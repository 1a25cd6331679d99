import Foundation
import Model

/// The events of a journal that grows, each of which is read once.
struct FollowedJournal {
  private let path: String
  /// The length in bytes of the lines that have been read.
  private var length: UInt64 = 0
  private(set) var events: [JournalEvent.Kind] = []

  init(of path: String) { self.path = path }

  /// Reads the whole lines that were added since the last call.
  mutating func readOn() {
    guard let file = FileHandle(forReadingAtPath: path),
      (try? file.seek(toOffset: length)) != nil,
      let added = try? file.readToEnd(), let end = added.lastIndex(of: UInt8(ascii: "\n"))
    else { return }
    length += UInt64(end - added.startIndex + 1)
    events += added[..<end].split(separator: UInt8(ascii: "\n")).compactMap {
      try? JournalEvent(line: String(decoding: $0, as: UTF8.self)).kind
    }
  }
}
