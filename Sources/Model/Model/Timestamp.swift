internal import Encodings

/// The text form of a time on the device's virtual clock. It is ISO 8601 in UTC with a precision of seconds, such as
/// `2026-01-01T09:00:00Z`.
///
/// Years are 0 to 9999. A time outside of this range is written as the nearest time inside.
public enum Timestamp {
  /// The times that this form can express: years 0 to 9999, in seconds since 1970-01-01T00:00:00Z.
  public static let range = -62_167_219_200...253_402_300_799

  /// Returns the text of a time in seconds since 1970-01-01T00:00:00Z.
  public static func text(_ seconds: Int) -> String {
    withQuotedBytes(of: seconds) { String(decoding: $0.dropFirst().dropLast(), as: UTF8.self) }
  }

  /// Calls `body` with the time as a quoted JSON string. The bytes are valid only during the call. No memory is
  /// allocated on the heap, because the journal writes a time for each event.
  static func withQuotedBytes<Result>(
    of seconds: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    let seconds = min(max(seconds, range.lowerBound), range.upperBound)
    let time = seconds.modulo(86_400)
    let (year, month, day) = CivilDate.date(ofDay: (seconds - time) / 86_400)
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

  /// Reads a time in seconds since 1970-01-01T00:00:00Z; nil if `text` is not in this form.
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
      hour < 24, minute < 60, second < 60, let days = CivilDate.day(ofDate: year, month, day)
    else { return nil }
    return days * 86_400 + hour * 3600 + minute * 60 + second
  }
}
