import Testing

@testable import Simulation

@Suite struct LineSearchTests {
  @Test(arguments: ["sent: 1", "Grüße", "a"])
  func aTextIsFoundHoweverItComes(text: String) {
    let output = "first\nbefore \(text) after\nlast"
    for cut in output.indices {
      var search = LineSearch(text)
      search.append(String(output[..<cut]))
      search.append(String(output[cut...]))
      #expect(search.isFound)
    }
  }

  @Test(arguments: [["se", "nt"], ["a sent", "more"], ["sen\nt"], ["s", "e", "n", "t"]])
  func aTextIsFoundWithinALine(parts: [String]) {
    var search = LineSearch("sent")
    for part in parts { search.append(part) }
    #expect(search.isFound == !parts.contains("sen\nt"))
  }
}
