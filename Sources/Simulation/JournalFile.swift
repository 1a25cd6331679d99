internal import Foundation
public import Transfer

/// A journal on disk.
public enum JournalFile {
  /// All events, in their order.
  ///
  /// - Throws: ``RunError`` where a line is no event.
  public static func read(_ path: String) throws(RunError) -> [JournalEvent] {
    var events: [JournalEvent] = []
    for (index, line) in try InputFile.text(path).split(separator: "\n").enumerated() {
      do {
        events.append(try JournalEvent(line: String(line)))
      } catch {
        throw RunError("\(path):\(index + 1):1: error: \(error) [journal]")
      }
    }
    return events
  }
}
