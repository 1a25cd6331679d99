internal import Output

/// A document with headings, tables and code, for Markdown and HTML output.
struct Document {
  enum Piece {
    case text(String)
    case code(String)
  }

  /// A line of text and code. In a string literal, text in backticks is code.
  struct Line: ExpressibleByStringInterpolation {
    var pieces: [Piece]

    init(_ pieces: [Piece]) { self.pieces = pieces }

    init(stringLiteral text: String) { self.init(quoting: text) }

    /// Creates a line from text with code in backticks. A backtick that is not closed is text.
    init(quoting text: String) {
      pieces = []
      let parts = text.split(separator: "`", omittingEmptySubsequences: false)
      for (place, part) in parts.enumerated() {
        let isCode = !place.isMultiple(of: 2)
        if isCode, place == parts.count - 1 {
          pieces.append(.text("`\(part)"))
        } else if !part.isEmpty {
          pieces.append(isCode ? .code(String(part)) : .text(String(part)))
        }
      }
    }

    static func code(_ text: String) -> Line { Line([.code(text)]) }
  }

  enum Block {
    /// A heading.
    ///
    /// - Parameter level: The level of the heading, from 1.
    case heading(level: Int, Line)
    case paragraph(Line)
    case table(head: [String], rows: [[Line]])
    case listing(String, language: String)
  }

  /// The text of the document's first heading.
  private let title: String
  private var blocks: [Block]

  init(title: String) {
    self.title = title
    blocks = [.heading(level: 1, Line([.text(title)]))]
  }

  mutating func add(_ block: Block) { blocks.append(block) }

  /// Adds a paragraph for each part of the text. The parts are separated by blank lines.
  mutating func add(paragraphsOf text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for paragraph in lines.split(whereSeparator: { $0.allSatisfy(\.isWhitespace) }) {
      add(.paragraph(Line(quoting: paragraph.joined(separator: " "))))
    }
  }

  /// The document as one self-contained HTML page without scripts.
  var html: String {
    HTMLWriter.page(title: title, style: Self.style) { writer in
      // The page template writes the title itself.
      for block in blocks.drop(while: \.isTitle) { Self.write(block, to: &writer) }
    }
  }

  private static let style = """
    main { max-width: 60em }
    table { margin: 1em 0 }
    @media print { body { font-size: 11px } }
    """

  private static func write(_ block: Block, to writer: inout HTMLWriter) {
    switch block {
    case .heading(let level, let line):
      writer.line(level == 1 ? "h1" : level == 2 ? "h2" : "h3") { write(line, to: &$0) }
    case .paragraph(let line): writer.line("p") { write(line, to: &$0) }
    case .listing(let text, _): writer.element("pre", text: text)
    case .table(let head, let rows):
      writer.element("table") { writer in
        writer.element("thead") { writer in
          writer.element("tr") { writer in
            for name in head { writer.element("th", [("scope", "col")], text: name) }
          }
        }
        writer.element("tbody") { writer in
          for row in rows {
            writer.element("tr") { writer in
              for cell in row { writer.line("td") { write(cell, to: &$0) } }
            }
          }
        }
      }
    }
  }

  private static func write(_ line: Line, to writer: inout HTMLWriter) {
    for piece in line.pieces {
      switch piece {
      case .text(let text): writer.plain(text)
      case .code(let code): writer.code(code)
      }
    }
  }
}

extension Document.Block {
  fileprivate var isTitle: Bool {
    if case .heading(1, _) = self { true } else { false }
  }
}

/// Writes the document as Markdown in GitHub's dialect.
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
    // A number or mark that would start a list, a quotation or a heading is escaped.
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

  /// Encloses the code in runs of backticks that are longer than any run in the code. Escapes vertical bars, which
  /// would otherwise end a table cell even inside code.
  private static func quoted(_ code: String) -> String {
    let longest = code.split { $0 != "`" }.map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: longest + 1)
    let isTight = code.first != "`" && code.last != "`"
    let content = code.replacing("|", with: "\\|").replacing("\n", with: " ")
    return isTight ? fence + content + fence : "\(fence) \(content) \(fence)"
  }
}
