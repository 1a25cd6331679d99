import Encodings
import Testing

@Suite struct JSONEditTests {
  private static let start = Position(line: 1, column: 1)

  private static func edited(
    _ text: String, _ body: (inout JSONEdit, JSONValue) -> Void
  ) throws -> String {
    let root = try JSONReader.read(text)
    var edit = try JSONEdit(Array(text.utf8))
    body(&edit, root)
    return String(decoding: edit.bytes, as: UTF8.self)
  }

  private static func json(_ text: String) -> JSONValue {
    (try? JSONReader.read(text)) ?? JSONValue(.null, at: start)
  }

  @Test func `a JSON object after non-ASCII text is edited at its position`() throws {
    let text = "[{\"name\": \"\u{fc}ber\u{1f600}\"}\n,\u{20}{\"a\": 1}\n]"
    var edit = try JSONEdit(Array(text.utf8))
    edit.set(
      "a", to: JSONValue(.number("2"), at: Position(line: 1, column: 1)),
      inObjectAt: Position(line: 2, column: 3))
    #expect(String(decoding: edit.bytes, as: UTF8.self) == text.replacing("1}", with: "2}"))
  }

  @Test(arguments: [
    (#"{}"#, #"{"a": 1}"#), (#"{ "b":2 }"#, #"{ "b":2, "a":1 }"#), (#"{"a" :0}"#, #"{"a" :1}"#),
    ("{\n    \"b\": {}\n}\n", "{\n    \"b\": {},\n    \"a\": 1\n}\n"),
    ("{\r\n\t\"a\": [\r\n\t\t1\r\n\t]\r\n}", "{\r\n\t\"a\": 1\r\n}"),
    (#"{"x\"}": "]\\", "a": null}"#, #"{"x\"}": "]\\", "a": 1}"#),
  ])
  func `a JSON member is inserted with the spacing of its neighbours`(
    text: String, expected: String
  ) throws {
    let edited = try Self.edited(text) { edit, root in
      edit.set("a", to: Self.json("1"), inObjectAt: root.position)
    }
    #expect(edited == expected)
  }

  @Test(arguments: [
    (#"{"l": []}"#, #"{"l": [{"k": [1, 2]}]}"#), (#"{"l": [0,5]}"#, #"{"l": [0,5,{"k": [1, 2]}]}"#),
    (
      "{\n  \"l\": [\n    0\n  ]\n}",
      "{\n  \"l\": [\n    0,\n    {\n      \"k\": [\n        1,\n        2\n      ]\n    }\n  ]\n}"
    ),
    (
      "{\n  \"l\": null\n}",
      "{\n  \"l\": [\n    {\n      \"k\": [\n        1,\n        2\n      ]\n    }\n  ]\n}"
    ),
  ])
  func `a JSON element is appended with the spacing of its neighbours`(
    text: String, expected: String
  ) throws {
    let edited = try Self.edited(text) { edit, root in
      edit.append(Self.json(#"{"k": [1, 2]}"#), to: "l", inObjectAt: root.position)
    }
    #expect(edited == expected)
  }

  @Test(arguments: [
    (0, #"{"l": [1, 2]}"#), (1, #"{"l": [0, 2]}"#), (2, #"{"l": [0, 1]}"#),
    (3, #"{"l": [0, 1, 2]}"#),
  ])
  func `a JSON array element is removed with its comma`(index: Int, expected: String) throws {
    let edited = try Self.edited(#"{"l": [0, 1, 2]}"#) { edit, root in
      edit.remove(elementAt: index, of: "l", inObjectAt: root.position)
    }
    #expect(edited == expected)
  }

  @Test func `several JSON edits use the positions of the original text`() throws {
    let edited = try Self.edited(#"[{"a": 1}, {"a": 2}]"#) { edit, root in
      for object in root.array ?? [] {
        edit.set("b", to: Self.json("true"), inObjectAt: object.position)
        edit.set("a", to: Self.json("1000"), inObjectAt: object.position)
      }
    }
    #expect(edited == #"[{"a": 1000, "b": true}, {"a": 1000, "b": true}]"#)
  }

  @Test(arguments: [true, false], [true, false])
  func `an edited UTF-16 text keeps its byte order and its byte order mark`(
    isLittleEndian: Bool, hasMark: Bool
  ) throws {
    let bytes = { (text: String) in
      ((hasMark ? [0xFEFF] : []) + Array(text.utf16)).flatMap { unit in
        let pair = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
        return isLittleEndian ? pair : pair.reversed()
      }
    }
    var edit = try JSONEdit(bytes(#"{"é": "😀", "a": 1}"#))
    #expect(!edit.isChanged)
    edit.set("a", to: Self.json("2"), inObjectAt: Self.start)
    #expect(edit.isChanged)
    #expect(edit.bytes == bytes(#"{"é": "😀", "a": 2}"#))
  }
}
