/// Writes compact JSON to a byte buffer, member by member, without building values first.
///
/// Member names are not escaped, so they must not need escaping. Only ``member(named:_:)`` escapes
/// its name.
public struct JSONWriter {
  /// The text written so far, in UTF-8.
  public private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// Creates a writer with an empty text.
  public init() {}

  package static func text(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return writer.text
  }

  /// Returns the text that `body` writes, followed by a line break.
  public static func line(_ body: (inout JSONWriter) -> Void) -> String {
    text { writer in
      body(&writer)
      writer.endLine()
    }
  }

  /// Returns an object with the members that `body` writes, followed by a line break.
  public static func objectLine(_ body: (inout JSONWriter) -> Void) -> String {
    line { $0.object(body) }
  }

  package static func objectText(_ body: (inout JSONWriter) -> Void) -> String {
    text { $0.object(body) }
  }

  /// The text written so far.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Removes the text but keeps the allocated memory.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  public mutating func object(_ body: (inout JSONWriter) -> Void) {
    enclose("{", "}", body)
  }

  public mutating func array(_ body: (inout JSONWriter) -> Void) {
    enclose("[", "]", body)
  }

  /// Returns the JSON text of a string, which is also valid YAML.
  package static func quoted(_ value: String) -> String {
    text { $0.string(value) }
  }

  /// Writes a member that is an object.
  public mutating func object(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
    self.name(name)
    enclose("{", "}", body)
  }

  /// Writes a member that is an array.
  public mutating func array(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
    self.name(name)
    enclose("[", "]", body)
  }

  /// Writes a member that is a string.
  public mutating func member(_ name: StaticString, _ value: String) {
    self.name(name)
    string(value)
  }

  /// Writes a member that is a string, unless the value is nil.
  public mutating func member(_ name: StaticString, _ value: String?) {
    if let value { member(name, value) }
  }

  /// Writes a member that is a number.
  public mutating func member(_ name: StaticString, _ value: Int) {
    self.name(name)
    number(value)
  }

  /// Writes a member that is a number, unless the value is nil.
  public mutating func member(_ name: StaticString, _ value: Int?) {
    if let value { member(name, value) }
  }

  /// Writes a member that is a boolean.
  public mutating func member(_ name: StaticString, _ value: Bool) {
    self.name(name)
    bool(value)
  }

  /// Writes a member for each entry of a dictionary, in the order of the keys. `body` writes a value.
  package mutating func members<Value>(
    of values: [String: Value], _ body: (inout JSONWriter, Value) -> Void
  ) {
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      member(named: name) { body(&$0, value) }
    }
  }

  package mutating func strings(_ name: StaticString, _ values: some Sequence<String>) {
    array(name) { writer in for value in values { writer.string(value) } }
  }

  package mutating func numbers(_ name: StaticString, _ values: some Sequence<Int>) {
    array(name) { writer in for value in values { writer.number(value) } }
  }

  package mutating func array<Element>(
    _ name: StaticString, of elements: some Sequence<Element>,
    _ body: (inout JSONWriter, Element) -> Void
  ) {
    array(name) { writer in for element in elements { body(&writer, element) } }
  }

  /// Writes a member that is an array of objects. `body` writes the members of one object.
  package mutating func objects<Element>(
    _ name: StaticString, of elements: some Sequence<Element>,
    _ body: (inout JSONWriter, Element) -> Void
  ) {
    array(name, of: elements) { writer, element in writer.object { body(&$0, element) } }
  }

  /// Writes a member with a value that is already JSON text.
  public mutating func member(_ name: StaticString, json: some Sequence<UInt8>) {
    self.name(name)
    bytes.append(contentsOf: json)
    needsComma = true
  }

  /// Writes a member with a name that is only known at run time. The name is escaped.
  public mutating func member(named name: String, _ body: (inout JSONWriter) -> Void) {
    separate()
    quote(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
    body(&self)
    needsComma = true
  }

  public mutating func string(_ value: String) {
    separate()
    quote(value)
    needsComma = true
  }

  public mutating func number(_ value: Int) {
    separate()
    appendDecimal(value)
    needsComma = true
  }

  public mutating func bool(_ value: Bool) {
    separate()
    append(value ? "true" : "false")
    needsComma = true
  }

  public mutating func null() {
    separate()
    append("null")
    needsComma = true
  }

  /// Writes a value that is already JSON text.
  public mutating func raw(_ json: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
    needsComma = true
  }

  /// Ends a line in JSON Lines format.
  public mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  private mutating func enclose(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout JSONWriter) -> Void
  ) {
    separate()
    bytes.append(UInt8(ascii: open))
    needsComma = false
    body(&self)
    bytes.append(UInt8(ascii: close))
    needsComma = true
  }

  private mutating func name(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    append(name)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = false
  }

  private mutating func append(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func quote(_ value: String) {
    var value = value
    value.withUTF8 { utf8 in
      bytes.append(UInt8(ascii: "\""))
      var start = 0
      for index in utf8.indices where Self.mustEscape(utf8[index]) {
        bytes.append(contentsOf: utf8[start..<index])
        escape(utf8[index])
        start = index + 1
      }
      bytes.append(contentsOf: utf8[start...])
      bytes.append(UInt8(ascii: "\""))
    }
  }

  private static func mustEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case 0x0A: append("\\n")
    case 0x0D: append("\\r")
    case 0x09: append("\\t")
    default:  // open: any other byte
      appendEscape(byte)
    }
  }

  private mutating func appendEscape(_ byte: UInt8) {
    append("\\u00")
    for digit in [byte >> 4, byte & 15] {
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }

  private mutating func appendDecimal(_ value: Int) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var rest = value.magnitude
      var start = digits.count
      repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      if value < 0 {
        start -= 1
        digits[start] = UInt8(ascii: "-")
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }
}
