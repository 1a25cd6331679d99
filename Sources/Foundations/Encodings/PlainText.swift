// Text for people, and the forms of identifiers in text.

/// Tables in text, for terminals.
package enum TextColumns {
  /// Returns a line for each row. The cells of a column are as wide as its widest cell. Two spaces separate columns.
  /// Lines do not end in spaces. Columns without text are omitted.
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
  /// The text with a capital first letter. If the second letter is a capital, as in `iManage` and `iOS`, the text is
  /// unchanged.
  package var capitalizedStart: String {
    dropFirst().first?.isUppercase == true ? self : prefix(1).uppercased() + dropFirst()
  }
}

extension StringProtocol {
  package var trimmed: String {
    var rest = Substring(self)
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }

  /// Whether the text is a URL scheme: a letter, followed by letters, digits, `+`, `-` and `.` (RFC 3986, section 3.1).
  package var isURLScheme: Bool {
    guard let first = utf8.first, first.isLetter else { return false }
    return utf8.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
  }

  /// Whether the text is a GUID: hexadecimal digits in groups of 8, 4, 4, 4 and 12.
  package var isGUID: Bool {
    let groups = utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12]
      && groups.joined().allSatisfy { Hexadecimal.value($0) != nil }
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }

  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}

extension Int {
  /// Returns the number with its noun, such as `1 case` or `2 cases`.
  package func counting(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
