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
    writer.addressed("h2", at: writer.address(of: name), text: name)
    writer.element("p", text: [file, targets].compactMap(\.self).joined(separator: "; "))
    for section in sections { section.write(states, of: name, to: &writer) }
  }
}

extension FlowMatrix.Section {
  fileprivate func write(
    _ states: [ManagementState], of policy: String, to writer: inout HTMLWriter
  ) {
    writer.table(caption: title, of: policy, columns: ["Flow"] + columns) { writer in
      for row in rows {
        writer.row(row.title, of: "\(policy) \(title)") { writer in
          for (column, entry) in zip(columns, row.entries) {
            writer.cell(entry, of: column, states)
          }
        }
      }
    }
  }
}
