/// A text with headings, tables and code, as Markdown or HTML.
struct Document {
  /// A piece of a line.
  enum Piece {
    case text(String)
    case code(String)
  }

  /// A line with code in it. In a literal, text in backticks is code.
  struct Line: ExpressibleByStringInterpolation {
    var pieces: [Piece]

    init(_ pieces: [Piece]) { self.pieces = pieces }

    init(stringLiteral text: String) { self.init(quoting: text) }

    /// Makes a line of a text with code in backticks; a backtick that nothing closes is text.
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
    /// - Parameter level: the level, from 1.
    case heading(level: Int, Line)
    case paragraph(Line)
    case table(head: [String], rows: [[Line]])
    case listing(String, language: String)
  }

  /// The text of the first heading.
  var title: String
  private(set) var blocks: [Block]

  init(title: String) {
    self.title = title
    blocks = [.heading(level: 1, Line([.text(title)]))]
  }

  mutating func add(_ block: Block) { blocks.append(block) }

  /// Adds a text of several paragraphs, with blank lines between.
  mutating func add(paragraphsOf text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for paragraph in lines.split(whereSeparator: { $0.allSatisfy(\.isWhitespace) }) {
      add(.paragraph(Line(quoting: paragraph.joined(separator: " "))))
    }
  }
}
