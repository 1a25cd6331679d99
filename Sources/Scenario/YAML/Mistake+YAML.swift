import JSON
import Yams

extension Mistake {
  /// What the YAML parser says, in our words where its own do not say what to do.
  init(_ error: YamlError, in text: String) {
    switch error {
    case .scanner(let context, let problem, let mark, _),
      .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let position = Position(line: mark.line, column: mark.column)
      self.init(
        .yamlSyntax, at: position,
        Mistake.advice(problem, at: position, in: text)
          ?? [problem, context?.text].compactMap(\.self).joined(separator: " "))
    case .duplicatedKeysInMapping(let keys, let context):
      self.init(
        .duplicateKey, at: Position(line: context.mark.line, column: context.mark.column),
        "the key `\(keys.first ?? "")` is given more than once")
    case .reader(let problem, let offset, _, _):
      self.init(.yamlSyntax, at: Mistake.position(of: offset ?? 0, in: text), problem)
    default:
      self.init(.yamlSyntax, at: Position(line: 1, column: 1), "the text cannot be read")
    }
  }

  private static func advice(_ problem: String, at position: Position, in text: String) -> String? {
    switch problem {
    case "found character that cannot start any token"
    where character(at: position, in: text) == "\t":
      "a tab cannot indent; use spaces"
    case "mapping values are not allowed in this context":
      "a second `:` in one line; put text that holds `: ` in quotes"
    case "but found another document": "a second document begins; a scenario file holds one"
    case "found undefined alias": "no anchor of that name comes before this alias"
    default: nil
    }
  }

  private static func character(at position: Position, in text: String) -> Unicode.Scalar? {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    guard position.line <= lines.count else { return nil }
    return lines[position.line - 1].dropFirst(position.column - 1).first
  }

  /// The place of the character at `offset`.
  private static func position(of offset: Int, in text: String) -> Position {
    let before = text.prefix(offset)
    let line = before.split(separator: "\n", omittingEmptySubsequences: false)
    return Position(line: line.count, column: (line.last?.unicodeScalars.count ?? 0) + 1)
  }
}
