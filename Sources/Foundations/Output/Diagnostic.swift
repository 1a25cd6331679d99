internal import Encodings
public import JSON

/// A problem in one line: `file:line:column: error: sentence [rule]`.
public struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
  public var place: Place
  public var severity: Severity
  /// The message: lower case, no full stop, the text that was found in backticks.
  public var message: String
  /// The violated rule, in a word that programs may look for.
  public var rule: String

  /// The subject of a diagnostic.
  public enum Place: Sendable, Hashable, CustomStringConvertible {
    /// A file, as the user named it; its beginning where the whole file is meant.
    case file(String, Position = Position(line: 1, column: 1))
    /// A file without lines, or a folder.
    case path(String)
    /// No file: the command, or the system that it runs on.
    case command

    public var description: String {
      switch self {
      case .file(let file, let position): "\(file):\(position.line):\(position.column)"
      case .path(let path): path
      case .command: "sluice"
      }
    }
  }

  /// A diagnostic about `place`.
  public init(
    _ place: Place, _ message: String, rule: String, severity: Severity = .error
  ) {
    self.place = place
    self.severity = severity
    self.message = message
    self.rule = rule
  }

  /// The problem as a line, in which characters that are not printable are escaped.
  public var description: String {
    "\(place): \(severity.rawValue): \(message) [\(rule)]".escapingUnprintable()
  }
}

extension Diagnostic {
  /// Whether the diagnostic is reported before `other`: by file, then line and column as numbers, then message.
  public func precedes(_ other: Diagnostic) -> Bool { order < other.order }

  private var order: (String, Int, Int, String) {
    switch place {
    case .file(let file, let position): (file, position.line, position.column, message)
    case .path(let path): (path, 0, 0, message)
    case .command: ("", 0, 0, message)
    }
  }
}

/// The severity of a finding or diagnostic, the mildest first.
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

/// Several words in one phrase.
public enum Phrase {
  /// `a, b or c`; empty for no words.
  public static func any(of words: [String]) -> String { join(words, "or") }

  /// `a, b and c`; empty for no words.
  public static func all(of words: [String]) -> String { join(words, "and") }

  /// The first words, and the number of the others: `a, b and 2 more`.
  public static func first(_ count: Int, of words: some Collection<String>) -> String {
    let shown = words.prefix(count).joined(separator: ", ")
    return words.count > count ? "\(shown) and \(words.count - count) more" : shown
  }

  private static func join(_ words: [String], _ conjunction: String) -> String {
    guard let last = words.last, words.count > 1 else { return words.joined() }
    return "\(words.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
  }
}
