internal import Encodings

/// Dates and times in the text forms of RFC 3339.
enum DateText {
  /// The seconds from the beginning of 1970 to that of 2001, which property lists count from.
  private static let epoch = 978_307_200.0

  /// The seconds since the beginning of 2001, UTC; nil where `text` is not of the form `2026-01-31T12:00:00Z`.
  static func seconds(of text: String) -> Double? {
    guard let separator = text.firstIndex(where: { "Tt ".contains($0) }),
      let days = days(of: text[..<separator]),
      let time = secondsOfDay(of: text[text.index(after: separator)...])
    else { return nil }
    return Double(days) * 86_400 + time - epoch
  }

  static func isDate(_ text: String) -> Bool { days(of: text[...]) != nil }

  /// Whether `text` is a time of day with its offset, such as `12:00:00Z`.
  static func isTime(_ text: String) -> Bool { secondsOfDay(of: text[...]) != nil }

  /// A date in the form `2026-01-31T12:00:00Z`, in whole seconds, as property lists have it. Times outside the calendar
  /// of four-digit years are written as the nearest time in it.
  static func text(of seconds: Double) -> String {
    let range = -62_135_596_800.0...253_402_300_799.0
    let finite = seconds.isNaN ? 0 : seconds
    let total = min(max((finite + epoch).rounded(.down), range.lowerBound), range.upperBound)
    let days = (total / 86_400).rounded(.down)
    let rest = Int(total - days * 86_400)
    let (year, month, day) = CivilDate.date(ofDay: Int(days))
    return "\(padded(year, 4))-\(padded(month))-\(padded(day))"
      + "T\(padded(rest / 3_600)):\(padded(rest / 60 % 60)):\(padded(rest % 60))Z"
  }

  private static func padded(_ number: Int, _ width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// The days from the beginning of 1970 to a date of the form `2026-01-31`.
  private static func days(of text: Substring) -> Int? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let year = digits(parts[0], 4), let month = digits(parts[1], 2),
      let day = digits(parts[2], 2)
    else { return nil }
    return CivilDate.day(ofDate: year, month, day)
  }

  /// The seconds since midnight UTC of a time such as `12:00:00.5+01:00`; beyond a day where the offset leads there.
  private static func secondsOfDay(of text: Substring) -> Double? {
    guard let zone = text.firstIndex(where: { "Zz+-".contains($0) }),
      let offset = offset(text[zone...])
    else { return nil }
    let parts = text[..<zone].split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hour = digits(parts[0], 2), let minute = digits(parts[1], 2),
      let second = digits(parts[2].prefix(2), 2), hour < 24, minute < 60, second <= 60
    else { return nil }
    var fraction = 0.0
    let rest = parts[2].dropFirst(2)
    if !rest.isEmpty {
      guard rest.first == ".", rest.count > 1, rest.dropFirst().allSatisfy(isDigit),
        let value = Double("0\(rest)")
      else { return nil }
      fraction = value
    }
    return Double(hour * 3_600 + minute * 60 + second - offset) + fraction
  }

  /// The seconds that a zone is ahead of UTC.
  private static func offset(_ text: Substring) -> Int? {
    if text == "Z" || text == "z" { return 0 }
    let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let hours = digits(parts[0], 2), let minutes = digits(parts[1], 2),
      hours < 24, minutes < 60
    else { return nil }
    return (text.first == "-" ? -1 : 1) * (hours * 3_600 + minutes * 60)
  }

  private static func digits(_ text: Substring, _ count: Int) -> Int? {
    text.count == count && text.allSatisfy(isDigit) ? Int(text) : nil
  }

  private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
}
