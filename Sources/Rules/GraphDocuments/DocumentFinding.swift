public import Diagnostics
public import JSON

/// A mistake in a file of documents, with its place: an error or a warning, as its rule says.
public struct DocumentFinding<Rule: DocumentRule>: Sendable, Hashable, CustomStringConvertible {
  /// The rules that a file can break.
  public typealias Code = Rule

  public var code: Code
  /// The path of the file as the user named it.
  public var file: String
  public var position: Position
  /// The message, in lower case, without full stop, with user input in backticks.
  public var message: String

  /// Creates a finding.
  ///
  /// - Parameter position: The place at fault; the beginning of the file where all of it is meant.
  public init(
    _ code: Code, file: String, at position: Position = Position(line: 1, column: 1),
    _ message: String
  ) {
    self.code = code
    self.file = file
    self.position = position
    self.message = message
  }

  public var diagnostic: Diagnostic {
    Diagnostic(.file(file, position), message, rule: code.rawValue, severity: code.severity)
  }

  /// The finding as a line: `file:line:column: error: message [code]`, or `warning` or `note` in place of `error`.
  public var description: String { diagnostic.description }
}

extension Sequence {
  /// The findings as lines, in the order of their files and places.
  public func inOrder<Rule>() -> [String] where Element == DocumentFinding<Rule> {
    sorted { $0.diagnostic.precedes($1.diagnostic) }.map(\.description)
  }
}

extension DocumentFinding: Error where Rule: DocumentErrorCode {}

/// A rule that files with one kind of document can break.
public protocol DocumentRule: RawRepresentable<String>, Hashable, Sendable {
  var severity: Severity { get }
}
