import JSON

/// A JSON object of the journal, read member by member.
struct JournalRecord {
  private let value: JSONValue

  init(_ value: JSONValue) throws(JournalFormatError) {
    guard value.members != nil else {
      throw JournalFormatError(
        position: value.position, message: "expected an object, found \(value.kindName)")
    }
    self.value = value
  }

  private func member(_ name: String) -> JSONValue? {
    value[name].flatMap { $0.isNull ? nil : $0 }
  }

  private func missing(_ name: String) -> JournalFormatError {
    JournalFormatError(position: value.position, message: "the member `\(name)` is missing")
  }

  private func wrong(
    _ name: String, _ member: JSONValue, _ expected: String
  ) -> JournalFormatError {
    JournalFormatError(
      position: member.position, message: "`\(name)` must be \(expected), found \(member.kindName)")
  }

  func optionalString(_ name: String) throws(JournalFormatError) -> String? {
    guard let member = member(name) else { return nil }
    guard let text = member.string else { throw wrong(name, member, "a string") }
    return text
  }

  func string(_ name: String) throws(JournalFormatError) -> String {
    guard let text = try optionalString(name) else { throw missing(name) }
    return text
  }

  func optionalInt(_ name: String) throws(JournalFormatError) -> Int? {
    guard let member = member(name) else { return nil }
    guard let number = member.int else { throw wrong(name, member, "a whole number") }
    return number
  }

  /// Where something stands in the scenario's file.
  func optionalPosition() throws(JournalFormatError) -> Position? {
    guard let line = try optionalInt("line"), let column = try optionalInt("column") else {
      return nil
    }
    return Position(line: line, column: column)
  }

  func int(_ name: String) throws(JournalFormatError) -> Int {
    guard let number = try optionalInt(name) else { throw missing(name) }
    return number
  }

  /// A number that may exceed what a signed integer holds.
  func unsigned(_ name: String) throws(JournalFormatError) -> UInt64 {
    guard let member = member(name) else { throw missing(name) }
    guard case .number(let spelling) = member.kind, let number = UInt64(spelling) else {
      throw wrong(name, member, "a whole number that is not negative")
    }
    return number
  }

  func optionalBool(_ name: String) throws(JournalFormatError) -> Bool? {
    guard let member = member(name) else { return nil }
    guard let flag = member.bool else { throw wrong(name, member, "a boolean") }
    return flag
  }

  func bool(_ name: String) throws(JournalFormatError) -> Bool {
    guard let flag = try optionalBool(name) else { throw missing(name) }
    return flag
  }

  func optionalWord<Word: RawRepresentable<String>>(
    _ name: String
  ) throws(JournalFormatError) -> Word? {
    guard let text = try optionalString(name) else { return nil }
    guard let word = Word(rawValue: text) else {
      throw unknown(name, text)
    }
    return word
  }

  func word<Word: RawRepresentable<String>>(_ name: String) throws(JournalFormatError) -> Word {
    guard let word: Word = try optionalWord(name) else { throw missing(name) }
    return word
  }

  /// A status by its name.
  func enrollmentStatus(_ name: String) throws(JournalFormatError) -> EnrollmentStatus {
    let text = try string(name)
    guard let status = EnrollmentStatus(name: text) else { throw unknown(name, text) }
    return status
  }

  /// A status by its name.
  func complianceStatus(_ name: String) throws(JournalFormatError) -> ComplianceStatus {
    let text = try string(name)
    guard let status = ComplianceStatus(name: text) else { throw unknown(name, text) }
    return status
  }

  private func unknown(_ name: String, _ text: String) -> JournalFormatError {
    JournalFormatError(
      position: member(name)?.position ?? value.position,
      message: "`\(text)` is not a known `\(name)`")
  }

  func optionalRecord(_ name: String) throws(JournalFormatError) -> JournalRecord? {
    guard let member = member(name) else { return nil }
    return try JournalRecord(member)
  }

  func record(_ name: String) throws(JournalFormatError) -> JournalRecord {
    guard let record = try optionalRecord(name) else { throw missing(name) }
    return record
  }

  func records(_ name: String) throws(JournalFormatError) -> [JournalRecord] {
    var records: [JournalRecord] = []
    for element in try elements(name) { records.append(try JournalRecord(element)) }
    return records
  }

  func strings(_ name: String) throws(JournalFormatError) -> [String] {
    var strings: [String] = []
    for element in try elements(name) {
      guard let text = element.string else { throw wrong(name, element, "a list of strings") }
      strings.append(text)
    }
    return strings
  }

  func optionalStrings(_ name: String) throws(JournalFormatError) -> [String]? {
    guard member(name) != nil else { return nil }
    return try strings(name)
  }

  private func elements(_ name: String) throws(JournalFormatError) -> [JSONValue] {
    guard let member = member(name) else { throw missing(name) }
    guard let elements = member.array else { throw wrong(name, member, "an array") }
    return elements
  }

  /// The moment that the member states, in seconds since 1970-01-01T00:00:00Z.
  func time(_ name: String) throws(JournalFormatError) -> Int {
    let text = try string(name)
    guard let seconds = Timestamp.seconds(text) else {
      throw JournalFormatError(
        position: member(name)?.position ?? value.position,
        message: "`\(text)` is not a time such as `2026-01-01T09:00:00Z`")
    }
    return seconds
  }
}
