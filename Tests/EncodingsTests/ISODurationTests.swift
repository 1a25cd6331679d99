import Encodings
import Testing

@Suite struct ISODurationTests {
  @Test(arguments: [
    ("PT1H", 3600), ("PT1H30M", 5400), ("P1D", 86_400), ("P2W", 1_209_600), ("PT0S", 0),
    ("P1DT1S", 86_401), ("PT90M", 5400), ("P90D", 7_776_000),
  ]) func `durations are parsed as seconds`(text: String, seconds: Int) {
    #expect(ISODuration.seconds(text) == seconds)
    #expect(ISODuration.seconds(ISODuration.text(seconds)) == seconds)
  }

  @Test(arguments: [
    "", "P", "PT", "1H", "P1H", "PT1D", "P1M", "P1Y", "PT1M1H", "PT1.5H", "P-1D", "pt1h", "P1DT",
    "PT9999999999999999999S", "P9223372036854775807D", "PT1H ",
  ]) func `invalid durations are rejected`(text: String) {
    #expect(ISODuration.seconds(text) == nil)
  }
}
