internal import Diagnostics
internal import Foundation
internal import JSON
public import Model
package import Scenario

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
  public struct Remains {
    public var events: [JournalEvent] = []
    /// The number of lines that are no events: cut, or from a newer version.
    public var unread = 0
    /// What is wrong with the first of them.
    public var problem: RunError?

    /// What is missing, in a sentence; nil where nothing is.
    public var note: String? {
      problem.map { problem in
        let lines = unread == 1 ? "a line" : "\(unread) lines"
        return "\(lines) of the journal could not be read, the first for this: \(problem)"
      }
    }
  }

  /// What can be read of a journal.
  ///
  /// - Throws: ``RunError`` where the file cannot be read, or there is no event in it.
  public static func remains(of path: String) throws(RunError) -> Remains {
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
