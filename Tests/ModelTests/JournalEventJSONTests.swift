import Encodings
import Foundation
import Model
import TestSupport
import Testing

@Suite struct JournalEventJSONTests {
  private static func line(_ event: JournalEvent) -> String {
    var writer = JSONWriter()
    event.write(to: &writer)
    return writer.text
  }

  private static func line(_ kind: JournalEvent.Kind) -> String {
    line(JournalEvent(sequence: 1, time: 0, kind: kind))
  }

  @Test func `journal samples cover every event`() throws {
    let names = try JournalSamples.events.map {
      try JSONReader.read(Self.line($0))["event"]?.string
    }
    #expect(Set(names) == Set(JournalEventName.allCases.map(\.rawValue)))
  }

  @Test(arguments: JournalSamples.events) func `every event round-trips through its line`(
    event: JournalEvent
  ) throws {
    #expect(try JournalEvent(line: Self.line(event)) == event)
  }

  @Test(arguments: JournalSamples.events) func `every event is one line`(event: JournalEvent) {
    #expect(!Self.line(event).contains { $0.isNewline })
  }

  /// Journals are kept indefinitely. Their format does not change, except for additional members.
  @Test func `journal lines match the golden file`() throws {
    try Document.check("Tests/ModelTests/Golden/journal.jsonl") { _ in
      JournalSamples.events.map { Self.line($0) + "\n" }.joined()
    }
  }

  @Test func `the members of a journal line have a fixed order`() {
    #expect(
      Self.line(.caseBegan(suite: "Sending", name: "a case", criterion: "SEND-1"))
        == #"{"seq":1,"time":"1970-01-01T00:00:00Z","event":"case.began","#
        + #""suite":"Sending","case":"a case","criterion":"SEND-1"}"#)
    #expect(
      Self.line(
        .decided(
          RequestDecision(
            request: 7, operation: .share, via: .sdk, sender: JournalSamples.mail,
            receiver: JournalSamples.viewer, owner: "", type: "public.text", bytes: 3,
            subject: "s", verdict: JournalSamples.verdict)))
        == #"{"seq":1,"time":"1970-01-01T00:00:00Z","event":"request.decided","request":7,"#
        + #""operation":"share","via":"sdk","sender":{"guest":"mail","app":"com.contoso.mail","#
        + #""identity":"anna@contoso.com","managed":true},"receiver":{"guest":"viewer","#
        + #""app":"org.example.viewer","managed":false},"owner":"","type":"public.text","bytes":3,"#
        + #""subject":"s","verdict":{"outcome":"blocked","#
        + #""decidedBy":"sendManagedAppsToUnmanaged","reasons":["#
        + #"{"rule":"sendManagedAppsToUnmanaged","side":"sender","#
        + #""setting":"allowedOutboundDataTransferDestinations","#
        + #""label":"Send org data to other apps","value":"Policy managed apps","#
        + #""source":"base.json:16","text":"the receiver is not managed"},"#
        + #"{"rule":"unmanagedReceiver","side":"receiver","text":"no policy","assumed":true}],"#
        + #""changes":["let `viewer` come under policy"]}}"#)
  }

  @Test func `journal members of later versions are ignored`() throws {
    let line = #"{"seq":4,"time":"1970-01-01T00:00:00Z","event":"case.ended","weather":"fine"}"#
    #expect(try JournalEvent(line: line) == JournalEvent(sequence: 4, time: 0, kind: .caseEnded))
  }

  @Test(arguments: [
    ("", 1, "expected a value, found the end of the file"),
    ("[]", 1, "expected an object, found an array"),
    ("{}", 1, "the member `seq` is missing"),
    (#"{"seq":"1"}"#, 8, "`seq` must be a whole number, found a string"),
    (
      #"{"seq":1,"time":"noon"}"#, 17,
      "`noon` is not a time such as `2026-01-01T09:00:00Z`"
    ),
    (
      #"{"seq":1,"time":"1970-01-01T00:00:00Z","event":"case.lost"}"#, 48,
      "`case.lost` is not a known `event`"
    ),
    (
      #"{"seq":1,"time":"1970-01-01T00:00:00Z","event":"request.ended","request":1,"end":null}"#, 1,
      "the member `end` is missing"
    ),
    (
      #"{"seq":1,"time":"1970-01-01T00:00:00Z","event":"device.started","device":"d","seed":-1}"#,
      85, "`seed` must be a non-negative whole number, found a number"
    ),
  ]) func `invalid journal lines are reported with the reason`(
    line: String, column: Int, message: String
  ) {
    #expect(
      throws: JournalFormatError(
        position: Position(line: 1, column: column), message: message)
    ) { try JournalEvent(line: line) }
  }

  /// The schema has every event. Each event has exactly the written members.
  @Test func `written events conform to the schema`() throws {
    let text = try String(
      contentsOfFile: Repository.path("docs/schema/journal.schema.json"), encoding: .utf8)
    let definitions = try #require(JSONReader.read(text)["$defs"])
    var written: [String: Set<String>] = [:]
    for event in JournalSamples.events {
      let line = try JSONReader.read(Self.line(event))
      let name = try #require(line["event"]?.string)
      written[name, default: []].formUnion(try #require(line.members).map(\.name))
    }
    for (event, members) in written {
      let properties = try #require(definitions[event]?["properties"]?.members, "\(event)")
      #expect(Set(properties.map(\.name) + ["seq", "time"]) == members, "\(event)")
    }
  }
}
