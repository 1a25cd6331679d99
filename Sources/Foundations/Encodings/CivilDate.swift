/// Days of the Gregorian calendar, counted from 1970-01-01.
///
/// Years are counted from March, so that the leap day comes last (Howard Hinnant, "chrono-Compatible Low-Level Date
/// Algorithms").
package enum CivilDate {
  /// The date of a day.
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

  /// The day of a date; nil where the calendar has no such date.
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
  /// The remainder of a division by `divisor` that is never negative.
  package func modulo(_ divisor: Int) -> Int {
    let remainder = self % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }
}
