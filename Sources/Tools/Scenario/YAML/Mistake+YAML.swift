import JSON

extension Mistake {
  /// Makes a mistake of a problem that the YAML parser reports, in words of our own where the parser's do not help.
  init(
    _ code: ScenarioError.Code, at position: Position, _ problem: String, context: String?,
    in text: String
  ) {
    self.init(
      code, at: position,
      Mistake.advice(problem, at: position, in: text)
        ?? [problem, context].compactMap(\.self).joined(separator: " "))
  }

  private static func advice(_ problem: String, at position: Position, in text: String) -> String? {
    switch problem {
    case "found character that cannot start any token"
    where character(at: position, in: text) == "\t":
      "a tab cannot indent; use spaces"
    case "mapping values are not allowed in this context":
      "a second `:` in one line; put text that holds `: ` in quotes"
    case "did not find expected ',' or '}'", "did not find expected ',' or ']'":
      character(at: position, in: text) == ":"
        ? "a second `:` before the next `,`; put text that holds `: ` in quotes" : nil
    default: nil  // open: any other problem
    }
  }

  private static func character(at position: Position, in text: String) -> Unicode.Scalar? {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    guard position.line <= lines.count else { return nil }
    return lines[position.line - 1].dropFirst(position.column - 1).first
  }

  /// The position of the character at `offset` in UTF-8.
  static func position(of offset: Int, in bytes: UnsafeMutableBufferPointer<UInt8>) -> Position {
    let before = bytes.prefix(offset)
    let lines = before.count { $0 == UInt8(ascii: "\n") }
    let last = before.suffix(from: before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)
    let column = last.count { $0 & 0xC0 != 0x80 }
    return Position(line: lines + 1, column: column + 1)
  }
}
