/// A version of dotted numbers, such as `19.7.6`. Missing numbers count as 0: `17` is `17.0.0`.
public struct Version: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The numbers without trailing zeros.
  private let numbers: [Int]

  /// A version of the given numbers.
  public init(_ numbers: Int...) { self.init(numbers: numbers) }

  /// Reads a version; nil where `text` is not one to eight numbers with dots between. White space around is ignored.
  public init?(_ text: String) {
    let trimmed = text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
    let parts = String(trimmed).split(separator: ".", omittingEmptySubsequences: false)
    guard (1...8).contains(parts.count) else { return nil }
    var numbers: [Int] = []
    for part in parts {
      guard part.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(part) else {
        return nil
      }
      numbers.append(number)
    }
    self.init(numbers: numbers)
  }

  private init(numbers: [Int]) {
    var numbers = numbers
    while numbers.last == 0 { numbers.removeLast() }
    self.numbers = numbers
  }

  /// The first number; 0 where there is none.
  public var major: Int { numbers.first ?? 0 }

  public static func < (left: Version, right: Version) -> Bool {
    left.numbers.lexicographicallyPrecedes(right.numbers)
  }

  /// The version with at least two numbers: `17.0`.
  public var description: String {
    let shown = numbers + Array(repeating: 0, count: max(0, 2 - numbers.count))
    return shown.map(String.init).joined(separator: ".")
  }
}
