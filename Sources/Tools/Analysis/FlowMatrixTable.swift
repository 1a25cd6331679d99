internal import GraphDocuments
internal import Model

/// Flows as aligned text.
struct FlowMatrixTable {
  private(set) var lines: [String] = []

  /// The title of a line, and an entry for each column.
  typealias Row = (title: String, entries: [FlowMatrix.Entry?])

  /// Makes a table.
  ///
  /// - Parameter notes: collects the reasons, which cells then refer to; nil where reasons are not shown.
  init(
    _ title: String, columns: [String], _ rows: [Row], _ states: [ManagementState],
    _ notes: inout FlowMatrixNotes?
  ) {
    let heads = columns.map { $0.split(separator: " -> ", maxSplits: 1) }
    var table = [[title, ""] + heads.map { $0.first.map(String.init) ?? "" }]
    if heads.contains(where: { $0.count > 1 }) {
      table.append(["", ""] + heads.map { $0.count > 1 ? "-> \($0[1])" : "" })
    }
    let headCount = table.count
    for row in rows { table += Self.cells(of: row, states, &notes) }
    let widths = table[0].indices.map { column in table.map { $0[column].count }.max() ?? 0 }
    lines = table.map { Self.line($0, widths) }
    let width = lines.map(\.count).max() ?? 0
    lines.insert(String(repeating: "-", count: width), at: headCount)
  }

  /// The cells as one line. An empty column takes no room.
  private static func line(_ cells: [String], _ widths: [Int]) -> String {
    var line = ""
    for (cell, width) in zip(cells, widths) where width > 0 {
      line += cell + String(repeating: " ", count: width - cell.count + 2)
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  /// The row as one line where all states agree, else as one for each group of states that do.
  private static func cells(
    of row: Row, _ states: [ManagementState], _ notes: inout FlowMatrixNotes?
  ) -> [[String]] {
    var groups: [(states: [ManagementState], cells: [String])] = []
    for state in states {
      var cells: [String] = []
      for entry in row.entries {
        let cell = entry?.cells.first { $0.states.contains(state) }
        cells.append(cell.map { text(of: $0, &notes) } ?? "")
      }
      if let index = groups.firstIndex(where: { $0.cells == cells }) {
        groups[index].states.append(state)
      } else {
        groups.append(([state], cells))
      }
    }
    return groups.enumerated().map { index, group in
      let device = groups.count == 1 ? "" : group.states.map(\.word).joined(separator: ", ")
      return [index == 0 ? row.title : "", device] + group.cells
    }
  }

  private static func text(of cell: FlowMatrix.Cell, _ notes: inout FlowMatrixNotes?) -> String {
    let word = "\(cell.outcome.symbol) \(cell.outcome.rawValue)"
    guard let number = notes?.number(of: cell) else { return word }
    return "\(word) [\(number)]"
  }
}
