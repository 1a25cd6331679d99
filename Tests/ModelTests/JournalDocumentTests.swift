import Encodings
import Foundation
import TestSupport
import Testing

@testable import Model

/// Documents describe events as their declarations do.
@Suite struct JournalDocumentTests {
  @Test func `journal.schema.json matches the declarations of journal events`() throws {
    try Document.check("docs/schema/journal.schema.json") { text in
      var schema = try JSONReader.read(text)
      guard case .object(var members) = schema.kind else { return "" }
      for index in members.indices {
        switch members[index].name {
        case "oneOf": members[index].value = try Self.value(JournalSchema.writeAlternatives)
        case "$defs": members[index].value = try Self.value(JournalSchema.writeDefinitions)
        default:  // open: any other member
          continue
        }
      }
      schema.kind = .object(members)
      return IndentedJSON.text(of: schema) + "\n"
    }
  }

  @Test(arguments: Model.Operation.allCases)
  func `only journal operations that are not channels have a separate description`(
    operation: Model.Operation
  ) {
    let hasChannelName = Channel(rawValue: operation.rawValue) != nil
    #expect((operation.row.summary == nil) == hasChannelName)
  }

  private static func value(_ write: (inout JSONWriter) -> Void) throws -> JSONValue {
    var writer = JSONWriter()
    write(&writer)
    return try JSONReader.read(writer.text)
  }

  @Test(arguments: JournalSection.allCases)
  func `docs/journal.md lists each event in the section of its subject`(section: JournalSection)
    throws
  {
    let heading =
      switch section {
      case .device: "The device and its scenario"
      case .guests: "Guests"
      case .accounts: "Accounts and identities"
      case .requests: "Requests"
      }
    let page = try Repository.read("docs/journal.md")
    let text = try #require(page.components(separatedBy: "\n## \(heading)\n").dropFirst().first)
      .components(separatedBy: "\n## ")[0]
    for name in JournalEventName.allCases where name.row.section == section {
      #expect(text.contains("`\(name.rawValue)`"), "\(name)")
    }
  }

  @Test(arguments: JournalEventName.allCases)
  func `a journal event is written with its declared name`(name: JournalEventName) throws {
    var writer = JSONWriter()
    JournalEvent(sequence: 1, time: 0, kind: name.blank).write(to: &writer)
    #expect(try JSONReader.read(writer.text)["event"]?.string == name.rawValue)
  }

  /// The description of an event is a clause, like messages.
  @Test(arguments: JournalEventName.allCases)
  func `each description of a journal event is one line without a full stop`(name: JournalEventName)
  {
    let row = name.row
    let texts = [row.summary, row.note].compactMap(\.self) + row.members.map(\.meaning.summary)
    for text in texts {
      #expect(!text.isEmpty && !text.hasSuffix(".") && !text.contains("\n"), "\(text)")
    }
  }
}
