/// Where the characters of a string stand in the JSON text around it, escapes counted.
package struct JSONStringPlace {
  private let start: Position
  /// The scalars between the quotation marks and behind.
  private let text: [Unicode.Scalar]

  /// - Parameters:
  ///   - position: of the opening quotation mark.
  ///   - bytes: the whole file.
  package init(of position: Position, in bytes: [UInt8]) {
    start = position
    let scalars = (try? TextDecoding.scalars(of: bytes)) ?? []
    var line = 1
    var index = 0
    while line < position.line, let end = scalars[index...].firstIndex(of: "\n") {
      line += 1
      index = end + 1
    }
    text = Array(scalars.dropFirst(index + position.column))
  }

  /// - Parameter offset: in Unicode scalars of the string's value.
  package func position(of offset: Int) -> Position {
    var column = start.column + 1
    var index = 0
    for _ in 0..<offset {
      let length = width(at: index)
      index += length
      column += length
    }
    return Position(line: start.line, column: column)
  }

  /// How many scalars of the text the one at `index` takes.
  private func width(at index: Int) -> Int {
    guard index + 1 < text.count, text[index] == "\\" else { return 1 }
    guard text[index + 1] == "u" else { return 2 }
    // The first half of a pair is D800 to DBFF.
    let digits = text.dropFirst(index + 2).prefix(2).map { String($0).lowercased() }.joined()
    return ["d8", "d9", "da", "db"].contains(digits) ? 12 : 6
  }
}
