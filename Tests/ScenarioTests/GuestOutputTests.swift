import Scenario
import Testing

@Suite struct GuestOutputTests {
  @Test func `lines of guest output are assembled from partial writes`() {
    var output = GuestOutput(guest: "mail")
    for text in ["a", "b\n", "\nc", "", "d"] { output.append(text) }
    output.append(lines: "e\nf\n")
    output.append(lines: "g")
    output.append("h\n")
    #expect(output.lines == ["ab", "", "cd", "e", "f", "g", "h"])
    #expect(output.count == 7)
  }

  @Test func `guest output keeps only the last lines and counts all lines`() {
    var output = GuestOutput(guest: "mail")
    for number in 1...1_000 { output.append("\(number)\n") }
    #expect(output.count == 1_000)
    #expect(output.lines == (981...1_000).map(String.init))
  }

  @Test func `an unterminated line of guest output is truncated to 1,000 characters`() {
    var output = GuestOutput(guest: "mail")
    for _ in 1...1_000 { output.append(String(repeating: "é", count: 100)) }
    #expect(output.lines == [String(repeating: "é", count: 1_000)])
  }
}
