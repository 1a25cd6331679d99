/// All that is said of an event, gathered from its declaration for documents and schemas.
package struct JournalEventRow: Sendable {
  package let section: JournalSection
  /// Lower case, no full stop.
  package let summary: String
  /// What documents say beside it, Markdown; nil: nothing.
  package let note: String?
  /// In the order in which they are written, after `seq`, `time` and `event`.
  package let members: [JournalMember]
}

extension JournalEventName {
  package var row: JournalEventRow {
    var form = DescribingForm()
    blank.declared(in: &form)
    return JournalEventRow(
      section: form.section, summary: form.summary, note: form.note, members: form.members)
  }
}
