/// Parses JSON (RFC 8259) into values with positions.
///
/// Accepts UTF-8 with or without a byte order mark, and UTF-16 in both byte orders, which exports on Windows
/// often use. Nesting is limited to ``maximumDepth``.
public struct JSONReader {
  /// The maximum depth of nested arrays and objects.
  public static let maximumDepth = 512

  /// The text in valid UTF-8.
  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  private var lineStart = 0
  /// The number of UTF-8 continuation bytes before ``index`` on its line. Columns do not count them.
  private var continuations = 0
  private var depth = 0

  /// Reads a JSON text.
  ///
  /// - Throws: ``JSONSyntaxError`` if `bytes` are not exactly one JSON value.
  public static func read(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
    var reader = JSONReader(bytes: try TextDecoding.utf8(of: bytes))
    return try reader.document { reader throws(JSONSyntaxError) in try reader.value() }
  }

  /// Reads a JSON text as UTF-8, without detecting the encoding.
  ///
  /// - Throws: ``JSONSyntaxError`` if `bytes` are not exactly one JSON value.
  package static func read(utf8 bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
    var reader = JSONReader(bytes: try TextDecoding.utf8(ofUTF8: bytes))
    return try reader.document { reader throws(JSONSyntaxError) in try reader.value() }
  }

  /// Reads a JSON text.
  ///
  /// - Throws: ``JSONSyntaxError`` if `text` is not exactly one JSON value.
  public static func read(_ text: String) throws(JSONSyntaxError) -> JSONValue {
    try read(Array(text.utf8))
  }

  fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

  // MARK: Places

  private var position: Position {
    Position(line: line, column: index - lineStart - continuations + 1)
  }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Whether the next byte is `character`.
  ///
  /// - Precondition: `character` is an ASCII character.
  private func isNext(_ character: Unicode.Scalar) -> Bool { next == UInt8(ascii: character) }

  private func failure(_ message: String) -> JSONSyntaxError {
    JSONSyntaxError(position: position, message: message)
  }

  /// The scalar at ``index``; nil at the end.
  private var scalar: Unicode.Scalar? {
    var decoder = UTF8()
    var rest = bytes[index...].makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return nil }
    return scalar
  }

  private var found: String {
    guard let scalar else { return "the end of the file" }
    return scalar.value < 0x20 ? "a control character" : "`\(scalar)`"
  }

  private mutating func skipSpace() {
    while let byte = next {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): index += 1
      case UInt8(ascii: "\n"):
        index += 1
        line += 1
        lineStart = index
        continuations = 0
      default:  // open: any other byte
        return
      }
    }
  }

  // MARK: Values

  /// Reads the text's only value by calling `body`. Throws an error if anything follows the value.
  fileprivate mutating func document<Value>(
    _ body: (inout Self) throws(JSONSyntaxError) -> Value
  ) throws(JSONSyntaxError) -> Value {
    skipSpace()
    let value = try body(&self)
    skipSpace()
    guard next == nil else { throw failure("expected the end of the file, found \(found)") }
    return value
  }

  fileprivate mutating func value() throws(JSONSyntaxError) -> JSONValue {
    let start = position
    switch try startOfValue() {
    case .object:
      var members: [JSONValue.Member] = []
      try elements(close: "}") { reader throws(JSONSyntaxError) in
        let (position, name) = try reader.name()
        members.append(.init(name: name, position: position, value: try reader.value()))
      }
      return JSONValue(.object(members), at: start)
    case .array:
      var elements: [JSONValue] = []
      try self.elements(close: "]") { reader throws(JSONSyntaxError) in
        elements.append(try reader.value())
      }
      return JSONValue(.array(elements), at: start)
    case .string: return JSONValue(.string(try string()), at: start)
    case .number:
      let first = index
      try number()
      return JSONValue(.number(String(decoding: bytes[first..<index], as: UTF8.self)), at: start)
    case .word(let word, let kind):
      try consume(word)
      return JSONValue(kind, at: start)
    }
  }

  /// Checks the syntax of a value without creating the value.
  private mutating func skip() throws(JSONSyntaxError) {
    switch try startOfValue() {
    case .object:
      try elements(close: "}") { reader throws(JSONSyntaxError) in
        _ = try reader.name()
        try reader.skip()
      }
    case .array: try elements(close: "]") { reader throws(JSONSyntaxError) in try reader.skip() }
    case .string: if plainString() == nil { _ = try string() }
    case .number: try number()
    case .word(let word, _): try consume(word)
    }
  }

  /// The kind of a value, which its first character determines.
  private enum Start {
    case object, array, string, number
    case word(StaticString, JSONValue.Kind)
  }

  private func startOfValue() throws(JSONSyntaxError) -> Start {
    switch next {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "-"): return .number
    case UInt8(ascii: "t"): return .word("true", .bool(true))
    case UInt8(ascii: "f"): return .word("false", .bool(false))
    case UInt8(ascii: "n"): return .word("null", .null)
    case let byte? where Self.isDigit(byte): return .number
    default:  // open: any other character, or the end
      throw failure("expected a value, found \(found)")
    }
  }

  private mutating func consume(_ word: StaticString) throws(JSONSyntaxError) {
    let start = index
    let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    for byte in expected {
      guard next == byte else {
        try refuseBareWord(from: start)
        throw failure("expected `\(word)`, found \(found)")
      }
      index += 1
    }
  }

  /// Throws an error that quotes the word at `start`, because JSON does not allow it without quotation marks. Does
  /// nothing if no letter follows the consumed text.
  private mutating func refuseBareWord(from start: Int) throws(JSONSyntaxError) {
    let letters = bytes[start...].prefix(32).prefix { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    guard letters.endIndex > index else { return }
    index = start
    throw failure("expected a value, found `\(String(decoding: letters, as: UTF8.self))`")
  }

  /// Reads the elements of an array or the members of an object, with the brackets around them.
  private mutating func elements(
    close: Unicode.Scalar, _ element: (inout Self) throws(JSONSyntaxError) -> Void
  ) throws(JSONSyntaxError) {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else {
      throw failure("nested deeper than \(Self.maximumDepth) levels")
    }
    index += 1
    skipSpace()
    if isNext(close) {
      index += 1
      return
    }
    repeat { try element(&self) } while try !endsAfterElement(close: close)
  }

  /// Consumes a comma or the closing bracket; returns true for the bracket.
  private mutating func endsAfterElement(close: Unicode.Scalar) throws(JSONSyntaxError) -> Bool {
    skipSpace()
    if isNext(close) {
      index += 1
      return true
    }
    guard isNext(",") else { throw failure("expected `,` or `\(close)`, found \(found)") }
    index += 1
    skipSpace()
    if isNext(close) { throw failure("expected another element after `,`, found \(found)") }
    return false
  }

  /// Reads a member's name and the colon after it.
  private mutating func name() throws(JSONSyntaxError) -> (position: Position, name: String) {
    guard isNext("\"") else { throw failure("expected a name in quotes, found \(found)") }
    let start = position
    let name = try string()
    skipSpace()
    guard isNext(":") else {
      throw failure("expected `:` after the name `\(name)`, found \(found)")
    }
    index += 1
    skipSpace()
    return (start, name)
  }

  // MARK: Numbers

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private mutating func number() throws(JSONSyntaxError) {
    if isNext("-") { index += 1 }
    if isNext("0") {
      index += 1
    } else {
      try digits()
    }
    if isNext(".") {
      index += 1
      try digits()
    }
    if isNext("e") || isNext("E") {
      index += 1
      if isNext("+") || isNext("-") { index += 1 }
      try digits()
    }
  }

  private mutating func digits() throws(JSONSyntaxError) {
    guard let first = next, Self.isDigit(first) else {
      throw failure("expected a digit, found \(found)")
    }
    while let byte = next, Self.isDigit(byte) { index += 1 }
  }

  // MARK: Strings

  private mutating func string() throws(JSONSyntaxError) -> String {
    if let plain = plainString() { return String(decoding: bytes[plain], as: UTF8.self) }
    index += 1
    var text: [UInt8] = []
    while true {
      guard let byte = next else { throw failure("the string does not end") }
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        text.append(contentsOf: UTF8.encode(try escape()) ?? UTF8.encodedReplacementCharacter)
      case ..<0x20:
        throw failure("a control character in a string must be written as an escape")
      default:  // open: any other byte
        index += 1
        if UTF8.isContinuation(byte) { continuations += 1 }
        text.append(byte)
      }
    }
  }

  /// Consumes a string without escapes, the common case, and returns the range of its text. For any other string,
  /// returns nil and consumes nothing.
  private mutating func plainString() -> Range<Int>? {
    let start = index + 1
    var end = start
    var continuations = 0
    while end < bytes.count {
      let byte = bytes[end]
      if byte == UInt8(ascii: "\"") {
        index = end + 1
        self.continuations += continuations
        return start..<end
      }
      guard byte >= 0x20, byte != UInt8(ascii: "\\") else { return nil }
      if UTF8.isContinuation(byte) { continuations += 1 }
      end += 1
    }
    return nil
  }

  private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
    index += 1
    guard let letter = scalar else { throw failure("the string does not end") }
    let meaning: Unicode.Scalar
    switch letter {
    case "\"", "\\", "/": meaning = letter
    case "b": meaning = "\u{8}"
    case "f": meaning = "\u{C}"
    case "n": meaning = "\n"
    case "r": meaning = "\r"
    case "t": meaning = "\t"
    case "u":
      index += 1
      return try unicodeEscape()
    default:  // open: any other letter
      throw failure("unknown escape `\\\(letter)`")
    }
    index += 1
    return meaning
  }

  private mutating func unicodeEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
    let high = try hexQuad()
    guard (0xD800...0xDFFF).contains(high) else { return Unicode.Scalar(high) ?? "\u{FFFD}" }
    guard high < 0xDC00, isNext("\\"), index + 1 < bytes.count,
      bytes[index + 1] == UInt8(ascii: "u")
    else { throw failure("an unpaired surrogate") }
    index += 2
    let low = try hexQuad()
    guard (0xDC00...0xDFFF).contains(low) else { throw failure("an unpaired surrogate") }
    return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
  }

  private mutating func hexQuad() throws(JSONSyntaxError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, byte < 0x80,
        let digit = Character(Unicode.Scalar(byte)).hexDigitValue
      else { throw failure("expected four hexadecimal digits, found \(found)") }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }
}

// MARK: - Large texts

/// An iterator over the elements of a JSON list. It creates one element at a time, to save memory.
package struct JSONElements: IteratorProtocol {
  /// The value of the whole text, but without the elements of the list.
  package let root: JSONValue
  package let hasList: Bool
  /// The reader, positioned before the list's opening bracket or between elements; nil if no elements are left.
  private var reader: JSONReader?
  private var isFirst = true

  /// Checks a whole JSON text, and finds its list: the top-level array, or the member `name` of the top-level object.
  ///
  /// - Throws: ``JSONSyntaxError`` if `bytes` are not exactly one JSON value.
  package init(of bytes: [UInt8], in name: String) throws(JSONSyntaxError) {
    var reader = JSONReader(bytes: try TextDecoding.utf8(of: bytes))
    var list: JSONReader?
    root = try reader.document { reader throws(JSONSyntaxError) in
      try reader.outline(leavingOut: name, &list)
    }
    hasList = list != nil
    self.reader = list
  }

  package mutating func next() -> JSONValue? {
    defer { isFirst = false }
    // The text has been checked, so reading does not fail.
    let element = (try? reader?.nextElement(isFirst: isFirst)) ?? nil
    if element == nil { reader = nil }
    return element
  }
}

extension JSONReader {
  /// Reads the whole text, and returns its value without the elements of the list.
  ///
  /// - Parameter list: Receives a reader that is positioned before the list.
  fileprivate mutating func outline(
    leavingOut name: String, _ list: inout JSONReader?
  ) throws(JSONSyntaxError) -> JSONValue {
    if isNext("[") { return try emptied(&list) }
    guard isNext("{") else { return try value() }
    let start = position
    var members: [JSONValue.Member] = []
    try elements(close: "}") { reader throws(JSONSyntaxError) in
      let (position, found) = try reader.name()
      // If several members have the same name, the last one is used.
      if found == name { list = nil }
      let value =
        found == name && reader.isNext("[") ? try reader.emptied(&list) : try reader.value()
      members.append(.init(name: found, position: position, value: value))
    }
    return JSONValue(.object(members), at: start)
  }

  private mutating func emptied(_ list: inout JSONReader?) throws(JSONSyntaxError) -> JSONValue {
    list = self
    let start = position
    try skip()
    return JSONValue(.array([]), at: start)
  }

  fileprivate mutating func nextElement(isFirst: Bool) throws(JSONSyntaxError) -> JSONValue? {
    if isFirst {
      depth += 1
      index += 1
      skipSpace()
      if isNext("]") { return nil }
    } else if try endsAfterElement(close: "]") {
      return nil
    }
    return try value()
  }
}
