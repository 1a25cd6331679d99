import Foundation
import JSON
import Model
import TestSupport
import Testing

/// What documents say of channels, they say as the rows do.
@Suite struct ChannelDocumentTests {
  @Test func `the documented table of channels matches the rows`() throws {
    try Document.check("docs/decide.md") { text in
      try Document.replacing(
        ["| channel | at the other end | parties | [step](scenarios.md#steps) |"]
          + ["| --- | --- | --- | --- |"] + Channel.allCases.map(Self.line),
        madeOf: "Channel.swift", in: text)
    }
  }

  private static func line(_ channel: Channel) -> String {
    let row = channel.row
    let names = [channel.rawValue, row.alias].compactMap(\.self).map { "`\($0)`" }
    return Document.row([
      names.joined(separator: ", "), row.counterpartWords, parties(channel),
      row.step.map { "`\($0)`" } ?? "",
    ])
  }

  private static func parties(_ channel: Channel) -> String {
    switch channel.counterpart {
    case .app: "both"
    case .url: "`sender`, `receiver` if an app opens it"
    case .location, .system: channel.isIncoming ? "`receiver`" : "`sender`"
    }
  }

  @Test func `the request schema has every channel name`() throws {
    let path = Repository.path("docs/schema/decide-request.schema.json")
    let schema = try JSONReader.read(String(contentsOfFile: path, encoding: .utf8))
    let names = schema["properties"]?["channel"]?["enum"]?.array
    #expect(names?.compactMap(\.string) == Channel.names)
  }

  @Test func `the scenario schema has the steps of channels`() throws {
    let path = Repository.path("docs/schema/scenario.schema.json")
    let schema = try JSONReader.read(String(contentsOfFile: path, encoding: .utf8))
    let steps = try #require(schema["$defs"]?["step"]?["properties"]?.members).map(\.name)
    #expect(Set(Channel.allCases.compactMap(\.row.step)).isSubset(of: steps))
  }

  @Test(arguments: Channel.allCases)
  func `a channel's operation transfers to the channel's far end`(channel: Channel) throws {
    let row = Model.Operation(channel).row
    #expect(row.area == .transfers)
    let ends: Set<Model.Operation.FarEnd> =
      switch channel.counterpart {
      // What was copied may come from another device, and the app with the contacts is not named.
      case .app: [channel == .clipboard ? .pasteboard : channel == .contactRead ? .system : .app]
      case .url: [.opener]
      case .location: [.location]
      case .system: [.system, .page, .encryptedFile]
      }
    #expect(ends.contains(try #require(row.farEnd)))
  }

  @Test func `channel names are unique`() {
    #expect(Set(Channel.names).count == Channel.names.count)
    for name in Channel.names { #expect(Channel(named: name) != nil, "\(name)") }
  }
}
