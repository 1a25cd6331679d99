import JSON

/// A value that a member of the journal can have.
protocol JournalValue {
  /// Writes the value as a member; nothing where there is nothing to say.
  func write(to writer: inout JSONWriter, as name: StaticString)
  /// Reads the member; nil where it is missing.
  static func read(_ name: String, of record: JournalRecord) throws(JournalFormatError) -> Self?
  static var shape: JournalMember.Shape { get }
  static var isOptional: Bool { get }
}

extension JournalValue {
  static var isOptional: Bool { false }
}

/// A value that a list of the journal can hold.
protocol JournalElement {
  func write(to writer: inout JSONWriter)
  static func read(_ value: JSONValue, as name: String) throws(JournalFormatError) -> Self
  static var shape: JournalMember.Shape { get }
}

extension Optional: JournalValue where Wrapped: JournalValue {
  func write(to writer: inout JSONWriter, as name: StaticString) {
    self?.write(to: &writer, as: name)
  }

  static func read(_ name: String, of record: JournalRecord) throws(JournalFormatError) -> Self? {
    .some(try Wrapped.read(name, of: record))
  }

  static var shape: JournalMember.Shape { Wrapped.shape }
  static var isOptional: Bool { true }
}

extension String: JournalValue, JournalElement {
  func write(to writer: inout JSONWriter, as name: StaticString) { writer.member(name, self) }
  func write(to writer: inout JSONWriter) { writer.string(self) }

  static func read(_ name: String, of record: JournalRecord) throws(JournalFormatError) -> Self? {
    try record.value(name, "a string", \.string)
  }

  static func read(_ value: JSONValue, as name: String) throws(JournalFormatError) -> Self {
    guard let text = value.string else {
      throw JournalRecord.wrong(name, value, "a list of strings")
    }
    return text
  }

  static var shape: JournalMember.Shape { .text }
}

extension Int: JournalValue, JournalElement {
  func write(to writer: inout JSONWriter, as name: StaticString) { writer.member(name, self) }
  func write(to writer: inout JSONWriter) { writer.number(self) }

  static func read(_ name: String, of record: JournalRecord) throws(JournalFormatError) -> Self? {
    try record.value(name, "a whole number", \.int)
  }

  static func read(_ value: JSONValue, as name: String) throws(JournalFormatError) -> Self {
    guard let number = value.int else {
      throw JournalRecord.wrong(name, value, "a list of whole numbers")
    }
    return number
  }

  static var shape: JournalMember.Shape { .number }
}

/// A number that may exceed the range of a signed integer.
extension UInt64: JournalValue {
  func write(to writer: inout JSONWriter, as name: StaticString) {
    writer.member(name, json: String(self).utf8)
  }

  static func read(_ name: String, of record: JournalRecord) throws(JournalFormatError) -> Self? {
    try record.value(name, "a whole number that is not negative") { value in
      if case .number(let spelling) = value.kind { UInt64(spelling) } else { nil }
    }
  }

  static var shape: JournalMember.Shape { .number }
}

extension Bool: JournalValue {
  func write(to writer: inout JSONWriter, as name: StaticString) { writer.member(name, self) }

  static func read(_ name: String, of record: JournalRecord) throws(JournalFormatError) -> Self? {
    try record.value(name, "a boolean", \.bool)
  }

  static var shape: JournalMember.Shape { .flag }
}

extension Array: JournalValue where Element: JournalElement {
  func write(to writer: inout JSONWriter, as name: StaticString) {
    writer.array(name) { for element in self { element.write(to: &$0) } }
  }

  static func read(_ name: String, of record: JournalRecord) throws(JournalFormatError) -> Self? {
    guard let values = try record.value(name, "an array", \.array) else { return nil }
    var elements: Self = []
    for value in values { elements.append(try Element.read(value, as: name)) }
    return elements
  }

  static var shape: JournalMember.Shape { .list(of: Element.shape) }
}
