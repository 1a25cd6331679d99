internal import JSON

/// A property list in XML, which the admin centre also takes without the element around it.
struct WrappedList {
  let bytes: [UInt8]
  /// The number of bytes that were put before the first line.
  private let offset: Int

  private static let head = Array("<plist version=\"1.0\">".utf8)
  private static let tail = Array("</plist>".utf8)

  init(_ bytes: [UInt8]) {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    let start = text.drop { " \t\r\n".utf8.contains($0) }
    guard start.starts(with: "<dict".utf8) else {
      self.bytes = bytes
      offset = 0
      return
    }
    self.bytes = Self.head + Array(text) + Self.tail
    offset = Self.head.count
  }

  /// The position in the original text.
  func position(_ position: Position) -> Position {
    guard position.line == 1 else { return position }
    return Position(line: 1, column: max(1, position.column - offset))
  }
}
