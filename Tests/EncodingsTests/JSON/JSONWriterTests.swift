import Encodings
import Testing

@Suite struct JSONWriterTests {
  private func text(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    write(&writer)
    return writer.text
  }

  @Test(arguments: [
    ("", #""""#), ("plain", #""plain""#), ("é😀\u{2028}", "\"é😀\u{2028}\""), ("\"\\", #""\"\\""#),
    ("\n\r\t", #""\n\r\t""#), ("\0\u{1}\u{8}\u{B}\u{C}", #""\u0000\u0001\u0008\u000b\u000c""#),
    ("\u{1F}\u{7F}\u{80}", "\"\\u001f\\u007f\u{80}\""), ("a/b", #""a/b""#),
  ]) func `JSON strings are escaped as required`(value: String, expected: String) {
    #expect(text { $0.string(value) } == expected)
  }

  @Test(arguments: [
    (0, "0"), (7, "7"), (-7, "-7"), (10, "10"), (Int.max, "9223372036854775807"),
    (Int.min, "-9223372036854775808"),
  ]) func `JSON integers are written in decimal`(value: Int, expected: String) {
    #expect(text { $0.number(value) } == expected)
  }

  @Test func `JSON elements and members are separated by commas`() {
    let written = text { writer in
      writer.object { writer in
        writer.member("a", 1)
        writer.array("b") { writer in
          writer.number(2)
          writer.object { _ in }
          writer.array { $0.null() }
          writer.bool(true)
        }
        writer.object("c") { $0.member("d", "e") }
        writer.member("f", false)
      }
    }
    #expect(written == #"{"a":1,"b":[2,{},[null],true],"c":{"d":"e"},"f":false}"#)
  }

  @Test func `absent JSON members are omitted`() {
    let written = text { writer in
      writer.object { writer in
        writer.member("a", nil as String?)
        writer.member("b", nil as Int?)
        writer.member("c", "x" as String?)
        writer.member("d", nil as String?)
        writer.member("e", 1 as Int?)
      }
    }
    #expect(written == #"{"c":"x","e":1}"#)
  }

  @Test func `raw JSON is written unchanged`() {
    let written = text { writer in
      writer.array { writer in
        writer.raw("1.50".utf8)
        writer.object { writer in
          writer.member("a", json: "[ ]".utf8)
          writer.member("b", 2)
        }
        writer.raw("{}".utf8)
      }
    }
    #expect(written == #"[1.50,{"a":[ ],"b":2},{}]"#)
  }

  @Test func `JSON member names chosen at run time are escaped`() {
    let written = text { writer in
      writer.object { writer in
        writer.member(named: "a\"b") { $0.number(1) }
        writer.member(named: "") { $0.array { _ in } }
        writer.member("c", 3)
      }
    }
    #expect(written == #"{"a\"b":1,"":[],"c":3}"#)
  }

  @Test func `a JSON writer can write one JSON text per line`() {
    let written = text { writer in
      writer.object { $0.member("a", 1) }
      writer.endLine()
      writer.array { $0.number(2) }
      writer.endLine()
    }
    #expect(written == "{\"a\":1}\n[2]\n")
  }

  @Test func `a cleared JSON writer can be reused`() {
    let written = text { writer in
      writer.number(1)
      writer.removeAll()
      writer.number(2)
    }
    #expect(written == "2")
  }
}
