/// Tables in text, for terminals.
package enum TextColumns {
  /// Returns a line for each row. The cells of a column have the width of its widest cell, two
  /// spaces separate columns, and a line does not end in spaces. Columns without text are omitted.
  ///
  /// - Parameters:
  ///   - rows: Rows of the same number of cells.
  ///   - indent: The number of spaces before each line.
  package static func lines(_ rows: [[String]], indent: Int = 0) -> [String] {
    guard let first = rows.first else { return [] }
    let widths = first.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      var line = String(repeating: " ", count: indent)
      for (cell, width) in zip(row, widths) where width > 0 {
        line += cell + String(repeating: " ", count: width - cell.count + 2)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}

extension String {
  /// The text with a capital first letter, except for names such as `iManage` and `iOS`.
  package var capitalizedStart: String {
    dropFirst().first?.isUppercase == true ? self : prefix(1).uppercased() + dropFirst()
  }
}

extension Int {
  /// Returns the number with its noun, such as `1 case` or `2 cases`.
  package func counting(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
