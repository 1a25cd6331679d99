/// The description of an event, gathered from its declaration for documents and schemas.
package struct JournalEventRow: Sendable {
  package let section: JournalSection
  /// The summary, lower case, no full stop.
  package let summary: String
  /// The additional text of documents, Markdown; nil where there is none.
  package let note: String?
  /// The members in the order in which they are written, after `seq`, `time` and `event`.
  package let members: [JournalMember]
}

extension JournalEventName {
  /// The description of the events of this name.
  package var row: JournalEventRow {
    var form = DescribingForm()
    blank.declared(in: &form)
    return JournalEventRow(
      section: form.section, summary: form.summary, note: form.note, members: form.members)
  }
}
