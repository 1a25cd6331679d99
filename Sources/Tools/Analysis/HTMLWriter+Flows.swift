internal import GraphDocuments
internal import HTML
internal import Model

/// The common parts of reports about flows.
extension HTMLWriter {
  /// A report as one page without script or other files.
  static func report(title: String, _ body: (inout HTMLWriter) -> Void) -> String {
    var writer = HTMLWriter()
    writer.document(title: title, style: style) { writer in
      writer.element("h1", text: title)
      body(&writer)
    }
    return writer.text
  }

  /// A table with a head for each column. Each cell names its column, for screens on which cells stand below one
  /// another.
  mutating func table(
    caption: String, columns: [String], _ rows: (inout HTMLWriter) -> Void
  ) {
    element("table") { writer in
      writer.element("caption", text: caption)
      writer.element("thead") { writer in
        writer.element("tr") { writer in
          for column in columns { writer.element("th", [("scope", "col")], text: column) }
        }
      }
      writer.element("tbody") { rows(&$0) }
    }
  }

  /// A cell in the colour of its strictest outcome.
  ///
  /// - Parameters:
  ///   - states: the states at which the policy is targeted.
  ///   - mark: a further class, where the cell differs from the one that it is compared with.
  mutating func cell(
    _ entry: FlowMatrix.Entry?, of column: String, _ states: [ManagementState],
    mark: String? = nil
  ) {
    guard let entry, let strictest = entry.cells.map(\.outcome).min() else {
      return element("td", text: "")
    }
    let classes = [strictest.rawValue, mark].compactMap(\.self).joined(separator: " ")
    element("td", [("class", classes), ("data-column", column)]) { writer in
      for cell in entry.cells {
        let words = cell.states.map(\.word).joined(separator: ", ")
        let device = cell.states == states ? "" : words + ": "
        writer.element("div", text: "\(device)\(cell.outcome.symbol) \(cell.outcome.rawValue)")
        writer.element("small", text: cell.reasonText)
      }
    }
  }

  private static let style = """
    body { font: 15px/1.4 system-ui, sans-serif; margin: 2em; color: #111; background: #fff }
    table { border-collapse: collapse; margin: 1.5em 0; width: 100%; table-layout: fixed }
    caption { text-align: left; font-weight: bold; padding: .3em 0 }
    th, td { border: 1px solid #bbb; padding: .3em .5em; text-align: left; vertical-align: top }
    thead { display: table-header-group }
    thead th { background: #eee }
    tr { break-inside: avoid }
    h1, h2, h3, p, li, th, td, code, small { overflow-wrap: anywhere }
    small { display: block; color: #444 }
    dt { font-weight: bold } dd { margin: 0 0 .4em 1em }
    .allowed { background: #e3f4e3 } .encrypted { background: #fdf3d0 } .blocked { background: #fbe1e1 }
    .differs { outline: 3px solid #b35900; outline-offset: -3px }
    @media (max-width: 40em) {
      body { margin: 1em .8em }
      table, caption, tbody, tr, th, td { display: block }
      thead { display: none }
      tr { border-top: 2px solid #666; margin-top: .8em }
      tbody th, td { border: 0 }
      td { margin-top: .2em }
      td:empty { display: none }
      td::before { content: attr(data-column); display: block; font-size: .85em; color: #444 }
    }
    @media print { body { margin: 0; font-size: 10px } td, th { padding: .15em .3em } }
    """
}
