internal import HTML

extension Document {
  /// The document as one HTML page without script or other files.
  var html: String {
    HTMLWriter.page(title: title, style: Self.style) { writer in
      // The title is the page's own.
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
