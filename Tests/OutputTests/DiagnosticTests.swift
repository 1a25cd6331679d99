import Output
import Testing

struct DiagnosticTests {
  @Test func `control characters in a diagnostic are escaped`() {
    let diagnostic = Diagnostic(.path("a\u{1B}[2J"), "no `b\n\u{202E}`", rule: "file")
    #expect(diagnostic.description == #"a\u{1b}[2J: error: no `b\u{a}\u{202e}` [file]"#)
    #expect(diagnostic.message == "no `b\n\u{202E}`")
  }
}
