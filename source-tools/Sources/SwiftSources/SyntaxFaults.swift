internal import Encodings
public import Output
internal import SwiftDiagnostics
internal import SwiftParserDiagnostics
internal import SwiftSyntax

/// The errors that prevent a file from being read as Swift.
public struct SyntaxFaults: Error, Equatable {
  /// The errors, in the order of the source.
  public let diagnostics: [Output.Diagnostic]

  init(of tree: SourceFileSyntax, file: String, _ lines: LineIndex) {
    guard tree.hasError else {
      diagnostics = []
      return
    }
    let errors = ParseDiagnosticsGenerator.diagnostics(for: tree).filter {
      $0.diagMessage.severity == .error
    }
    diagnostics = errors.map { error in
      let position = lines.position(at: error.position.utf8Offset)
      return Output.Diagnostic(
        .file(file, position), Self.quoted(error.message), rule: "syntax")
    }
  }

  init(notText file: String, _ position: Position) {
    diagnostics = [
      Output.Diagnostic(
        .file(file, position), "not UTF-8; expected Swift source text", rule: "encoding")
    ]
  }

  init(nested file: String, _ position: Position) {
    diagnostics = [
      Output.Diagnostic(
        .file(file, position),
        "brackets are nested too deeply; the maximum depth is \(BracketDepth.squareLimit) for "
          + "square brackets, and \(BracketDepth.limit) for all brackets", rule: "nesting")
    ]
  }

  init(unread file: String, _ message: String) {
    diagnostics = [Output.Diagnostic(.path(file), message, rule: "parser")]
  }

  /// Creates the error from the diagnostics that the child process reports.
  init(_ diagnostics: [Output.Diagnostic]) {
    self.diagnostics = diagnostics
  }

  /// The maximum length of a message, in characters. It is limited because the parser's messages
  /// may quote a whole file.
  private static let sentenceLimit = 300

  /// Returns the parser's message with backticks instead of apostrophes around code. If the message exceeds the limit,
  /// it is truncated and keeps its apostrophes.
  private static func quoted(_ message: String) -> String {
    guard message.count <= sentenceLimit else { return message.prefix(sentenceLimit) + "…" }
    let parts = message.split(separator: "'", omittingEmptySubsequences: false)
    return parts.count % 2 == 1 ? parts.joined(separator: "`") : message
  }
}
