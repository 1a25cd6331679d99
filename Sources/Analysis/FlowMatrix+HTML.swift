internal import HTML
internal import Policy
internal import Transfer

extension [FlowMatrix] {
  /// The tables as one HTML file that needs nothing else: no script, no other file.
  public func html() -> String {
    var writer = HTMLWriter()
    let title = count == 1 ? "Flows under \(self[0].name)" : "Flows under \(count) policies"
    writer.document(title: title, style: FlowMatrix.style) { writer in
      writer.element("h1", text: title)
      writer.element("p", text: FlowMatrix.note)
      for matrix in self { matrix.write(to: &writer) }
    }
    return writer.text
  }
}

extension FlowMatrix {
  fileprivate static let note =
    "Encrypted: delivered, but the receiver cannot read it. Devices: unenrolled is not in MDM; no UPN is, but "
    + "the app's configuration lacks IntuneMAMUPN; enrolled has it. Where no device is named, all are the same."

  fileprivate static let style = """
    body { font: 15px/1.4 system-ui, sans-serif; margin: 2em; color: #111; background: #fff }
    table { border-collapse: collapse; margin: 1.5em 0; width: 100%; table-layout: fixed }
    caption { text-align: left; font-weight: bold; padding: .3em 0 }
    th, td { border: 1px solid #bbb; padding: .3em .5em; text-align: left; vertical-align: top }
    thead { display: table-header-group }
    thead th { background: #eee }
    tr { break-inside: avoid }
    small { display: block; color: #444; overflow-wrap: anywhere }
    .allowed { background: #e3f4e3 } .encrypted { background: #fdf3d0 } .blocked { background: #fbe1e1 }
    @media print { body { margin: 0; font-size: 10px } td, th { padding: .15em .3em } }
    """

  fileprivate func write(to writer: inout HTMLWriter) {
    writer.element("h2", text: name)
    writer.element("p", text: [file, targets].compactMap(\.self).joined(separator: "; "))
    for section in sections { section.write(states, to: &writer) }
  }
}

extension FlowMatrix.Section {
  fileprivate func write(_ states: [ManagementState], to writer: inout HTMLWriter) {
    writer.element("table") { writer in
      writer.element("caption", text: title)
      writer.element("thead") { writer in
        writer.element("tr") { writer in
          writer.element("th", [("scope", "col")], text: "Flow")
          for column in columns { writer.element("th", [("scope", "col")], text: column) }
        }
      }
      writer.element("tbody") { writer in
        for row in rows { row.write(states, to: &writer) }
      }
    }
  }
}

extension FlowMatrix.Row {
  fileprivate func write(_ states: [ManagementState], to writer: inout HTMLWriter) {
    writer.element("tr") { writer in
      writer.element("th", [("scope", "row")], text: title)
      for entry in entries { FlowMatrix.write(entry, states, to: &writer) }
    }
  }
}

extension FlowMatrix {
  /// A cell of the table has the colour of its strictest outcome.
  fileprivate static func write(
    _ entry: Entry?, _ states: [ManagementState], to writer: inout HTMLWriter
  ) {
    guard let entry, let strictest = entry.cells.map(\.outcome).min() else {
      writer.element("td", text: "")
      return
    }
    writer.element("td", [("class", strictest.rawValue)]) { writer in
      for cell in entry.cells {
        let words = cell.states.map(\.word).joined(separator: ", ")
        let device = cell.states == states ? "" : words + ": "
        writer.element("div", text: "\(device)\(cell.outcome.symbol) \(cell.outcome.rawValue)")
        writer.element("small", text: cell.reasonText)
      }
    }
  }
}
