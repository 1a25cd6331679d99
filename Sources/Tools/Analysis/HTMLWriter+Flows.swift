internal import GraphDocuments
internal import HTML
internal import Model

/// The common parts of reports about flows.
extension HTMLWriter {
  /// A report as one page.
  ///
  /// - Parameter lead: what it is about, and what it found, a paragraph each.
  static func report(
    title: String, lead: [String] = [], _ body: (inout HTMLWriter) -> Void
  ) -> String {
    page(title: title, lead: lead, style: style, body)
  }

  /// A table with a head for each column. Each cell names its column, for screens on which cells stand below one
  /// another.
  ///
  /// - Parameter topic: the title that the table stands below; nil: it has none.
  mutating func table(
    caption: String, of topic: String? = nil, columns: [String],
    _ rows: (inout HTMLWriter) -> Void
  ) {
    let address = address(of: [topic, caption].compactMap(\.self).joined(separator: " "))
    element("table") { writer in
      writer.addressed("caption", at: address, text: caption)
      writer.element("thead") { writer in
        writer.element("tr") { writer in
          for column in columns { writer.element("th", [("scope", "col")], text: column) }
        }
      }
      writer.element("tbody") { rows(&$0) }
    }
  }

  /// A row of a table, with what it is about at its head.
  ///
  /// - Parameters:
  ///   - topic: what the table is about, as part of the row's address.
  ///   - note: what stands below the head; nil: nothing.
  mutating func row(
    _ head: String, of topic: String, note: String? = nil, _ cells: (inout HTMLWriter) -> Void
  ) {
    let address = address(of: "\(topic) \(head)")
    element("tr", [("id", address)]) { writer in
      writer.element("th", [("scope", "row")]) { writer in
        writer.element("a", [("class", "own"), ("href", "#\(address)")], text: head)
        if let note { writer.element("small", text: note) }
      }
      cells(&writer)
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
    table { margin: 1em 0; table-layout: fixed }
    td, tbody th { border: 1px solid var(--line) }
    td.allowed, td.encrypted, td.blocked { color: inherit;
      background: color-mix(in srgb, var(--outcome) 14%, transparent) }
    td.allowed { --outcome: var(--allowed) } td.encrypted { --outcome: var(--encrypted) }
    td.blocked { --outcome: var(--blocked) }
    .differs { outline: 3px solid var(--encrypted); outline-offset: -3px }
    @media (max-width: 40em) {
      table, caption, tbody, tr, th, td { display: block }
      thead { display: none }
      tr { border-top: 2px solid var(--faint); margin-top: .8em }
      tbody th, td { border: 0 }
      td { margin-top: .2em }
      td:empty { display: none }
      td::before { content: attr(data-column); display: block; font-size: .85em; color: var(--faint) }
    }
    @media print { body { font-size: 10px } }
    """
}
