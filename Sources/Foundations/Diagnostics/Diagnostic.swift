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
