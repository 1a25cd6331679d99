import Encodings

protocol JournalValue {
  /// Writes the value as a member, or nothing if the value is absent.
  func write(to writer: inout JSONWriter, as name: StaticString)
  /// Reads the member; nil if it is missing. If `Self` is an optional type, a missing member is read as the value
  /// `.some(nil)`.
  static func read(_ name: String, of record: JournalRecord) throws(JournalFormatError) -> Self?
  static var shape: JournalMember.Shape { get }
  static var isOptional: Bool { get }
}

extension JournalValue {
  static var isOptional: Bool { false }
}

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

extension UInt64: JournalValue {
  func write(to writer: inout JSONWriter, as name: StaticString) {
    writer.member(name, json: String(self).utf8)
  }

  static func read(_ name: String, of record: JournalRecord) throws(JournalFormatError) -> Self? {
    try record.value(name, "a non-negative whole number") { value in
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

// MARK: - Objects

protocol JournalObject: JournalValue, JournalElement {
  static var title: (name: String, summary: String) { get }
  /// An object whose members all have empty values. Reading starts with this object, and replaces its values.
  static var blank: Self { get }

  /// Declares all members, in order.
  @discardableResult
  func declared<Form: JournalForm>(in form: inout Form) throws(Form.Failure) -> Self
}

extension JournalObject {
  func write(to writer: inout JSONWriter, as name: StaticString) {
    writer.object(name) { declared(in: &$0) }
  }

  func write(to writer: inout JSONWriter) {
    writer.object { declared(in: &$0) }
  }

  static func read(_ name: String, of record: JournalRecord) throws(JournalFormatError) -> Self? {
    guard let value = record.member(name) else { return nil }
    return try read(value, as: name)
  }

  static func read(_ value: JSONValue, as name: String) throws(JournalFormatError) -> Self {
    var record = try JournalRecord(value)
    return try blank.declared(in: &record)
  }

  static var shape: JournalMember.Shape {
    var form = DescribingForm()
    blank.declared(in: &form)
    return .object(JournalObjectRow(title.name, title.summary, form.members))
  }
}

// MARK: - Words

/// A value that the journal records as one of several words.
private protocol JournalWord: JournalValue {
  var word: String { get }
  init?(word: String)
  /// All permitted words, for the documents and schemas; nil if they do not list the words.
  static var words: [String]? { get }
}

extension JournalWord {
  func write(to writer: inout JSONWriter, as name: StaticString) { writer.member(name, word) }

  static func read(_ name: String, of record: JournalRecord) throws(JournalFormatError) -> Self? {
    guard let text = try String.read(name, of: record) else { return nil }
    guard let value = Self(word: text) else {
      throw record.wrong(name, "`\(text)` is not a known `\(name)`")
    }
    return value
  }

  static var shape: JournalMember.Shape { words.map { .word($0) } ?? .text }
}

extension JournalWord where Self: RawRepresentable<String> {
  var word: String { rawValue }
  init?(word: String) { self.init(rawValue: word) }
}

extension JournalWord where Self: RawRepresentable<String> & CaseIterable {
  static var words: [String]? { allCases.map(\.rawValue) }
}

extension Transport: JournalWord {}
extension FaultKind: JournalWord {}
extension FaultPoint: JournalWord {}
extension FileUse: JournalWord {}
extension JournalEventName: JournalWord {}
extension Operation: JournalWord {}
extension Outcome: JournalWord {}
extension RequestEnd: JournalWord {}
extension SharingPath: JournalWord {}
extension Side: JournalWord {}
extension Telemetry.Kind: JournalWord {}
extension Telemetry.Management: JournalWord {}

extension Rule: JournalWord {
  /// Always nil, because `scenario.schema.json` lists the rules.
  static var words: [String]? { nil }
}

/// SDK statuses are recorded by name.
extension EnrollmentStatus: JournalWord {
  var word: String { name }
  init?(word: String) { self.init(name: word) }
  static var words: [String]? { allCases.map(\.name) }
}

extension ComplianceStatus: JournalWord {
  var word: String { name }
  init?(word: String) { self.init(name: word) }
  static var words: [String]? { allCases.map(\.name) }
}

/// A JSON object in an event. Its members are declared by a format other than the journal's.
public struct RecordedObject: Sendable, Equatable {
  /// The object as compact JSON.
  public var json: String

  /// Creates an object from `json`, which must be a valid JSON object.
  public init(json: String) { self.json = json }
}

extension RecordedObject: JournalValue {
  static let blank = RecordedObject(json: "{}")

  func write(to writer: inout JSONWriter, as name: StaticString) {
    writer.member(name, json: json.utf8)
  }

  static func read(_ name: String, of record: JournalRecord) throws(JournalFormatError) -> Self? {
    try record.value(name, "an object") { value in
      guard value.members != nil else { return nil }
      var writer = JSONWriter()
      value.write(to: &writer)
      return RecordedObject(json: writer.text)
    }
  }

  static var shape: JournalMember.Shape { .anyObject }
}
