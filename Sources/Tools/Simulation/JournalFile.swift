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

  /// The events of a journal that can be read, and what is wrong with the first line that cannot.
  public struct Remains {
    public var events: [JournalEvent] = []
    /// The number of lines that are no events: cut, or from a newer version.
    public var unread = 0
    /// What is wrong with the first of them.
    public var problem: RunError?
  }

  /// What can be read of a journal.
  ///
  /// - Throws: ``RunError`` where the file cannot be read.
  public static func remains(of path: String) throws(RunError) -> Remains {
    var remains = Remains()
    let lines = try InputFile.bytes(path)
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.isEmpty {
      do {
        remains.events.append(try JournalEvent(line: String(decoding: line, as: UTF8.self)))
      } catch {
        remains.unread += 1
        let place = Position(line: index + 1, column: error.position.column)
        remains.problem =
          remains.problem ?? RunError(.file(path, place), error.message, rule: "journal")
      }
    }
    return remains
  }
}
