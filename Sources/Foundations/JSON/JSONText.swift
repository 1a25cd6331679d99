/// Decodes the bytes of a text file according to its byte order mark. Without a mark, decodes UTF-8 or
/// UTF-16.
public enum TextDecoding {
  /// Returns the scalars of `bytes`, without byte order mark.
  ///
  /// - Throws: ``JSONSyntaxError`` if the bytes are invalid in their encoding.
  public static func scalars(of bytes: [UInt8]) throws(JSONSyntaxError) -> [Unicode.Scalar] {
    switch (bytes.first, bytes.dropFirst().first) {
    case (0xEF, 0xBB) where bytes.count > 2 && bytes[2] == 0xBF: return try utf8(bytes.dropFirst(3))
    case (0xFF, 0xFE): return try utf16(bytes.dropFirst(2), isLittleEndian: true)
    case (0xFE, 0xFF): return try utf16(bytes.dropFirst(2), isLittleEndian: false)
    case (.some, 0): return try utf16(bytes[...], isLittleEndian: true)
    case (0, .some): return try utf16(bytes[...], isLittleEndian: false)
    default:  // open: any other bytes
      return try utf8(bytes[...])
    }
  }

  /// Returns the scalars of `bytes` as UTF-8, without detecting the encoding. Suitable for text from sockets.
  static func scalars(ofUTF8 bytes: [UInt8]) throws(JSONSyntaxError) -> [Unicode.Scalar] {
    try utf8(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...])
  }

  private static func utf8(_ bytes: ArraySlice<UInt8>) throws(JSONSyntaxError) -> [Unicode.Scalar] {
    try decode(bytes, as: UTF8.self, name: "UTF-8")
  }

  private static func utf16(
    _ bytes: ArraySlice<UInt8>, isLittleEndian: Bool
  ) throws(JSONSyntaxError) -> [Unicode.Scalar] {
    let first = bytes.startIndex
    let units = stride(from: first, to: bytes.endIndex - 1, by: 2).map { at in
      let (low, high) = isLittleEndian ? (bytes[at], bytes[at + 1]) : (bytes[at + 1], bytes[at])
      return UInt16(high) << 8 | UInt16(low)
    }
    let scalars = try decode(units, as: UTF16.self, name: "UTF-16")
    guard bytes.count.isMultiple(of: 2) else { throw malformed("UTF-16", after: scalars) }
    return scalars
  }

  private static func decode<Codec: UnicodeCodec, Units: Sequence>(
    _ units: Units, as codec: Codec.Type, name: String
  ) throws(JSONSyntaxError) -> [Unicode.Scalar] where Units.Element == Codec.CodeUnit {
    var scalars: [Unicode.Scalar] = []
    scalars.reserveCapacity(units.underestimatedCount)
    var decoder = Codec()
    var source = units.makeIterator()
    while true {
      switch decoder.decode(&source) {
      case .scalarValue(let scalar): scalars.append(scalar)
      case .emptyInput: return scalars
      case .error: throw malformed(name, after: scalars)
      }
    }
  }

  private static func malformed(
    _ encoding: String, after scalars: [Unicode.Scalar]
  ) -> JSONSyntaxError {
    let line = scalars.count { $0 == "\n" } + 1
    let column = scalars.count - (scalars.lastIndex(of: "\n").map { $0 + 1 } ?? 0) + 1
    return JSONSyntaxError(
      position: Position(line: line, column: column), message: "the text is not valid \(encoding)")
  }
}

/// The text of a JSON file, with its line starts.
package struct JSONText: Sendable {
  fileprivate let scalars: [Unicode.Scalar]
  private let lines: [Int]

  /// Decodes `bytes`; the text is empty if they are invalid.
  package init(_ bytes: [UInt8]) {
    let scalars = (try? TextDecoding.scalars(of: bytes)) ?? []
    self.scalars = scalars
    lines = [0] + scalars.indices.filter { scalars[$0] == "\n" }.map { $0 + 1 }
  }

  /// Returns the index of the scalar at a position; the end if the position is outside of the text.
  package func index(of position: Position) -> Int {
    guard lines.indices.contains(position.line - 1) else { return scalars.count }
    return min(lines[position.line - 1] + position.column - 1, scalars.count)
  }
}

/// Maps the characters of a JSON string to positions in the text, taking escapes into account.
package struct JSONStringPlace {
  private let text: JSONText
  private let start: Position
  /// The offset of the last requested scalar.
  private var offset = 0
  private var index: Int
  private var column: Int

  /// - Parameter position: The position of the opening quotation mark.
  package init(of position: Position, in text: JSONText) {
    self.text = text
    start = position
    index = text.index(of: position) + 1
    column = position.column + 1
  }

  /// Returns the position of a character of the string.
  ///
  /// - Parameter offset: The offset in the string's value, in Unicode scalars. It must not be less than in
  ///   the previous call.
  package mutating func position(of offset: Int) -> Position {
    while self.offset < offset {
      let length = width(at: index)
      index += length
      column += length
      self.offset += 1
    }
    return Position(line: start.line, column: column)
  }

  /// Returns the number of scalars in the text that encode the scalar at `index`.
  private func width(at index: Int) -> Int {
    let scalars = text.scalars
    guard index + 1 < scalars.count, scalars[index] == "\\" else { return 1 }
    guard scalars[index + 1] == "u" else { return 2 }
    // The first surrogate of a pair is D800 to DBFF.
    let digits = scalars[(index + 2)...].prefix(2).map { String($0).lowercased() }.joined()
    return ["d8", "d9", "da", "db"].contains(digits) ? 12 : 6
  }
}
