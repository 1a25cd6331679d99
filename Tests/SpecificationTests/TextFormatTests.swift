import Testing

@testable import Specification

@Suite struct TextFormatTests {
  @Test(
    arguments: [
      (.date, "2024-02-29", true), (.date, "2023-02-29", false), (.date, "2026-1-31", false),
      (.date, "1900-02-29", false), (.date, "2000-02-29", true), (.date, "2026-13-01", false),
      (.time, "12:00:00Z", true), (.time, "12:00:00", false), (.time, "24:00:00Z", false),
      (.time, "12:00:00.25+01:30", true), (.time, "12:00:00.Z", false),
      (.dateTime, "2026-01-31T12:00:00Z", true), (.dateTime, "2026-01-31", false),
      (.email, "anna@contoso.com", true), (.email, "anna", false), (.email, "@contoso.com", false),
      (.email, "an na@contoso.com", false),
      (.hostname, "a-b.example", true), (.hostname, "-a.example", false),
      (.hostname, "a..b", false), (.hostname, "a_b", false),
      (.ipv4, "192.0.2.1", true), (.ipv4, "192.0.2.256", false), (.ipv4, "192.0.2", false),
      (.ipv4, "192.0.02.1", false),
      (.ipv6, "::", true), (.ipv6, "2001:db8::1", true), (.ipv6, "1:2:3:4:5:6:7:8", true),
      (.ipv6, "::ffff:192.0.2.1", true), (.ipv6, "1:2:3", false), (.ipv6, "1::2::3", false),
      (.ipv6, "1:2:3:4:5:6:7::8", false), (.ipv6, "::12345", false), (.ipv6, ":::", false),
      (.uri, "https://example.com/a?b#c", true), (.uri, "mailto:anna@contoso.com", true),
      (.uri, "example.com", false), (.uri, "https://", false), (.uri, "https://a b", false),
      (.uri, "1a:b", false),
      (.uuid, "00000000-0000-4000-8000-00000000000f", true), (.uuid, "0000", false),
      (.uuid, "0000000g-0000-4000-8000-00000000000f", false),
    ] as [(TextFormat, String, Bool)])
  func `each text format accepts valid texts and rejects invalid texts`(
    format: TextFormat, text: String, isOfIt: Bool
  ) {
    #expect(format.accepts(text) == isOfIt)
  }

  @Test(arguments: TextFormat.allCases) func `each text format accepts its generated sample`(
    format: TextFormat
  ) {
    #expect(format.accepts(format.sample))
  }

  @Test(
    arguments: [
      ("2001-01-01T00:00:00Z", 0, "2001-01-01T00:00:00Z"),
      ("2000-12-31T23:59:59Z", -1, "2000-12-31T23:59:59Z"),
      ("2024-02-29T12:30:15.75+02:00", 730_895_415.75, "2024-02-29T10:30:15Z"),
      ("1969-07-20T20:17:40Z", -992_490_140, "1969-07-20T20:17:40Z"),
      ("2026-12-31T23:30:00-01:00", 820_456_200, "2027-01-01T00:30:00Z"),
    ])
  func `dates with time zones and fractions are parsed and formatted in UTC`(
    text: String, seconds: Double, written: String
  ) {
    #expect(DateText.seconds(of: text) == seconds)
    #expect(DateText.text(of: seconds) == written)
  }

  @Test func `times before year 1 or after year 9999 are clamped when formatted`() {
    #expect(DateText.text(of: .infinity) == "9999-12-31T23:59:59Z")
    #expect(DateText.text(of: -.infinity) == "0001-01-01T00:00:00Z")
    #expect(DateText.text(of: .nan) == "2001-01-01T00:00:00Z")
    #expect(
      DateText.seconds(of: "0000-02-28T00:00:00Z").map(DateText.text) == "0001-01-01T00:00:00Z")
  }

  @Test func `every day of four centuries is parsed and formatted unchanged`() {
    for day in stride(from: -36_524.0, to: 4 * 36_525, by: 1) {
      let text = DateText.text(of: day * 86_400)
      #expect(DateText.seconds(of: text) == day * 86_400)
    }
  }
}
