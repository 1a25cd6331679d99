internal import GraphDocuments
internal import HTML
internal import Model

extension [FlowMatrix] {
  /// The tables as one HTML file.
  public func html() -> String {
    let title = count == 1 ? "Flows under \(self[0].name)" : "Flows under \(count) policies"
    return HTMLWriter.report(title: title) { writer in
      Legend.write(to: &writer)
      for matrix in self { matrix.write(to: &writer) }
    }
  }
}

extension FlowMatrix {
  fileprivate func write(to writer: inout HTMLWriter) {
    writer.element("h2", text: name)
    writer.element("p", text: [file, targets].compactMap(\.self).joined(separator: "; "))
    for section in sections { section.write(states, to: &writer) }
  }
}

extension FlowMatrix.Section {
  fileprivate func write(_ states: [ManagementState], to writer: inout HTMLWriter) {
    writer.table(caption: title, columns: ["Flow"] + columns) { writer in
      for row in rows {
        writer.element("tr") { writer in
          writer.element("th", [("scope", "row")], text: row.title)
          for (column, entry) in zip(columns, row.entries) {
            writer.cell(entry, of: column, states)
          }
        }
      }
    }
  }
}
