/// Conversions between Gregorian dates and days since 1970-01-01.
///
/// Internally, years begin in March, so the leap day comes last (Howard Hinnant, "chrono-Compatible
/// Low-Level Date Algorithms").
package enum CivilDate {
  /// Returns the date that is `day` days after 1970-01-01.
  package static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
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

  /// Returns the number of days from 1970-01-01 to a date; nil if the date does not exist.
  package static func day(ofDate year: Int, _ month: Int, _ day: Int) -> Int? {
    guard (1...12).contains(month), (1...31).contains(day) else { return nil }
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted - shifted.modulo(400)) / 400
    let yearOfEra = shifted.modulo(400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let days =
      era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    return date(ofDay: days) == (year, month, day) ? days : nil
  }
}

extension Int {
  /// Returns the non-negative remainder of a division by `divisor`.
  package func modulo(_ divisor: Int) -> Int {
    let remainder = self % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }
}

/// ISO 8601 durations, such as `PT1H30M` or `P14D`.
///
/// Years and months are rejected, because their lengths in seconds vary.
public enum ISODuration {
  /// The format of a duration. All formats allow days, hours, minutes and seconds. Each also allows further forms.
  public enum Dialect: Sendable {
    /// Durations in scenario files. Weeks are allowed: `P2W`.
    case scenarios
    /// Graph's `Edm.Duration`. Fractions of seconds are allowed and truncated.
    case graph
  }

  private typealias Unit = (letter: Character, seconds: Int)
  private static let week: [Unit] = [("W", 604_800)]
  private static let day: [Unit] = [("D", 86_400)]
  private static let time: [Unit] = [("H", 3600), ("M", 60), ("S", 1)]

  /// Parses a duration to whole seconds; nil if `text` is invalid, negative or overflows.
  public static func seconds(_ text: String, _ dialect: Dialect = .scenarios) -> Int? {
    guard text.first == "P" else { return nil }
    let parts = text.dropFirst().split(
      separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    let dateUnits = dialect == .scenarios ? week + day : day
    guard let date = sum(parts[0], dateUnits, dialect) else { return nil }
    guard parts.count == 2 else { return parts[0].isEmpty ? nil : date }
    guard !parts[1].isEmpty, let time = sum(parts[1], time, dialect) else { return nil }
    let (total, isTooLong) = date.addingReportingOverflow(time)
    return isTooLong ? nil : total
  }

  /// Returns the text of a duration in days, hours, minutes and seconds. Units whose number is 0 are omitted. The text
  /// is `PT0S` for 0 and negative values.
  public static func text(_ seconds: Int) -> String {
    guard seconds > 0 else { return "PT0S" }
    var rest = seconds
    func consume(_ units: [Unit]) -> String {
      units.reduce(into: "") { text, unit in
        let count = rest / unit.seconds
        rest %= unit.seconds
        if count > 0 { text += "\(count)\(unit.letter)" }
      }
    }
    let (days, hours) = (consume(day), consume(time))
    return "P" + days + (hours.isEmpty ? "" : "T" + hours)
  }

  /// Parses numbers that are each followed by a letter of `units`, and returns their sum in seconds. The letters must
  /// be in the order of `units`. Returns nil for any other text.
  private static func sum(_ text: Substring, _ units: [Unit], _ dialect: Dialect) -> Int? {
    var total = 0
    var rest = text
    for unit in units {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      var after = rest.dropFirst(digits.count)
      if unit.letter == "S", dialect == .graph, after.first == "." {
        let fraction = after.dropFirst().prefix { $0.isASCII && $0.isNumber }
        guard !fraction.isEmpty else { return nil }
        after = after.dropFirst(fraction.count + 1)
      }
      guard !digits.isEmpty, after.first == unit.letter else { continue }
      guard let number = Int(digits) else { return nil }
      let (seconds, overflows) = number.multipliedReportingOverflow(by: unit.seconds)
      let (sum, isTooLong) = total.addingReportingOverflow(seconds)
      guard !overflows, !isTooLong else { return nil }
      total = sum
      rest = after.dropFirst()
    }
    return rest.isEmpty ? total : nil
  }
}
