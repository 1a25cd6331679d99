internal import Diagnostics
internal import Foundation
internal import JSON
public import Model

/// A journal on disk.
public enum JournalFile {
  /// All events of a journal, in their order.
  ///
  /// - Parameter start: the position to begin at, in bytes: the beginning of a line.
  /// - Throws: ``RunError`` where the file cannot be read, or a line is no event.
  public static func read(
    _ path: String, from start: Int = 0
  ) throws(RunError) -> [JournalEvent] {
    var events: [JournalEvent] = []
    let lines = try InputFile.text(path, from: start).split(separator: "\n")
    for (index, line) in lines.enumerated() {
      do {
        events.append(try JournalEvent(line: String(line)))
      } catch {
        let before = try InputFile.bytes(path).prefix(start).count { $0 == UInt8(ascii: "\n") }
        let place = Position(line: before + index + 1, column: error.position.column)
        throw RunError(.file(path, place), error.message, rule: "journal")
      }
    }
    return events
  }
}
