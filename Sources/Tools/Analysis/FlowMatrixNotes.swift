/// Numbers reasons in the order of their first use, each once.
struct FlowMatrixNotes {
  private var numbers: [String: Int] = [:]
  private var texts: [String] = []

  /// The number of the reason that decided the cell.
  mutating func number(of cell: FlowMatrix.Cell) -> Int {
    let text = cell.reasonText
    if let number = numbers[text] { return number }
    texts.append(text)
    numbers[text] = texts.count
    return texts.count
  }

  var lines: [String] {
    texts.enumerated().flatMap { index, text in
      "[\(index + 1)] \(text)".wrapped(to: 118, indentedBy: "     ")
    }
  }
}

extension String {
  /// The text in lines of at most `width` characters where it has spaces to break at; lines after the first
  /// are indented.
  func wrapped(to width: Int, indentedBy indent: String) -> [String] {
    var lines: [String] = []
    var line: String?
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      guard let start = line else {
        line = String(word)
        continue
      }
      if start.count + 1 + word.count > width {
        lines.append(start)
        line = indent + word
      } else {
        line = "\(start) \(word)"
      }
    }
    return lines + [line ?? ""]
  }
}
