/// Dates and times in the text forms of RFC 3339.
enum DateText {
  /// From the beginning of 1970 to that of 2001, which property lists count from.
  private static let epoch = 978_307_200.0

  /// Seconds since the beginning of 2001, UTC; nil where `text` is no `2026-01-31T12:00:00Z`.
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

  /// `2026-01-31T12:00:00Z`: whole seconds, as property lists have them. Times that no calendar of
  /// four-digit years has are written as the nearest that it has.
  static func text(of seconds: Double) -> String {
    let range = -62_135_596_800.0...253_402_300_799.0
    let finite = seconds.isNaN ? 0 : seconds
    let total = min(max((finite + epoch).rounded(.down), range.lowerBound), range.upperBound)
    let days = (total / 86_400).rounded(.down)
    let rest = Int(total - days * 86_400)
    let (year, month, day) = civil(days: Int(days))
    return "\(padded(year, 4))-\(padded(month))-\(padded(day))"
      + "T\(padded(rest / 3_600)):\(padded(rest / 60 % 60)):\(padded(rest % 60))Z"
  }

  private static func padded(_ number: Int, _ width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Days since the beginning of 1970 of a `2026-01-31`.
  private static func days(of text: Substring) -> Int? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let year = digits(parts[0], 4), let month = digits(parts[1], 2),
      let day = digits(parts[2], 2), (1...12).contains(month)
    else { return nil }
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...lengths[month - 1]).contains(day) else { return nil }
    // Counted from a March, so that the leap day is a year's last, and 400 years on: none is negative.
    let shifted = (month > 2 ? year : year - 1) + 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let leapDays = shifted / 4 - shifted / 100 + shifted / 400
    return shifted * 365 + leapDays + dayOfYear - 719_468 - 146_097
  }

  /// The inverse of ``days(of:)``.
  private static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  /// Seconds since midnight UTC of a `12:00:00.5+01:00`; beyond a day where the offset leads there.
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

  /// Seconds that a zone is ahead of UTC.
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
