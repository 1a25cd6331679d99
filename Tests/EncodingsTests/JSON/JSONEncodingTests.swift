import Encodings
import Testing

@Suite struct JSONEncodingTests {
  private static let text = "{\"é€😀\":\n [1]}"

  private static func utf16(_ text: String, _ order: (UInt16) -> [UInt8]) -> [UInt8] {
    text.utf16.flatMap(order)
  }

  private static func little(_ unit: UInt16) -> [UInt8] { [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
  private static func big(_ unit: UInt16) -> [UInt8] { [UInt8(unit >> 8), UInt8(unit & 0xFF)] }

  static let encodings: [(String, [UInt8])] = [
    ("UTF-8", Array(text.utf8)),
    ("UTF-8 with a mark", [0xEF, 0xBB, 0xBF] + text.utf8),
    ("UTF-16 LE", utf16(text, little)),
    ("UTF-16 BE", utf16(text, big)),
    ("UTF-16 LE with a mark", [0xFF, 0xFE] + utf16(text, little)),
    ("UTF-16 BE with a mark", [0xFE, 0xFF] + utf16(text, big)),
  ]

  @Test(arguments: encodings)
  func `a JSON text has the same value and positions in every encoding`(
    encoding: String, bytes: [UInt8]
  ) throws {
    let value = try JSONReader.read(bytes)
    #expect(Plain(value) == .members(["é€😀": .array([.number("1")])]))
    #expect(value["é€😀"]?.array?.first?.position == Position(line: 2, column: 3))
  }

  @Test(arguments: encodings)
  func `JSON text truncated at any byte is rejected`(encoding: String, bytes: [UInt8]) {
    for count in 0..<bytes.count {
      #expect(throws: JSONSyntaxError.self, "\(encoding), \(count) bytes") {
        try JSONReader.read(Array(bytes.prefix(count)))
      }
    }
  }

  static let malformedUTF8: [[UInt8]] = [
    // The sequences are an invalid first byte, a lone continuation byte, an overlong slash, a
    // surrogate, a value beyond Unicode, and a truncated sequence (RFC 3629, section 3).
    [0xFF], [0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82],
  ]

  @Test func `JSON text that must be UTF-8 is not decoded as UTF-16`() throws {
    #expect(try JSONReader.read(utf8: [0xEF, 0xBB, 0xBF] + "7".utf8).int == 7)
    for bytes in [[0xFF, 0xFE, 0x37, 0], [0xFE, 0xFF, 0, 0x37]] as [[UInt8]] {
      #expect(try JSONReader.read(bytes).int == 7)
      #expect(
        throws: JSONSyntaxError(
          position: Position(line: 1, column: 1), message: "the text is not valid UTF-8")
      ) { try JSONReader.read(utf8: bytes) }
    }
  }

  @Test(arguments: malformedUTF8)
  func `malformed UTF-8 is rejected at its position`(bytes: [UInt8]) {
    let position = Position(line: 2, column: 3)
    #expect(
      throws: JSONSyntaxError(position: position, message: "the text is not valid UTF-8")
    ) { try JSONReader.read(Array("[\n\"a".utf8) + bytes) }
  }

  static let malformedUTF16: [([UInt8], Int)] = [
    ([0xFF, 0xFE, 0x5B], 1), ([0x5B, 0x00, 0x31], 2), ([0x00, 0x5B, 0x00], 2),
    // The texts have half of a surrogate pair, and a pair in the wrong order.
    ([0xFF, 0xFE, 0x00, 0xD8], 1), ([0xFE, 0xFF, 0x00, 0x5B, 0xDC, 0x00, 0x00, 0x5D], 2),
  ]

  @Test(arguments: malformedUTF16)
  func `malformed UTF-16 is rejected at its position`(bytes: [UInt8], column: Int) {
    let position = Position(line: 1, column: column)
    #expect(
      throws: JSONSyntaxError(position: position, message: "the text is not valid UTF-16")
    ) { try JSONReader.read(bytes) }
  }

  static let marks: [[UInt8]] = [
    [0xFF, 0xFE], [0xFE, 0xFF], [0xEF, 0xBB, 0xBF],
  ]

  @Test(arguments: marks)
  func `a JSON text with only a byte order mark is rejected as empty`(mark: [UInt8]) {
    let message = "expected a value, found the end of the file"
    #expect(throws: JSONSyntaxError(position: Position(line: 1, column: 1), message: message)) {
      try JSONReader.read(mark)
    }
  }
}
