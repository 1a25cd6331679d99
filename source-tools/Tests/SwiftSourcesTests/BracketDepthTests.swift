import SwiftSources
import Testing

@Suite struct BracketDepthTests {
  private func isRead(_ text: String) -> Bool {
    (try? ParsedSource(Array(text.utf8), file: "a.swift")) != nil
  }

  private func nested(_ open: String, _ close: String, _ depth: Int) -> String {
    "let a = " + String(repeating: open, count: depth) + "1"
      + String(repeating: close, count: depth)
  }

  @Test func `source with brackets nested too deeply is rejected`() {
    #expect(isRead(nested("[", "]", 8)))
    #expect(!isRead(nested("[", "]", 17)))
    #expect(!isRead(nested("[", "]", 3_000)))
    #expect(isRead(nested("(", ")", 20)))
    #expect(!isRead(nested("(", ")", 3_000)))
  }

  @Test func `brackets in strings and comments do not count as nesting`() {
    let brackets = String(repeating: "[(", count: 200)
    #expect(isRead("let a = \"\(brackets)\""))
    #expect(isRead("let a = \"\"\"\n  \(brackets)\n  \"\"\""))
    #expect(isRead("// \(brackets)\n/* \(brackets) */ let a = 1"))
  }
}
