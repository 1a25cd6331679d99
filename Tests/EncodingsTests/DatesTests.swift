import Encodings
import Testing

@Suite struct CivilDateTests {
  @Test func `converting a day number to a date and back gives the same day`() {
    for day in stride(from: -800_000, through: 3_000_000, by: 17) {
      let (year, month, date) = CivilDate.date(ofDay: day)
      #expect(CivilDate.day(ofDate: year, month, date) == day)
    }
  }

  @Test(
    arguments: [
      (1970, 1, 1, 0), (2000, 2, 29, 11_016), (1969, 12, 31, -1), (0, 3, 1, -719_468),
    ])
  func `known dates have the expected day numbers`(year: Int, month: Int, date: Int, day: Int) {
    #expect(CivilDate.day(ofDate: year, month, date) == day)
  }

  @Test(
    arguments: [
      (1900, 2, 29), (2023, 2, 29), (2024, 2, 30), (2024, 4, 31), (2024, 0, 1), (2024, 13, 1),
      (2024, 1, 0),
    ])
  func `impossible dates are rejected`(year: Int, month: Int, date: Int) {
    #expect(CivilDate.day(ofDate: year, month, date) == nil)
  }
}

@Suite struct ISODurationTests {
  @Test(arguments: [
    ("PT1H", 3600), ("PT1H30M", 5400), ("P1D", 86_400), ("P2W", 1_209_600), ("PT0S", 0),
    ("P1DT1S", 86_401), ("PT90M", 5400), ("P90D", 7_776_000),
  ]) func `ISO 8601 durations are parsed as seconds`(text: String, seconds: Int) {
    #expect(ISODuration.seconds(text) == seconds)
    #expect(ISODuration.seconds(ISODuration.text(seconds)) == seconds)
  }

  @Test(arguments: [
    "", "P", "PT", "1H", "P1H", "PT1D", "P1M", "P1Y", "PT1M1H", "PT1.5H", "P-1D", "pt1h", "P1DT",
    "PT9999999999999999999S", "P9223372036854775807D", "PT1H ",
  ]) func `invalid ISO 8601 durations are rejected`(text: String) {
    #expect(ISODuration.seconds(text) == nil)
  }
}

struct GraphDurationTests {
  @Test(
    arguments: [
      ("P90D", 7_776_000), ("PT12H", 43200), ("PT720M", 43200), ("PT0S", 0), ("P0D", 0),
      ("P1DT2H3M4S", 93784), ("PT1.9S", 1),
    ])
  func `durations of Graph with days and times are parsed`(text: String, seconds: Int) {
    #expect(ISODuration.seconds(text, .graph) == seconds)
  }

  @Test(
    arguments: [
      "", "P", "PT", "P1DT", "12H", "PT12", "PT1M1H", "PT1H1H", "P1Y", "P1M", "P1W", "-PT1H",
      "pt1h",
      "PT1.5H", "PT1.S", "PTS", "PT1H ", "P99999999999999999999D", "P106751991167301D", "PT١H",
    ])
  func `invalid durations of Graph are rejected`(text: String) {
    #expect(ISODuration.seconds(text, .graph) == nil)
  }
}
