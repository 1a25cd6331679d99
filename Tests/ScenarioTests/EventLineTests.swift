import Encodings
import Model
import Scenario
import TestSupport
import Testing

@Suite struct EventLineTests {
  /// Every kind of event is compared as a line. `SLUICE_RECORD=1` rewrites the lines; such a run
  /// fails.
  @Test func `event lines match the golden file`() throws {
    let path = "Tests/ScenarioTests/Golden/events.txt"
    let events = try Repository.read("Tests/ModelTests/Golden/journal.jsonl")
      .split(separator: "\n")
    let text = try events.map { "\(EventLine(try JSONReader.read(String($0))))\n" }.joined()
    try checkGolden(text, path)
  }

  @Test(
    arguments: [
      (
        #"{"time":"T","event":"guest.dreamt","of":"a b","at":[1,2],"deep":{"a":1}}"#,
        "T  guest.dreamt of=`a b` at=1,2"
      ),
      (#"{"event":"x","text":"a\n\u001b[2J\u202e"}"#, "x text=a\u{FFFD}\u{FFFD}[2J\u{FFFD}"),
      ("{}", "event"),
    ])
  func `journal events that only newer versions know are printed with their members`(
    json: String, line: String
  )
    throws
  {
    #expect(EventLine(try JSONReader.read(json)).description == line)
  }
}

extension JournalEvent {
  /// The event as its line in a journal, without the line break.
  var line: String {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.text
  }
}
