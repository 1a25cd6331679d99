import Encodings
import Testing

/// A text that is not JSON, and the expected error.
struct Refusal: Sendable, CustomTestStringConvertible {
  var text: String
  var position: Position
  var message: String

  init(_ text: String, _ line: Int, _ column: Int, _ message: String) {
    self.text = text
    position = Position(line: line, column: column)
    self.message = message
  }

  var testDescription: String { text.debugDescription }
}

@Suite struct MalformedJSONTests {
  static let values = [
    Refusal("", 1, 1, "expected a value, found the end of the file"),
    Refusal(" \n ", 2, 2, "expected a value, found the end of the file"),
    Refusal("\0", 1, 1, "expected a value, found a control character"),
    Refusal("nul", 1, 4, "expected `null`, found the end of the file"),
    Refusal("trüe", 1, 3, "expected `true`, found `ü`"),
    Refusal("[1,\r\n  tru]", 2, 6, "expected `true`, found `]`"),
    Refusal("nulls", 1, 5, "expected the end of the file, found `s`"),
    Refusal("1 2", 1, 3, "expected the end of the file, found `2`"),
    Refusal("[]]", 1, 3, "expected the end of the file, found `]`"),
    Refusal("name: x", 1, 1, "expected a value, found `name`"),
    Refusal("[fallthrough]", 1, 2, "expected a value, found `fallthrough`"),
    Refusal("NaN", 1, 1, "expected a value, found `N`"),
    Refusal("'a'", 1, 1, "expected a value, found `'`"),
    Refusal("// 1", 1, 1, "expected a value, found `/`"),
    Refusal("١", 1, 1, "expected a value, found `١`"),
  ]

  static let containers = [
    Refusal("[", 1, 2, "expected a value, found the end of the file"),
    Refusal("[1 2]", 1, 4, "expected `,` or `]`, found `2`"),
    Refusal("[1}", 1, 3, "expected `,` or `]`, found `}`"),
    Refusal("[1,]", 1, 4, "expected another element after `,`, found `]`"),
    Refusal("[,1]", 1, 2, "expected a value, found `,`"),
    Refusal("{", 1, 2, "expected a name in quotes, found the end of the file"),
    Refusal("{1:2}", 1, 2, "expected a name in quotes, found `1`"),
    Refusal(#"{"a" 1}"#, 1, 6, "expected `:` after the name `a`, found `1`"),
    Refusal(#"{"a":}"#, 1, 6, "expected a value, found `}`"),
    Refusal(#"{"a":1"#, 1, 7, "expected `,` or `}`, found the end of the file"),
    Refusal(#"{"a":1 "b":2}"#, 1, 8, "expected `,` or `}`, found `\"`"),
    Refusal(#"{"a":1,}"#, 1, 8, "expected another element after `,`, found `}`"),
    Refusal(#"{"a":1,2}"#, 1, 8, "expected a name in quotes, found `2`"),
  ]

  static let numbers = [
    Refusal("-", 1, 2, "expected a digit, found the end of the file"),
    Refusal("--1", 1, 2, "expected a digit, found `-`"),
    Refusal("+1", 1, 1, "expected a value, found `+`"),
    Refusal(".5", 1, 1, "expected a value, found `.`"),
    Refusal("01", 1, 2, "expected the end of the file, found `1`"),
    Refusal("-01", 1, 3, "expected the end of the file, found `1`"),
    Refusal("1.", 1, 3, "expected a digit, found the end of the file"),
    Refusal("1.e3", 1, 3, "expected a digit, found `e`"),
    Refusal("1e", 1, 3, "expected a digit, found the end of the file"),
    Refusal("1e+]", 1, 4, "expected a digit, found `]`"),
    Refusal("0x1F", 1, 2, "expected the end of the file, found `x`"),
  ]

  static let strings = [
    Refusal(#""abc"#, 1, 5, "the string does not end"),
    Refusal(#""abc\"#, 1, 6, "the string does not end"),
    Refusal(
      "\"a\nb\"", 1, 3, "a control character in a string must be written as an escape"),
    Refusal(
      "\"\u{1F}\"", 1, 2, "a control character in a string must be written as an escape"),
    Refusal(#""\x""#, 1, 3, #"unknown escape `\x`"#),
    Refusal(#""\U0041""#, 1, 3, #"unknown escape `\U`"#),
    Refusal(#""\u12G4""#, 1, 6, "expected four hexadecimal digits, found `G`"),
    Refusal(#""\u12""#, 1, 6, "expected four hexadecimal digits, found `\"`"),
    Refusal(#""\u１234""#, 1, 4, "expected four hexadecimal digits, found `１`"),
    Refusal(#""\uD800""#, 1, 8, "an unpaired surrogate"),
    Refusal(#""\uD800\n""#, 1, 8, "an unpaired surrogate"),
    Refusal(#""\uDC00\uD800""#, 1, 8, "an unpaired surrogate"),
    Refusal(#""\uD800\u0041""#, 1, 14, "an unpaired surrogate"),
  ]

  @Test(arguments: values + containers + numbers + strings)
  func `malformed JSON texts are rejected with position and reason`(refusal: Refusal) {
    #expect(throws: JSONSyntaxError(position: refusal.position, message: refusal.message)) {
      try JSONReader.read(refusal.text)
    }
  }

  @Test func `random byte changes never crash the JSON reader`() {
    let text = Array(#"{"a\u00e9\uD83D\uDE00":[1.5e3,true,null,{"é":"😀"}]}"#.utf8)
    for index in text.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = text
        changed[index] = byte
        _ = try? JSONReader.read(changed)
      }
    }
  }
}
