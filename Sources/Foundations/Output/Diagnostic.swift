public import Encodings

/// An error, a warning or a note on one line: `file:line:column: error: message [rule]`.
public struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
  public var place: Location
  public var severity: Severity
  /// The message: lower case, no full stop, quoted input in backticks.
  public var message: String
  /// The violated rule's identifier, for programs.
  public var rule: String

  /// The subject of a diagnostic: a file, a folder or the command.
  public enum Location: Sendable, Hashable, CustomStringConvertible {
    /// A file, as the user named it, and a position in it. The default position stands for the whole file.
    case file(String, Position = Position(line: 1, column: 1))
    /// A file or folder, without a line and column.
    case path(String)
    /// No file: the diagnostic is about the command itself, or about the system that it runs on.
    case command

    public var description: String {
      switch self {
      case .file(let file, let position): "\(file):\(position.line):\(position.column)"
      case .path(let path): path
      case .command: "sluice"
      }
    }
  }

  /// Creates a diagnostic about `place`.
  public init(
    _ place: Location, _ message: String, rule: String, severity: Severity = .error
  ) {
    self.place = place
    self.severity = severity
    self.message = message
    self.rule = rule
  }

  /// The diagnostic as a line, with unprintable characters escaped.
  public var description: String {
    "\(place): \(severity.rawValue): \(message) [\(rule)]".escapingUnprintable()
  }

  /// Returns whether the diagnostic is reported before `other`. Diagnostics about the command come first. The others
  /// are in the order of file, line, column and message.
  public func precedes(_ other: Diagnostic) -> Bool { order < other.order }

  private var order: (String, Int, Int, String) {
    switch place {
    case .file(let file, let position): (file, position.line, position.column, message)
    case .path(let path): (path, 0, 0, message)
    case .command: ("", 0, 0, message)
    }
  }
}

/// The severity of a finding or diagnostic, from least to most severe.
public enum Severity: String, Sendable, CaseIterable, Comparable {
  case note, warning, error

  public static func < (left: Severity, right: Severity) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int {
    switch self {
    case .note: 0
    case .warning: 1
    case .error: 2
    }
  }
}

/// Joins words into a phrase.
public enum ListFormat {
  /// Returns `a, b or c`; empty for no words.
  public static func any(of words: [String]) -> String { join(words, "or") }

  /// Returns `a, b and c`; empty for no words.
  public static func all(of words: [String]) -> String { join(words, "and") }

  /// Returns the first `count` words and the number of remaining words: `a, b and 2 more`. Without remaining words,
  /// returns `a, b`.
  public static func first(_ count: Int, of words: some Collection<String>) -> String {
    let shown = words.prefix(count).joined(separator: ", ")
    return words.count > count ? "\(shown) and \(words.count - count) more" : shown
  }

  private static func join(_ words: [String], _ conjunction: String) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
  }
}

extension Sequence<String> {
  /// The texts without duplicates, in their original order.
  package var unique: [String] {
    let texts = Array(self)
    guard texts.count > 1 else { return texts }
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
  }
}
