import Encodings
import Testing

struct GraphDurationTests {
  @Test(
    arguments: [
      ("P90D", 7_776_000), ("PT12H", 43200), ("PT720M", 43200), ("PT0S", 0), ("P0D", 0),
      ("P1DT2H3M4S", 93784), ("PT1.9S", 1),
    ])
  func `durations with days and times are parsed`(text: String, seconds: Int) {
    #expect(ISODuration.seconds(text, .graph) == seconds)
  }

  @Test(
    arguments: [
      "", "P", "PT", "P1DT", "12H", "PT12", "PT1M1H", "PT1H1H", "P1Y", "P1M", "P1W", "-PT1H",
      "pt1h",
      "PT1.5H", "PT1.S", "PTS", "PT1H ", "P99999999999999999999D", "P106751991167301D", "PT١H",
    ])
  func `invalid durations are rejected`(text: String) {
    #expect(ISODuration.seconds(text, .graph) == nil)
  }
}
