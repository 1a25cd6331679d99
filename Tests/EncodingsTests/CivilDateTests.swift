import Encodings
import Testing

@Suite struct CivilDateTests {
  @Test func `days and dates convert both ways`() {
    for day in stride(from: -800_000, through: 3_000_000, by: 17) {
      let (year, month, date) = CivilDate.date(ofDay: day)
      #expect(CivilDate.day(ofDate: year, month, date) == day)
    }
  }

  @Test(
    arguments: [
      (1970, 1, 1, 0), (2000, 2, 29, 11_016), (1969, 12, 31, -1), (0, 3, 1, -719_468),
    ])
  func `known dates have their day numbers`(year: Int, month: Int, date: Int, day: Int) {
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
