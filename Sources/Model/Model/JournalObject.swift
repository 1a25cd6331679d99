import JSON

/// A value of the journal that has members itself.
protocol JournalObject: JournalValue, JournalElement {
  /// The name and the summary of the shape.
  static var title: (name: String, summary: String) { get }
  /// A value without content that an object is read into.
  static var blank: Self { get }

  /// The declaration of all members, in one place.
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
