/// Durations as ISO 8601 writes them, such as `PT1H30M` or `P14D`.
///
/// Years and months are no fixed number of seconds, and are not accepted.
public enum ISODuration {
  private static let dateUnits: [(letter: Character, seconds: Int)] = [
    ("W", 604_800), ("D", 86_400),
  ]
  private static let timeUnits: [(letter: Character, seconds: Int)] = [
    ("H", 3600), ("M", 60), ("S", 1),
  ]

  /// The duration in seconds; nil where `text` is none, or is too long to count.
  public static func seconds(_ text: String) -> Int? {
    guard text.first == "P" else { return nil }
    let parts = text.dropFirst().split(
      separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    guard let date = sum(parts[0], dateUnits) else { return nil }
    guard parts.count == 2 else { return parts[0].isEmpty ? nil : date }
    guard !parts[1].isEmpty, let time = sum(parts[1], timeUnits) else { return nil }
    let (total, isTooLong) = date.addingReportingOverflow(time)
    return isTooLong ? nil : total
  }

  /// The shortest form in days, hours, minutes and seconds.
  public static func text(_ seconds: Int) -> String {
    guard seconds > 0 else { return "PT0S" }
    var rest = seconds
    func take(_ units: [(letter: Character, seconds: Int)]) -> String {
      units.reduce(into: "") { text, unit in
        let count = rest / unit.seconds
        rest %= unit.seconds
        if count > 0 { text += "\(count)\(unit.letter)" }
      }
    }
    let date = take([("D", 86_400)])
    let time = take(timeUnits)
    return "P" + date + (time.isEmpty ? "" : "T" + time)
  }

  /// The seconds of numbers that are each followed by one of `units`, in that order; nil for anything else.
  private static func sum(
    _ text: Substring, _ units: [(letter: Character, seconds: Int)]
  ) -> Int? {
    var total = 0
    var rest = text
    for unit in units {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard !digits.isEmpty, rest.dropFirst(digits.count).first == unit.letter else { continue }
      guard let number = Int(digits) else { return nil }
      let (seconds, overflows) = number.multipliedReportingOverflow(by: unit.seconds)
      let (sum, isTooLong) = total.addingReportingOverflow(seconds)
      guard !overflows, !isTooLong else { return nil }
      total = sum
      rest = rest.dropFirst(digits.count + 1)
    }
    return rest.isEmpty ? total : nil
  }
}
