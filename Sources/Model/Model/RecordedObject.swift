import JSON

/// An object in the journal whose members another format declares.
public struct RecordedObject: Sendable, Equatable {
  /// The object, as compact JSON.
  public var json: String

  /// An object of that text, which must be JSON.
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
