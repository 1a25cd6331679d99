/// Limits the nesting of brackets before a file is parsed. Each nested `[` doubles the parser's
/// time, and nested brackets of any kind use its stack.
enum BracketDepth {
  /// The maximum depth of nested square brackets. Beyond this depth, the parser becomes slow.
  static let squareLimit = 16
  /// The maximum depth of nested brackets of any kind.
  static let limit = 256

  /// Returns the offset of the first bracket that exceeds a limit; nil if there is none. Brackets
  /// in strings and comments do not count.
  static func offsetOfExcess(in bytes: [UInt8]) -> Int? {
    var open: [UInt8] = []
    var squares = 0
    var index = 0
    while index < bytes.count {
      if let end = endOfTextOrComment(in: bytes, from: index) {
        index = end
        continue
      }
      switch bytes[index] {
      case UInt8(ascii: "["), UInt8(ascii: "("), UInt8(ascii: "{"):
        open.append(bytes[index])
        if bytes[index] == UInt8(ascii: "[") { squares += 1 }
        if open.count > limit || squares > squareLimit { return index }
      case UInt8(ascii: "]"), UInt8(ascii: ")"), UInt8(ascii: "}"):
        if open.popLast() == UInt8(ascii: "[") { squares -= 1 }
      default:  // open: any other byte
        break
      }
      index += 1
    }
    return nil
  }

  /// Returns the offset of the end of a string literal or comment that begins at `start`; nil if
  /// none begins there. The end of a line also ends a single-line string.
  private static func endOfTextOrComment(in bytes: [UInt8], from start: Int) -> Int? {
    let next = start + 1 < bytes.count ? bytes[start + 1] : 0
    switch (bytes[start], next) {
    case (UInt8(ascii: "/"), UInt8(ascii: "/")):
      return bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    case (UInt8(ascii: "/"), UInt8(ascii: "*")):
      var index = start + 2
      while index + 1 < bytes.count,
        bytes[index] != UInt8(ascii: "*") || bytes[index + 1] != UInt8(ascii: "/")
      {
        index += 1
      }
      return min(index + 2, bytes.count)
    case (UInt8(ascii: "\""), UInt8(ascii: "\"")) where isQuotes(bytes, at: start):
      var index = start + 3
      while index < bytes.count, !isQuotes(bytes, at: index) { index += 1 }
      return min(index + 3, bytes.count)
    case (UInt8(ascii: "\""), _):
      var index = start + 1
      while index < bytes.count, bytes[index] != UInt8(ascii: "\""),
        bytes[index] != UInt8(ascii: "\n")
      {
        index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
      }
      return min(index + 1, bytes.count)
    default:  // open: any other bytes
      return nil
    }
  }

  /// Returns whether the three quotation marks of a multi-line string are at `index`.
  private static func isQuotes(_ bytes: [UInt8], at index: Int) -> Bool {
    bytes[index...].prefix(3).elementsEqual([34, 34, 34])
  }
}
