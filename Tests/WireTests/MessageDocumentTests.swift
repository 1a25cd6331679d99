import Model
import TestSupport
import Testing

@testable import Wire

/// The documents describe the messages of guests as their rows do.
@Suite struct MessageDocumentTests {
  /// A message of guests, with its name in `proto/sluice.proto`.
  private struct Message {
    let name: String
    let row: MessageRow
  }

  /// All messages of guests, in the order of their field numbers.
  private static let messages: [Message] = {
    let names = DeclarationRecord().runs.first { $0.message == "sluice.GuestMessage" }?.parts
    return (UInt32(1)...255).compactMap { number in
      guard let body = GuestMessage.Body.blank(number), let name = names?[number] else {
        return nil
      }
      return Message(name: String(name.dropFirst("sluice.".count)), row: body.row)
    }
  }()

  private static func names(of messages: [Message]) -> String {
    messages.map { "`\($0.name)`" }.joined(separator: ", ")
  }

  @Test func `the README of Host lists the maximum cost of every message`() throws {
    #expect(Self.messages.count > 40)
    var groups: [(cost: MessageCost, messages: [Message])] = []
    for message in Self.messages {
      if let index = groups.firstIndex(where: { $0.cost == message.row.cost }) {
        groups[index].messages.append(message)
      } else {
        groups.append((message.row.cost, [message]))
      }
    }
    let table =
      ["| message | maximum work | bound |", "| --- | --- | --- |"]
      + groups.map { Document.row([Self.names(of: $0.messages), $0.cost.work, $0.cost.bound]) }
    try Document.check("Sources/Device/Host/README.md") { text in
      try Document.replacing(table, madeOf: "GuestMessage.swift", in: text)
    }
  }

  @Test func `docs/protocol.md lists reports, and requests that a locked guest may make`() throws {
    let reports = Self.messages.filter { !$0.row.isRequest }
    let served = Self.messages.filter { $0.row.isRequest && $0.row.isServedWhileLocked }
    try Document.check("docs/protocol.md") { text in
      let text = try Document.replacing(
        Document.item(Self.names(of: reports)), madeOf: "GuestMessage.swift: reports", in: text)
      return try Document.replacing(
        Document.item(Self.names(of: served)), madeOf: "GuestMessage.swift: served while locked",
        in: text)
    }
  }
}
