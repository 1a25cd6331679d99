/// The places of a string's characters in the JSON text around it, escapes counted.
package struct JSONStringPlace {
  private let text: JSONText
  private let start: Position
  /// The offset of the scalar that was asked for last.
  private var offset = 0
  private var index: Int
  private var column: Int

  /// The place of a string in `text`.
  ///
  /// - Parameter position: the place of the opening quotation mark.
  package init(of position: Position, in text: JSONText) {
    self.text = text
    start = position
    index = text.index(of: position) + 1
    column = position.column + 1
  }

  /// The place of a character of the string.
  ///
  /// - Parameter offset: the offset in Unicode scalars of the string's value, not before the last one asked for.
  package mutating func position(of offset: Int) -> Position {
    while self.offset < offset {
      let length = width(at: index)
      index += length
      column += length
      self.offset += 1
    }
    return Position(line: start.line, column: column)
  }

  /// The number of scalars of the text that make the one at `index`.
  private func width(at index: Int) -> Int {
    let scalars = text.scalars
    guard index + 1 < scalars.count, scalars[index] == "\\" else { return 1 }
    guard scalars[index + 1] == "u" else { return 2 }
    // The first half of a pair is D800 to DBFF.
    let digits = scalars[(index + 2)...].prefix(2).map { String($0).lowercased() }.joined()
    return ["d8", "d9", "da", "db"].contains(digits) ? 12 : 6
  }
}
