/// All that is said of an object within events.
package struct JournalObjectRow: Sendable {
  package let name: String
  /// Lower case, no full stop.
  package let summary: String
  package let members: [JournalMember]

  init(_ name: String, _ summary: String, _ members: [JournalMember]) {
    self.name = name
    self.summary = summary
    self.members = members
  }
}
