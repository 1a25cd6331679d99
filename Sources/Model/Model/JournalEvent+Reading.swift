public import JSON

extension JournalEvent {
  /// The event that one line of a journal holds.
  ///
  /// - Throws: ``JournalFormatError`` where `line` is not JSON or not an event.
  public init(line: String) throws(JournalFormatError) {
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONReader.read(line)
    } catch {
      throw JournalFormatError(position: error.position, message: error.message)
    }
    try self.init(value)
  }

  /// The event that `value` describes. Members that this version does not know are ignored.
  ///
  /// - Throws: ``JournalFormatError`` where `value` is no object, or a member is missing or of another shape.
  public init(_ value: JSONValue) throws(JournalFormatError) {
    var record = try JournalRecord(value)
    let (sequence, time): (Int, Int) = (try record.required("seq"), try record.time("time"))
    let name: JournalEventName = try record.required("event")
    self.init(sequence: sequence, time: time, kind: try name.blank.declared(in: &record))
  }
}
