internal import JSON
public import Output
internal import SwiftDiagnostics
internal import SwiftParserDiagnostics
internal import SwiftSyntax

/// The reasons why a file cannot be read as Swift.
public struct SyntaxFaults: Error, Equatable {
  /// The errors, in the order of the text.
  public let diagnostics: [Output.Diagnostic]

  /// The errors that the parser found in a file.
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

  /// A file that is no UTF-8 text at `position`.
  init(notText file: String, _ position: Position) {
    diagnostics = [
      Output.Diagnostic(
        .file(file, position), "not UTF-8; expected Swift source text", rule: "encoding")
    ]
  }

  /// A file with brackets that are nested too deep at `position`.
  init(nested file: String, _ position: Position) {
    diagnostics = [
      Output.Diagnostic(
        .file(file, position),
        "brackets are nested too deep; at most \(BracketDepth.squareLimit) square ones, and "
          + "\(BracketDepth.limit) of any kind, are read", rule: "nesting")
    ]
  }

  /// A file that is not read.
  init(unread file: String, _ message: String) {
    diagnostics = [Output.Diagnostic(.path(file), message, rule: "parser")]
  }

  /// Errors that were found elsewhere.
  init(_ diagnostics: [Output.Diagnostic]) {
    self.diagnostics = diagnostics
  }

  /// The longest sentence, in characters: the parser's may quote a whole file.
  private static let sentenceLimit = 300

  /// The parser's sentence with code in backticks, where it has apostrophes.
  private static func quoted(_ message: String) -> String {
    guard message.count <= sentenceLimit else { return message.prefix(sentenceLimit) + "…" }
    let parts = message.split(separator: "'", omittingEmptySubsequences: false)
    return parts.count % 2 == 1 ? parts.joined(separator: "`") : message
  }
}
