import Encodings
import Testing

@Suite struct JSONReaderTests {
  static let values: [(String, Plain)] = [
    ("null", .null), ("true", .bool(true)), ("false", .bool(false)),
    (" \t\r\n1 \n", .number("1")),
    ("{}", .object([])), ("[]", .array([])), ("{ \n }", .object([])), ("[ \n ]", .array([])),
    ("[1,2]", .array([.number("1"), .number("2")])),
    (" [ 1 , [ ] ] ", .array([.number("1"), .array([])])),
    (
      #"{"a":{"b":[true,null]}}"#, .members(["a": .members(["b": .array([.bool(true), .null])])])
    ),
    (#"{"":""}"#, .members(["": .string("")])),
  ]

  @Test(arguments: values)
  func `valid JSON texts are read as the expected values`(text: String, value: Plain) throws {
    #expect(Plain(try JSONReader.read(text)) == value)
  }

  @Test(arguments: [
    "0", "-0", "7", "-7", "10", "1.5", "-0.25", "1e3", "1E3", "1e+3", "1e-3", "0.1e01",
    "123456789012345678901234567890",
  ]) func `JSON numbers keep their spelling`(text: String) throws {
    #expect(Plain(try JSONReader.read(text)) == .number(text))
  }

  @Test(arguments: [
    (#""""#, ""), (#""plain""#, "plain"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
    (#""é € 😀""#, "é € 😀"), (#""\u0041\u00e9\u20AC""#, "Aé€"), (#""\uD83D\uDE00""#, "😀"),
    (#""\ud83d\ude00!""#, "😀!"), (#""\uD800\uDC00""#, "\u{10000}"),
    (#""\uDBFF\uDFFF""#, "\u{10FFFF}"), (#""\u0000""#, "\0"), (#""a\u0062c""#, "abc"),
    ("\"\u{7F}\u{2028}\"", "\u{7F}\u{2028}"),
  ]) func `JSON strings and their escapes are decoded`(text: String, value: String) throws {
    #expect(Plain(try JSONReader.read(text)) == .string(value))
  }

  @Test func `duplicate JSON members are kept in order, and a lookup finds the last`() throws {
    let value = try JSONReader.read(#"{"a":1,"b":2,"a":3}"#)
    let expected = Plain.members(["a": .number("1"), "b": .number("2"), "a": .number("3")])
    #expect(Plain(value) == expected)
    #expect(value["a"]?.int == 3)
    #expect(value["c"] == nil)
    #expect(try JSONReader.read("[1]")["a"] == nil)
  }

  static let integers: [(String, Int?)] = [
    ("0", 0), ("-0", 0), ("1e3", 1000), ("1.0", 1), ("9223372036854775807", Int.max),
    ("-9223372036854775808", Int.min), ("9223372036854775808", nil), ("1.5", nil), ("1e400", nil),
    (#""1""#, nil), ("true", nil),
  ]

  @Test(arguments: integers)
  func `only whole numbers within 64 bits are read as integers`(text: String, value: Int?) throws {
    #expect(try JSONReader.read(text).int == value)
  }

  @Test(arguments: [
    ("null", "null"), ("true", "a boolean"), ("1", "a number"), (#""""#, "a string"),
    ("[]", "an array"), ("{}", "an object"),
  ]) func `each JSON value states its kind and is returned only by the accessor of that kind`(
    text: String, name: String
  ) throws {
    let value = try JSONReader.read(text)
    #expect(value.kindName == name)
    #expect(value.isNull == (name == "null"))
    #expect((value.bool != nil) == (name == "a boolean"))
    #expect((value.int != nil) == (name == "a number"))
    #expect((value.string != nil) == (name == "a string"))
    #expect((value.array != nil) == (name == "an array"))
    #expect((value.members != nil) == (name == "an object"))
  }

  @Test(arguments: [("[", "]"), (#"{"a":"#, "}")])
  func `nesting of JSON values is limited`(open: String, close: String) throws {
    func nested(_ depth: Int) -> String {
      String(repeating: open, count: depth - 1) + (open == "[" ? "[]" : "{}")
        + String(repeating: close, count: depth - 1)
    }
    let limit = JSONReader.maximumDepth
    #expect(throws: Never.self) { try JSONReader.read(nested(limit)) }
    let position = Position(line: 1, column: open.count * limit + 1)
    #expect(
      throws: JSONSyntaxError(position: position, message: "nested deeper than \(limit) levels")
    ) { try JSONReader.read(nested(limit + 1)) }
  }

  @Test func `sibling JSON values do not add to the nesting depth`() throws {
    let many = "[" + Array(repeating: "[[]]", count: 1000).joined(separator: ",") + "]"
    #expect(try JSONReader.read(many).array?.count == 1000)
  }
}
