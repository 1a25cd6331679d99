/// The subject of an event: a table of the documents.
package enum JournalSection: String, Sendable, CaseIterable {
  case device, guests, accounts, requests
}
