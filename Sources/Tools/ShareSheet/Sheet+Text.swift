internal import Analysis

extension Sheet {
  /// The sheet as an aligned table, with a sentence for each reason below it. Ends with a line break.
  package func text() -> String {
    var lines = [sharing.headline]
    if let offer = sharing.offer { lines.append(offer) }
    lines.append("")
    lines += table
    lines.append("")
    return (lines + notes).joinedLines
  }

  private var table: [String] {
    var rows = [["Destination", "Kind", "", "Why"]]
    for destination in destinations {
      rows.append([
        destination.title, destination.kindText,
        "\(destination.visibility.symbol) \(destination.visibility.text)", destination.why,
      ])
    }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    var lines = rows.map { row in
      let cells = zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }
      return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
    }
    lines.insert(String(repeating: "-", count: lines.map(\.count).max() ?? 0), at: 1)
    return lines
  }

  /// The meaning of each word in the table, once.
  private var notes: [String] {
    var seen: Set<String> = []
    return destinations.flatMap { destination in
      destination.causes.compactMap { cause in
        let note = "\(cause.code): \(destination.sentence(for: cause))"
        return seen.insert(note).inserted ? note : nil
      }
    }
  }
}
