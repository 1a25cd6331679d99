public import JSON

extension JournalEvent {
  /// Writes the event as one compact object, its members always in the same order; `docs/journal.md` and
  /// `docs/schema/journal.schema.json` describe them. Ends no line.
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      Self.writeStart(sequence: sequence, time: time, to: &writer)
      kind.declared(in: &writer)
    }
  }

  /// Writes the members that stand before the event's name.
  static func writeStart(sequence: Int, time: Int, to writer: inout JSONWriter) {
    writer.member("seq", sequence)
    Timestamp.withQuotedBytes(of: time) { writer.member("time", json: $0) }
  }
}

extension Position {
  /// Writes the place as the members `line` and `column` of an object.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("line", line)
    writer.member("column", column)
  }
}
