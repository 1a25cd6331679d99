/// A point on the device's virtual clock as text: ISO 8601 in UTC to the second, `2026-01-01T09:00:00Z`.
///
/// Years run from 0 to 9999; a time outside is written as the nearest one inside.
public enum Timestamp {
  /// Seconds since 1970-01-01T00:00:00Z that this notation can express.
  public static let range = -62_167_219_200...253_402_300_799

  public static func text(_ seconds: Int) -> String {
    withQuotedBytes(of: seconds) { String(decoding: $0.dropFirst().dropLast(), as: UTF8.self) }
  }

  /// The text as a JSON string, valid only within `body`: the journal writes one for every event.
  static func withQuotedBytes<Result>(
    of seconds: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    let seconds = min(max(seconds, range.lowerBound), range.upperBound)
    let time = seconds.modulo(86_400)
    let (year, month, day) = date(ofDay: (seconds - time) / 86_400)
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 22) { buffer in
      func put(_ value: Int, digits: Int, at start: Int, then mark: Unicode.Scalar) {
        var rest = value
        for index in stride(from: start + digits - 1, through: start, by: -1) {
          buffer[index] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
        buffer[start + digits] = UInt8(ascii: mark)
      }
      buffer[0] = UInt8(ascii: "\"")
      put(year, digits: 4, at: 1, then: "-")
      put(month, digits: 2, at: 6, then: "-")
      put(day, digits: 2, at: 9, then: "T")
      put(time / 3600, digits: 2, at: 12, then: ":")
      put(time / 60 % 60, digits: 2, at: 15, then: ":")
      put(time % 60, digits: 2, at: 18, then: "Z")
      buffer[21] = UInt8(ascii: "\"")
      return body(UnsafeBufferPointer(buffer))
    }
  }

  /// Seconds since 1970-01-01T00:00:00Z; nil where `text` is not such a time.
  public static func seconds(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    guard bytes.count == 20 else { return nil }
    for (index, mark) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":"), (19, "Z")]
    where bytes[index] != mark.utf8.first { return nil }
    func number(_ range: Range<Int>) -> Int? {
      bytes[range].reduce(0) { sum, byte in
        guard let sum, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        return sum * 10 + Int(byte - UInt8(ascii: "0"))
      }
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      (1...12).contains(month), day >= 1, hour < 24, minute < 60, second < 60
    else { return nil }
    let days = self.day(ofDate: year, month, day)
    guard date(ofDay: days) == (year, month, day) else { return nil }
    return days * 86_400 + hour * 3600 + minute * 60 + second
  }

  // Both conversions count years from March, so that the leap day comes last
  // (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").

  private static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = day + 719_468
    let era = (shifted - shifted.modulo(146_097)) / 146_097
    let dayOfEra = shifted.modulo(146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }

  private static func day(ofDate year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year - year.modulo(400)) / 400
    let yearOfEra = year.modulo(400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

extension Int {
  /// The remainder that is never negative.
  fileprivate func modulo(_ divisor: Int) -> Int {
    let remainder = self % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }
}
