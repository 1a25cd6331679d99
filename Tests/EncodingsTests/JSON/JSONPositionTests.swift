import Encodings
import Testing

@Suite struct JSONPositionTests {
  private static let lines = [
    #"{"#,
    #"  "é😀" : [1, true],"#,
    #"  "b": {"c": null,"#,
    #"    "\u0064": "x"}"#,
    #"}"#,
  ]

  @Test(arguments: ["\n", "\r\n"])
  func `JSON members and values have the right positions under all line endings`(lineEnd: String)
    throws
  {
    let value = try JSONReader.read(Self.lines.joined(separator: lineEnd))
    #expect(value.position == Position(line: 1, column: 1))
    let members = try #require(value.members)
    #expect(
      members.map(\.position) == [Position(line: 2, column: 3), Position(line: 3, column: 3)])
    #expect(members[0].value.position == Position(line: 2, column: 10))
    #expect(
      members[0].value.array?.map(\.position)
        == [Position(line: 2, column: 11), Position(line: 2, column: 14)])
    #expect(value["b"]?["c"]?.position == Position(line: 3, column: 14))
    #expect(value["b"]?.members?.last?.position == Position(line: 4, column: 5))
    #expect(value["b"]?["d"]?.position == Position(line: 4, column: 15))
  }

  @Test(arguments: [
    (#""é""#, 6), ("\"e\u{301}\"", 7), (#""😀""#, 6), (#""\uD83D\uDE00""#, 17), (#""👩‍👧""#, 8),
  ]) func `JSON columns count Unicode scalars of the file, before escapes are decoded`(
    text: String, next: Int
  ) throws {
    let value = try JSONReader.read("[\(text),0]")
    #expect(value.array?.last?.position == Position(line: 1, column: next))
  }

  @Test func `a byte order mark does not count as a column`() throws {
    #expect(try JSONReader.read("\u{FEFF}1").position == Position(line: 1, column: 1))
  }

  @Test func `empty lines before a JSON value count as lines`() throws {
    #expect(try JSONReader.read("\n\r\n  7").position == Position(line: 3, column: 3))
  }
}
