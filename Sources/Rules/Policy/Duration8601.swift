/// A length of time as Graph writes it: `P90D`, `PT12H`, `PT720M`, `PT0S`.
///
/// Source: Graph's `Edm.Duration`, the day-and-time part of ISO 8601. Years and months, which have no
/// fixed length, are no part of it.
public struct Duration8601: Sendable, Hashable {
  /// Whole seconds, 0 or more; fractions are dropped.
  public let seconds: Int

  /// nil where `text` is no such duration, is negative, or exceeds what an `Int` of seconds holds.
  public init?(_ text: String) {
    var rest = Substring(text)
    guard rest.popFirst() == "P", !rest.isEmpty else { return nil }
    let halves = rest.split(separator: "T", omittingEmptySubsequences: false)
    guard halves.count <= 2, let days = Self.sum(halves[0], [("D", 86400)]) else { return nil }
    guard halves.count == 2 else {
      seconds = days
      return
    }
    let units: [(Character, Int)] = [("H", 3600), ("M", 60), ("S", 1)]
    guard !halves[1].isEmpty, let time = Self.sum(halves[1], units) else { return nil }
    let (sum, overflows) = days.addingReportingOverflow(time)
    guard !overflows else { return nil }
    seconds = sum
  }

  /// The seconds in a run of number-and-unit pairs, each unit at most once and in the given order.
  private static func sum(_ text: Substring, _ units: [(Character, Int)]) -> Int? {
    var rest = text
    var units = units[...]
    var total = 0
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      var hasFraction = false
      if rest.first == "." {
        let fraction = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
        guard !fraction.isEmpty else { return nil }
        rest = rest.dropFirst(fraction.count + 1)
        hasFraction = true
      }
      guard let number = Int(digits), let unit = rest.popFirst(),
        let index = units.firstIndex(where: { $0.0 == unit }), !hasFraction || unit == "S"
      else { return nil }
      let (part, isTooLong) = number.multipliedReportingOverflow(by: units[index].1)
      let (sum, overflows) = total.addingReportingOverflow(part)
      guard !isTooLong, !overflows else { return nil }
      total = sum
      units = units[(index + 1)...]
    }
    return total
  }
}
