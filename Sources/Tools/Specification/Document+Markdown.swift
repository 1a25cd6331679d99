/// Markdown in GitHub's dialect.
extension Document {
  var markdown: String { blocks.map(Self.markdown).joined(separator: "\n") }

  private static func markdown(_ block: Block) -> String {
    switch block {
    case .heading(let level, let line):
      return String(repeating: "#", count: level) + " \(markdown(line))\n"
    case .paragraph(let line): return markdown(line) + "\n"
    case .listing(let text, let language):
      let longest = text.split { $0 != "`" }.map(\.count).max() ?? 0
      let fence = String(repeating: "`", count: max(3, longest + 1))
      return "\(fence)\(language)\n\(text)\(text.hasSuffix("\n") ? "" : "\n")\(fence)\n"
    case .table(let head, let rows):
      let lines =
        [head.map(escaped), head.map { _ in "---" }]
        + rows.map { row in row.map { markdown($0).replacing("\n", with: " ") } }
      return lines.map { "| \($0.joined(separator: " | ")) |\n" }.joined()
    }
  }

  private static func markdown(_ line: Line) -> String {
    let text = line.pieces.map { piece in
      switch piece {
      case .text(let text): escaped(text)
      case .code(let code): quoted(code)
      }
    }.joined()
    // A number or a mark that would begin a list, a quotation or a heading is escaped.
    let number = text.prefix { ("0"..."9").contains($0) }
    let mark = number.endIndex
    guard mark < text.endIndex else { return text }
    let isMark = number.isEmpty ? "#+-=>".contains(text[mark]) : ".)".contains(text[mark])
    return isMark ? "\(number)\\\(text[mark...])" : text
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      if "\\`*_[]<|&~".contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
    return escaped
  }

  /// Code between more backticks than it contains in a row. A table ends a cell at a bar even in code.
  private static func quoted(_ code: String) -> String {
    let longest = code.split { $0 != "`" }.map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: longest + 1)
    let isTight = code.first != "`" && code.last != "`"
    let content = code.replacing("|", with: "\\|").replacing("\n", with: " ")
    return isTight ? fence + content + fence : "\(fence) \(content) \(fence)"
  }
}
