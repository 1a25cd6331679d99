internal import HTML
internal import Model
internal import Policy

extension PolicyTable {
  /// The table as one HTML file, in which cells that differ from the first policy's are marked.
  public func html() -> String {
    HTMLWriter.report(title: "Flows under \(matrices.count) policies", lead: [summary]) { writer in
      writer.element("ul") { writer in
        for (letter, matrix) in zip(letters, matrices) {
          let targets = matrix.targets.map { "; \($0)" } ?? ""
          writer.element("li", text: "\(letter): \(matrix.name) (\(matrix.file))\(targets)")
        }
      }
      Legend.write(to: &writer)
      write(to: &writer)
    }
  }

  /// Writes a table for each section.
  func write(to writer: inout HTMLWriter) {
    for section in sections {
      writer.table(caption: section.title, columns: ["Flow"] + letters) { writer in
        for row in section.rows { write(row, of: section.title, to: &writer) }
      }
    }
  }

  private func write(_ row: Row, of section: String, to writer: inout HTMLWriter) {
    let head = row.isDiffering ? "\(Self.mark) \(row.title)" : row.title
    writer.row(head, of: section, note: row.parties) { writer in
      for (index, entry) in row.entries.enumerated() {
        writer.cell(
          entry, of: letters[index], matrices[index].states,
          mark: entry.differs(from: row.entries[0]) ? "differs" : nil)
      }
    }
  }
}
