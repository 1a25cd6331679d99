internal import Model
internal import Policy

extension PolicyTable {
  /// The table as aligned text. Ends with a line break.
  public func text(detail: FlowMatrix.Detail = .outcomes) -> String {
    var lines = matrices.enumerated().flatMap { index, matrix in
      ["\(Self.letter(index)): \(matrix.name) (\(matrix.file))"]
        + [matrix.targets.map { "   \($0)" }].compactMap(\.self)
    }
    lines.append(summary)
    var notes: FlowMatrixNotes? = detail == .reasons ? FlowMatrixNotes() : nil
    for section in sections {
      lines.append("")
      lines += FlowMatrixTable(section.title, columns: letters, section.lines, states, &notes).lines
    }
    if let notes { lines += [""] + notes.lines }
    return (lines + [""] + Legend.lines).joinedLines
  }

  var summary: String {
    switch differenceCount {
    case 0: "every flow is decided alike"
    case 1: "1 flow is decided differently: it is marked with \(Self.mark)"
    case let count: "\(count) flows are decided differently: they are marked with \(Self.mark)"
    }
  }

  /// The mark of a flow that policies decide differently.
  static let mark = "≠"
}

extension PolicyTable.Section {
  /// The rows under headings of their own, with a mark where policies differ.
  fileprivate var lines: [FlowMatrixTable.Row] {
    var lines: [FlowMatrixTable.Row] = []
    var head: String?
    for row in rows {
      if row.title != head {
        lines.append((row.title, row.entries.map { _ in nil }))
        head = row.title
      }
      let mark = row.isDiffering ? PolicyTable.mark : " "
      lines.append(("\(mark) \(row.parties)", row.entries))
    }
    return lines
  }
}
