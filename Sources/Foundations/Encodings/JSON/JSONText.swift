/// Decodes the bytes of a text file according to its byte order mark. Without a mark, decodes UTF-16 if one of the
/// first two bytes is zero, otherwise UTF-8.
public enum TextDecoding {
  /// Returns the scalars of `bytes`, without byte order mark.
  ///
  /// - Throws: ``JSONSyntaxError`` if the bytes are invalid in their encoding.
  public static func scalars(of bytes: [UInt8]) throws(JSONSyntaxError) -> [Unicode.Scalar] {
    switch Encoding(of: bytes) {
    case .utf8(let hasMark):
      try decode(bytes.dropFirst(hasMark ? 3 : 0), as: UTF8.self, name: "UTF-8")
    case .utf16(let isLittleEndian, let hasMark):
      try utf16(bytes.dropFirst(hasMark ? 2 : 0), isLittleEndian: isLittleEndian)
    }
  }

  /// Returns the text in UTF-8, without byte order mark.
  ///
  /// - Throws: ``JSONSyntaxError`` if the bytes are invalid in their encoding.
  static func utf8(of bytes: [UInt8]) throws(JSONSyntaxError) -> [UInt8] {
    switch Encoding(of: bytes) {
    case .utf8: return try utf8(ofUTF8: bytes)
    case .utf16: return Array(String(try scalars(of: bytes)).utf8)
    }
  }

  /// Returns the text in UTF-8, without byte order mark. Assumes that `bytes` are UTF-8, as in text from sockets.
  static func utf8(ofUTF8 bytes: [UInt8]) throws(JSONSyntaxError) -> [UInt8] {
    let text = Encoding.hasMark(inUTF8: bytes) ? Array(bytes.dropFirst(3)) : bytes
    let isASCII = text.reduce(0, |) < 0x80
    if !isASCII, String(validating: text, as: UTF8.self) == nil {
      // This decoding throws the error with its position.
      _ = try decode(text, as: UTF8.self, name: "UTF-8")
    }
    return text
  }

  enum Encoding {
    case utf8(hasMark: Bool)
    case utf16(isLittleEndian: Bool, hasMark: Bool)

    init(of bytes: [UInt8]) {
      self =
        switch (bytes.first, bytes.dropFirst().first) {
        case (0xFF, 0xFE): .utf16(isLittleEndian: true, hasMark: true)
        case (0xFE, 0xFF): .utf16(isLittleEndian: false, hasMark: true)
        case (.some, 0): .utf16(isLittleEndian: true, hasMark: false)
        case (0, .some): .utf16(isLittleEndian: false, hasMark: false)
        default:  // open: any other bytes
          .utf8(hasMark: Self.hasMark(inUTF8: bytes))
        }
    }

    static func hasMark(inUTF8 bytes: [UInt8]) -> Bool { bytes.starts(with: [0xEF, 0xBB, 0xBF]) }

    func bytes(of scalars: [Unicode.Scalar]) -> [UInt8] {
      switch self {
      case .utf8(let hasMark):
        return (hasMark ? [0xEF, 0xBB, 0xBF] : []) + Array(String(scalars).utf8)
      case .utf16(let isLittleEndian, let hasMark):
        return ((hasMark ? [0xFEFF] : []) + Array(String(scalars).utf16)).flatMap { unit in
          let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
          return isLittleEndian ? [low, high] : [high, low]
        }
      }
    }
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
  /// The text in UTF-8.
  fileprivate let bytes: [UInt8]
  private let lines: [Int]

  /// Decodes `bytes`. If they are invalid in their encoding, the text is empty.
  package init(_ bytes: [UInt8]) {
    let text = (try? TextDecoding.utf8(of: bytes)) ?? []
    self.bytes = text
    var lines = [0]
    for index in text.indices where text[index] == UInt8(ascii: "\n") { lines.append(index + 1) }
    self.lines = lines
  }

  /// Returns the index of the byte that begins the scalar at `position`. If the line is outside of the text, returns
  /// the end of the text. If the column is beyond the end of the line, counting continues on the next line.
  package func index(of position: Position) -> Int {
    guard lines.indices.contains(position.line - 1) else { return bytes.count }
    var index = lines[position.line - 1]
    for _ in 1..<max(position.column, 1) where index < bytes.count {
      index = self.index(after: index)
    }
    return index
  }

  /// Returns the index of the next scalar, or the end of the text.
  fileprivate func index(after index: Int) -> Int {
    var index = index + 1
    while index < bytes.count, UTF8.isContinuation(bytes[index]) { index += 1 }
    return index
  }
}

/// Finds the positions of a JSON string's characters in the text of the file. An escape sequence is one character of
/// the string but several of the text.
package struct JSONStringPlace {
  private let text: JSONText
  private let start: Position
  /// The offset in the string's value up to which ``position(of:)`` has counted.
  private var offset = 0
  private var index: Int
  private var column: Int

  /// Finds the position of the first character of a string.
  ///
  /// - Parameter position: The position of the opening quotation mark.
  package init(of position: Position, in text: JSONText) {
    self.text = text
    start = position
    index = text.index(of: position) + 1
    column = position.column + 1
  }

  /// Returns the position in the text of one scalar of the string's value.
  ///
  /// - Parameter offset: The offset in the string's value, in Unicode scalars. It must not be less than in the previous
  ///   call.
  package mutating func position(of offset: Int) -> Position {
    while self.offset < offset {
      if let length = lengthOfEscape(at: index) {
        index += length
        column += length
      } else {
        index = text.index(after: index)
        column += 1
      }
      self.offset += 1
    }
    return Position(line: start.line, column: column)
  }

  private func lengthOfEscape(at index: Int) -> Int? {
    let bytes = text.bytes
    guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\") else { return nil }
    guard bytes[index + 1] == UInt8(ascii: "u") else { return 2 }
    // The first surrogate of a pair is D800 to DBFF.
    let digits = String(decoding: bytes[(index + 2)...].prefix(2), as: UTF8.self).lowercased()
    return ["d8", "d9", "da", "db"].contains(digits) ? 12 : 6
  }
}
