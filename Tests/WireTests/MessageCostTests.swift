import Foundation
import TestSupport
import Testing

/// The README of Host states the maximum cost of each message, and its bound.
@Suite struct MessageCostTests {
  /// Returns the body types of `GuestMessage`, by the definitions of the messages.
  private static func bodies() throws -> [String] {
    let text = try String(contentsOfFile: Repository.path("proto/sluice.proto"), encoding: .utf8)
    let message = try #require(text.range(of: "message GuestMessage {"))
    let start = try #require(
      text.range(of: "oneof body {", range: message.upperBound..<text.endIndex))
    let end = try #require(text.range(of: "}", range: start.upperBound..<text.endIndex))
    return text[start.upperBound..<end.lowerBound].split(separator: "\n").compactMap { line in
      line.split(separator: " ").first.map(String.init)
    }
  }

  @Test func `every guest message has a row with its worst cost and its bound`() throws {
    let text = try Repository.read("Sources/Device/Host/README.md")
    let heading = try #require(text.range(of: "\n## What each message costs\n"))
    let rows = text[heading.upperBound...].split(separator: "\n").prefix { !$0.hasPrefix("## ") }
      .filter { $0.hasPrefix("| `") }
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    let named = rows.flatMap { row in
      row[0].split(separator: ",").map {
        $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
      }
    }
    let bodies = try Self.bodies()
    #expect(bodies.count > 30)
    #expect(named.sorted() == bodies.sorted())
    #expect(rows.allSatisfy { $0.count == 3 && !$0[1].isEmpty && !$0[2].isEmpty })
  }
}
