import JSON

/// A value that is one of several words.
protocol JournalWord: JournalValue {
  /// The word in the journal.
  var word: String { get }
  init?(word: String)
  /// All words of the type; nil where there are more than documents list.
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

extension Carrier: JournalWord {}
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
  /// nil: `scenario.schema.json` lists the rules.
  static var words: [String]? { nil }
}

/// The SDK's statuses, in the journal by their names.
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
