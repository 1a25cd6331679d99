import Encodings

/// An error that libyaml reports, with advice on how to fix it.
///
/// Each value of ``problem`` is a text from libyaml's `scanner.c` or `parser.c`.
struct LibYAMLError {
  /// The whole YAML text.
  let text: String
  let problem: String
  /// libyaml's description of the construct that it was reading; nil if there is none.
  let context: String?
  let position: Position
  /// The position at which ``context`` begins; nil if there is none.
  let start: Position?

  /// The error for the problem. An unclosed quotation and a line without `:` are reported at the
  /// position where they begin.
  var error: InputError {
    switch problem {
    case "found unexpected end of stream", "found unexpected document indicator":
      error(at: start, "the text in quotes does not end; close the quotes")
    case "could not find expected ':'":
      error(at: start, "a key needs `:` and a value; write `key: value`")
    default:  // open: any other problem
      error(at: position, advice ?? [problem, context].compactMap(\.self).joined(separator: " "))
    }
  }

  private func error(at place: Position?, _ message: String) -> InputError {
    InputError(.yamlSyntax, at: place ?? position, message)
  }

  /// A message about the problem; nil if libyaml's own message is used.
  private var advice: String? {
    switch problem {
    case "found a tab character that violates indentation",
      "found a tab character where an indentation space is expected":
      Self.tab
    case "found character that cannot start any token":
      character == "\t" ? Self.tab : found.map { "text cannot begin with \($0); put it in quotes" }
    case "mapping values are not allowed in this context": secondColon
    case "did not find expected ',' or '}'": unclosed("{", "}")
    case "did not find expected ',' or ']'": unclosed("[", "]")
    case "did not find expected node content": missingValue
    case "did not find expected key": missingKey
    case "did not find expected '-' indicator":
      "this line is not an element of the list\(onLine); begin it with `- `, or indent it differently"
    case "did not find expected <document start>":
      "this line does not belong to the lines above; check the indentation"
    case "block sequence entries are not allowed in this context":
      "a list begins on a line of its own; put text that begins with `- ` in quotes"
    case "mapping keys are not allowed in this context":
      "`? ` begins a key; put text that begins with it in quotes"
    case "did not find expected alphabetic or numeric character":
      "`&` begins an anchor and `*` an alias; put text that begins with one of them in quotes"
    case "did not find expected comment or line break":
      "the text after `|` or `>` begins on the next line; put text that begins with one of them in quotes"
    case "found unknown escape character", "did not find expected hexdecimal number",
      "found invalid Unicode character escape code":
      "invalid escape; write `\\\\` for a backslash, or put the text in single quotes"
    case "did not find expected whitespace or line break", "did not find expected tag URI",
      "did not find expected '!'", "did not find the expected '>'", "found undefined tag handle":
      "`!` begins a tag; put text that begins with it in quotes"
    case "found unknown directive name", "could not find expected directive name",
      "found unexpected non-alphabetical character":
      "a line that begins with `%` is a directive; put text that begins with it in quotes"
    case "Maximum nesting level reached, set with yaml_set_max_nest_level())":
      "nested deeper than \(YAMLReader.maximumDepth) levels"
    default: nil  // open: problems that are unlikely in scenarios
    }
  }

  private static let tab = "a tab cannot indent; use spaces"

  private static let quoteColon = "put text that contains `: ` in quotes"

  private var secondColon: String {
    before.contains(":")
      ? "a second `:` in one line; \(Self.quoteColon)"
      : "a key cannot begin here; check the indentation, and whether the line above reads `key: value`"
  }

  /// Returns the message about a list or mapping in brackets that lacks a comma or its closing bracket.
  private func unclosed(_ open: String, _ close: String) -> String {
    let isLater = start.map { $0.line < position.line } ?? false
    let isNewKey =
      character == ":" && isLater && !before.contains { ":,{[".unicodeScalars.contains($0) }
    if character == nil || isNewKey {
      return "`\(open)`\(onLine) is not closed; add `\(close)`"
    }
    if character == ":" { return "a second `:` before the next `,`; \(Self.quoteColon)" }
    return
      "`,` or `\(close)` is missing before \(found ?? "this"); put the whole text in quotes"
  }

  private var missingValue: String? {
    switch character {
    case nil: "the file ends before `{` or `[` is closed"
    case "}", "]": found.map { "\($0) is unmatched; put text that contains it in quotes" }
    case ",": "a value is missing before `,`"
    case "-": "a list in `[ ]` has no `-`; write `[a, b]`"
    default: nil  // open: any other character
    }
  }

  private var missingKey: String? {
    switch character {
    case "}", "]": found.map { "\($0) is unmatched; put text that contains it in quotes" }
    default:  // open: any other character
      before.allSatisfy { $0 == " " }
        ? "this line does not belong to the mapping\(onLine); check its indentation"
        : "text continues after its closing quotes; put all of it in one pair of quotes"
    }
  }

  /// A phrase for the line on which ``context`` begins, such as ` on line 3`. Empty if there is no context, or if it
  /// begins on the problem's line.
  private var onLine: String {
    guard let start, start.line != position.line else { return "" }
    return " on line \(start.line)"
  }

  /// The character at the position of the problem; nil at the end of its line.
  private var character: Unicode.Scalar? { line.dropFirst(position.column - 1).first }

  /// The character at the position of the problem, in backticks; nil at the end of its line.
  private var found: String? { character.map { $0 == "`" ? "a backtick" : "`\($0)`" } }

  /// The characters before the problem on its line.
  private var before: Substring.UnicodeScalarView { line.prefix(position.column - 1) }

  /// The line that contains the problem; empty at the end of the text.
  private var line: Substring.UnicodeScalarView {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.contains(position.line - 1)
      ? lines[position.line - 1] : Substring().unicodeScalars
  }
}
