/// The description of an object within events.
package struct JournalObjectRow: Sendable {
  package let name: String
  /// The summary, lower case, no full stop.
  package let summary: String
  package let members: [JournalMember]

  init(_ name: String, _ summary: String, _ members: [JournalMember]) {
    self.name = name
    self.summary = summary
    self.members = members
  }
}
