@testable internal import OSLog
internal import Testing

@Suite struct OSLogTests {
  @Test func `an interpolated log message contains all its values, even private values`() {
    let message: OSLogMessage =
      "n \(31, format: .hex) of \("anna", privacy: .private) \(0.25, format: .fixed(precision: 1)) \([1])"
    #expect(message.text == "n 1f of anna 0.2 [1]")
  }

  @Test(arguments: [
    ("no value", "no value"), ("%{public}@ %d%%", "anna 7%"), ("%@ %lld %@", "anna 7 %@"),
    ("%.1f", "anna"),
  ])
  func `a log format inserts its arguments in order`(format: String, expected: String) {
    #expect(OSLogFormat(format).text(["anna", 7]) == expected)
  }

  @Test(arguments: [("%.1f", "0.2"), ("%6.2e", "2.50e-01"), ("%5s", "0.25"), ("%5@", "0.25")])
  func `only a number directive of a log format applies its precision to a number`(
    format: String, expected: String
  ) {
    #expect(OSLogFormat(format).text([0.25]) == expected)
  }

  @Test(
    arguments: [
      ("%x", 255, "ff"), ("%#X", 255, "0XFF"), ("%{public}04d", 7, "0007"), ("%+ld", 7, "+7"),
      ("%-4i|", Int8(-7), "-7  |"), ("%llo", UInt16(8), "10"), ("%hhx", Int8(-1), "ff"),
      ("%x", Int32(-1), "ffffffff"), ("%llu", UInt64.max, "18446744073709551615"),
      ("%.2f", Float(0.5), "0.50"), ("%.1f", 7, "7"), ("%05@", 7, "7"),
    ] as [(String, any Sendable, String)])
  func `log format directives apply base, width and precision to numbers`(
    format: String, value: any Sendable, expected: String
  ) {
    #expect(OSLogFormat(format).text([value]) == expected)
  }
}
