import Model
import Testing

@Suite struct TimestampTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (1, "1970-01-01T00:00:01Z"), (-1, "1969-12-31T23:59:59Z"),
    (951_782_400, "2000-02-29T00:00:00Z"), (1_767_225_600, "2026-01-01T00:00:00Z"),
    (4_107_542_400, "2100-03-01T00:00:00Z"), (Timestamp.range.lowerBound, "0000-01-01T00:00:00Z"),
    (Timestamp.range.upperBound, "9999-12-31T23:59:59Z"),
  ]) func `timestamps convert to seconds and back`(seconds: Int, text: String) {
    #expect(Timestamp.text(seconds) == text)
    #expect(Timestamp.seconds(text) == seconds)
  }

  @Test func `the timestamp of every day round-trips`() {
    for day in -800...48_000 {
      let seconds = day * 86_400 + 86_399
      #expect(Timestamp.seconds(Timestamp.text(seconds)) == seconds)
    }
  }

  @Test func `timestamps out of range are clamped`() {
    #expect(Timestamp.text(.max) == "9999-12-31T23:59:59Z")
    #expect(Timestamp.text(.min) == "0000-01-01T00:00:00Z")
  }

  @Test(arguments: [
    "", "2026-01-01", "2026-01-01T00:00:00", "2026-01-01T00:00:00+00:00", "2026-13-01T00:00:00Z",
    "2026-02-29T00:00:00Z", "2026-00-10T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01t00:00:00Z",
    "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "+026-01-01T00:00:00Z", "2026-01-0١T00:00:00Z",
  ]) func `invalid timestamps are rejected`(text: String) {
    #expect(Timestamp.seconds(text) == nil)
  }
}
