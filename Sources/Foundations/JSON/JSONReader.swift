/// Parses JSON (RFC 8259) into values with positions.
///
/// Accepts UTF-8 with or without a byte order mark, and UTF-16 in both byte orders, which exports on Windows
/// often use. Nesting is limited to ``maximumDepth``.
public struct JSONReader {
  /// The maximum depth of nested arrays and objects.
  public static let maximumDepth = 512

  private var scalars: [Unicode.Scalar]
  private var index = 0
  private var line = 1
  private var lineStart = 0
  private var depth = 0

  /// Reads a JSON text.
  ///
  /// - Throws: ``JSONSyntaxError`` if `bytes` are not exactly one JSON value.
  public static func read(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
    var reader = JSONReader(scalars: try TextDecoding.scalars(of: bytes))
    return try reader.document()
  }

  /// Reads a JSON text as UTF-8, without detecting the encoding.
  ///
  /// - Throws: ``JSONSyntaxError`` if `bytes` are not exactly one JSON value.
  package static func read(utf8 bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
    var reader = JSONReader(scalars: try TextDecoding.scalars(ofUTF8: bytes))
    return try reader.document()
  }

  /// Reads a JSON text.
  ///
  /// - Throws: ``JSONSyntaxError`` if `text` is not exactly one JSON value.
  public static func read(_ text: String) throws(JSONSyntaxError) -> JSONValue {
    try read(Array(text.utf8))
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private var position: Position { Position(line: line, column: index - lineStart + 1) }

  private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private func failure(_ message: String) -> JSONSyntaxError {
    JSONSyntaxError(position: position, message: message)
  }

  private var found: String {
    guard let next else { return "the end of the file" }
    return next.value < 0x20 ? "a control character" : "`\(next)`"
  }

  private mutating func skipSpace() {
    while let scalar = next {
      switch scalar {
      case " ", "\t", "\r": index += 1
      case "\n":
        index += 1
        line += 1
        lineStart = index
      default:  // open: any other character
        return
      }
    }
  }

  private mutating func document() throws(JSONSyntaxError) -> JSONValue {
    skipSpace()
    let value = try value()
    skipSpace()
    guard next == nil else { throw failure("expected the end of the file, found \(found)") }
    return value
  }

  private mutating func value() throws(JSONSyntaxError) -> JSONValue {
    let start = position
    switch next {
    case "{": return JSONValue(.object(try object()), at: start)
    case "[": return JSONValue(.array(try array()), at: start)
    case "\"": return JSONValue(.string(try string()), at: start)
    case "t": return JSONValue(try word("true", .bool(true)), at: start)
    case "f": return JSONValue(try word("false", .bool(false)), at: start)
    case "n": return JSONValue(try word("null", .null), at: start)
    case let scalar? where scalar == "-" || ("0"..."9").contains(scalar):
      return JSONValue(.number(try number()), at: start)
    default:  // open: any other character, or the end
      throw failure("expected a value, found \(found)")
    }
  }

  private mutating func word(
    _ word: String, _ kind: JSONValue.Kind
  ) throws(JSONSyntaxError) -> JSONValue.Kind {
    let start = index
    for scalar in word.unicodeScalars {
      guard next == scalar else {
        try refuseBareWord(from: start)
        throw failure("expected `\(word)`, found \(found)")
      }
      index += 1
    }
    return kind
  }

  /// Rejects a word without quotes, which other formats allow.
  private mutating func refuseBareWord(from start: Int) throws(JSONSyntaxError) {
    let letters = scalars[start...].prefix(32).prefix { $0.isASCII && $0.properties.isAlphabetic }
    guard start + letters.count > index else { return }
    index = start
    throw failure("expected a value, found `\(String(String.UnicodeScalarView(letters)))`")
  }

  private mutating func descend() throws(JSONSyntaxError) {
    depth += 1
    guard depth <= Self.maximumDepth else {
      throw failure("nested deeper than \(Self.maximumDepth) levels")
    }
    index += 1
    skipSpace()
  }

  private mutating func object() throws(JSONSyntaxError) -> [JSONValue.Member] {
    try descend()
    defer { depth -= 1 }
    var members: [JSONValue.Member] = []
    if next == "}" {
      index += 1
      return members
    }
    while true {
      guard next == "\"" else { throw failure("expected a name in quotes, found \(found)") }
      let start = position
      let name = try string()
      skipSpace()
      guard next == ":" else {
        throw failure("expected `:` after the name `\(name)`, found \(found)")
      }
      index += 1
      skipSpace()
      members.append(.init(name: name, position: start, value: try value()))
      if try endsAfterElement(close: "}") { return members }
    }
  }

  private mutating func array() throws(JSONSyntaxError) -> [JSONValue] {
    try descend()
    defer { depth -= 1 }
    var elements: [JSONValue] = []
    if next == "]" {
      index += 1
      return elements
    }
    while true {
      elements.append(try value())
      if try endsAfterElement(close: "]") { return elements }
    }
  }

  /// Consumes a comma or the closing bracket; returns true for the bracket.
  private mutating func endsAfterElement(close: Unicode.Scalar) throws(JSONSyntaxError) -> Bool {
    skipSpace()
    if next == close {
      index += 1
      return true
    }
    guard next == "," else { throw failure("expected `,` or `\(close)`, found \(found)") }
    index += 1
    skipSpace()
    if next == close { throw failure("expected another element after `,`, found \(found)") }
    return false
  }

  private mutating func number() throws(JSONSyntaxError) -> String {
    let start = index
    if next == "-" { index += 1 }
    if next == "0" {
      index += 1
    } else {
      try digits()
    }
    if next == "." {
      index += 1
      try digits()
    }
    if next == "e" || next == "E" {
      index += 1
      if next == "+" || next == "-" { index += 1 }
      try digits()
    }
    return String(String.UnicodeScalarView(scalars[start..<index]))
  }

  private mutating func digits() throws(JSONSyntaxError) {
    guard let first = next, ("0"..."9").contains(first) else {
      throw failure("expected a digit, found \(found)")
    }
    while let scalar = next, ("0"..."9").contains(scalar) { index += 1 }
  }

  private mutating func string() throws(JSONSyntaxError) -> String {
    index += 1
    if let plain = plainString() { return plain }
    // UTF-8, because `String` stores it unchanged.
    var text: [UInt8] = []
    while true {
      guard let scalar = next else { throw failure("the string does not end") }
      switch scalar {
      case "\"":
        index += 1
        return String(decoding: text, as: UTF8.self)
      case "\\": Self.append(try escape(), to: &text)
      default:  // open: any other character
        guard scalar.value >= 0x20 else {
          throw failure("a control character in a string must be written as an escape")
        }
        index += 1
        Self.append(scalar, to: &text)
      }
    }
  }

  /// Reads a string of printable ASCII without escapes, the common case. For any other string, returns nil
  /// and consumes nothing.
  private mutating func plainString() -> String? {
    let end = scalars[index...].firstIndex { scalar in
      scalar == "\"" || scalar == "\\" || !(0x20...0x7E).contains(scalar.value)
    }
    guard let end, scalars[end] == "\"" else { return nil }
    let text = String(unsafeUninitializedCapacity: end - index) { bytes in
      for (place, scalar) in scalars[index..<end].enumerated() {
        bytes[place] = UInt8(truncatingIfNeeded: scalar.value)
      }
      return end - index
    }
    index = end + 1
    return text
  }

  private static func append(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
    if scalar.isASCII {
      text.append(UInt8(truncatingIfNeeded: scalar.value))
    } else {
      text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }

  private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
    index += 1
    guard let letter = next else { throw failure("the string does not end") }
    index += 1
    switch letter {
    case "\"", "\\", "/": return letter
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u": return try unicodeEscape()
    default:  // open: any other letter
      index -= 1
      throw failure("unknown escape `\\\(letter)`")
    }
  }

  private mutating func unicodeEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
    let high = try hexQuad()
    guard (0xD800...0xDFFF).contains(high) else { return Unicode.Scalar(high) ?? "\u{FFFD}" }
    guard high < 0xDC00, next == "\\", index + 1 < scalars.count, scalars[index + 1] == "u" else {
      throw failure("half of a surrogate pair")
    }
    index += 2
    let low = try hexQuad()
    guard (0xDC00...0xDFFF).contains(low) else { throw failure("half of a surrogate pair") }
    return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
  }

  private mutating func hexQuad() throws(JSONSyntaxError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let scalar = next, let digit = Character(scalar).hexDigitValue, scalar.isASCII else {
        throw failure("expected four hexadecimal digits, found \(found)")
      }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }
}
