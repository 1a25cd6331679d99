internal import HTML

extension Document {
  /// The document as one HTML page without script or other files.
  var html: String {
    var writer = HTMLWriter()
    writer.document(title: title, style: Self.style) { writer in
      for block in blocks { Self.write(block, to: &writer) }
    }
    return writer.text
  }

  private static let style = """
    body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 60em; padding: 0 1em;
      color: #111; background: #fff }
    table { border-collapse: collapse; margin: 1em 0; width: 100% }
    th, td { border: 1px solid #bbb; padding: .3em .5em; text-align: left; vertical-align: top }
    thead { display: table-header-group }
    thead th { background: #eee }
    tr { break-inside: avoid }
    code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere }
    pre { font: 13px/1.4 ui-monospace, monospace; overflow-x: auto; padding: .8em; background: #f4f4f4 }
    @media print { body { margin: 0; font-size: 11px } }
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
