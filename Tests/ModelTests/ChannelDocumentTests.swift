import Encodings
import Foundation
import Model
import TestSupport
import Testing

/// Documents describe channels as their rows do.
@Suite struct ChannelDocumentTests {
  @Test func `the channels in docs/decide.md match their declarations`() throws {
    try Document.check("docs/decide.md") { text in
      try Document.replacing(Self.lines, madeOf: "Channel.swift", in: text)
    }
  }

  /// The list items. Each item has the channels with the same parties and step, in the order of the
  /// first channel.
  private static var lines: [String] {
    var heads: [String] = []
    var groups: [String: [Channel]] = [:]
    for channel in Channel.allCases {
      let head = parties(channel) + (channel.row.step.map { " (step `\($0)`)" } ?? "")
      if groups[head] == nil { heads.append(head) }
      groups[head, default: []].append(channel)
    }
    return heads.flatMap { Document.item("\($0): \(text(of: groups[$0] ?? []))") }
  }

  /// Returns the channels' names and counterparts. A counterpart that all channels share is stated once.
  private static func text(of channels: [Channel]) -> String {
    let ends = channels.map(\.row.counterpartWords)
    let names = channels.map { channel in
      [channel.rawValue, channel.row.alias].compactMap(\.self).map { "`\($0)`" }
        .joined(separator: " or ")
    }
    return Set(ends).count == 1
      ? "\(names.joined(separator: ", ")), with \(ends[0])"
      : zip(names, ends).map { "\($0) (\($1))" }.joined(separator: ", ")
  }

  private static func parties(_ channel: Channel) -> String {
    switch channel.counterpart {
    case .app: "both"
    case .url: "`sender`, and `receiver` if an app opens the URL"
    case .location, .system: channel.isIncoming ? "`receiver`" : "`sender`"
    }
  }

  @Test func `decide-request.schema.json lists every channel name`() throws {
    let path = Repository.path("docs/schema/decide-request.schema.json")
    let schema = try JSONReader.read(String(contentsOfFile: path, encoding: .utf8))
    let names = schema["properties"]?["channel"]?["enum"]?.array
    #expect(names?.compactMap(\.string) == Channel.names)
  }

  @Test func `the scenario schema has the step of each channel`() throws {
    let path = Repository.path("docs/schema/scenario.schema.json")
    let schema = try JSONReader.read(String(contentsOfFile: path, encoding: .utf8))
    let steps = try #require(schema["$defs"]?["step"]?["properties"]?.members).map(\.name)
    #expect(Set(Channel.allCases.compactMap(\.row.step)).isSubset(of: steps))
  }

  @Test(arguments: Channel.allCases)
  func `each channel's counterpart matches its operation's counterpart`(channel: Channel)
    throws
  {
    let row = Model.Operation(channel).row
    #expect(row.area == .transfers)
    let ends: Set<Model.Operation.FarEnd> =
      switch channel.counterpart {
      // Copied content may come from another device. The app with the contacts is not named.
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
