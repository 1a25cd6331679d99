@testable import Distribution
import Testing
import TestSupport

/// The journal of all devices.
@Suite struct FleetJournalTests {
  /// Journals of devices, whose times are in ascending order.
  private static func journals(
    _ count: Int, _ random: inout SeededGenerator
  ) -> [(name: String, lines: [(time: String, line: String)])] {
    (0..<count).map { device in
      var second = 0
      return (
        "phone-\(device)",
        (1...Int.random(in: 1...300, using: &random)).map { number in
          second += Int.random(in: 0...2, using: &random)
          let time = "2026-01-01T00:\(Self.two(second / 60)):\(Self.two(second % 60))Z"
          let text = String(repeating: "x", count: .random(in: 0...2_000, using: &random))
          return (time, #"{"seq":\#(number),"time":"\#(time)","event":"\#(text)"}"#)
        }
      )
    }
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  @Test func `lines are in the order of time, then of devices, then of sequence`() throws {
    var random = SeededGenerator(seed: 7)
    for count in [1, 2, 17] {
      let workspace = try Workspace()
      let journals = Self.journals(count, &random)
      var expected: [(time: String, device: Int, line: String)] = []
      for (device, journal) in journals.enumerated() {
        try workspace.write(
          journal.lines.map { $0.line + "\n" }.joined(), to: "\(journal.name)/journal.jsonl")
        expected += journal.lines.map {
          ($0.time, device, #"{"on":"\#(journal.name)","# + $0.line.dropFirst() + "\n")
        }
      }
      // Sorting is stable.
      expected.sort { ($0.time, $0.device) < ($1.time, $1.device) }
      try FleetJournal.write(in: workspace.path, of: journals.map(\.name))
      #expect(try workspace.read(FleetJournal.name) == expected.map(\.line).joined())
    }
  }

  @Test func `a journal that is missing is named`() throws {
    let workspace = try Workspace()
    #expect(throws: (any Error).self) {
      try FleetJournal.write(in: workspace.path, of: ["phone"])
    }
  }
}
