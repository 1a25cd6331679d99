/// A number of an app's configuration, as exact as it was stated.
public enum ConfigurationNumber: Sendable, Hashable {
  case integer(Int)
  /// A finite number.
  case real(Double)

  /// Reads a decimal number; nil where `text` is none that 64 bits hold.
  public init?(_ text: String) {
    if let number = Int(text) {
      self = .integer(number)
    } else if text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }),
      let number = Double(text), number.isFinite
    {
      self = .real(number)
    } else {
      return nil
    }
  }

  /// The number as a double, rounded where it is an integer that no double holds.
  public var doubleValue: Double {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    }
  }

  /// The number as an integer; nil for a fraction, and for a number beyond the range of `Int`.
  public var intValue: Int? {
    switch self {
    case .integer(let number): number
    case .real(let number): Int(exactly: number)
    }
  }

  /// The text of the number.
  public var text: String {
    switch self {
    case .integer(let number): String(number)
    case .real(let number): String(number)
    }
  }

  /// Whether the number is less than `other`, by value: an integer beyond a double's precision is not rounded.
  public func isLess(than other: ConfigurationNumber) -> Bool {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right
    case (.real(let left), .real(let right)): left < right
    case (.integer(let left), .real(let right)): Self.isLess(left, than: right)
    case (.real(let left), .integer(let right)): Self.isMore(right, than: left)
    }
  }

  private static func isLess(_ number: Int, than bound: Double) -> Bool {
    guard let rounded = Int(exactly: bound.rounded(.down)) else { return bound > 0 }
    return number < rounded || number == rounded && bound > bound.rounded(.down)
  }

  private static func isMore(_ number: Int, than bound: Double) -> Bool {
    guard let rounded = Int(exactly: bound.rounded(.down)) else { return bound < 0 }
    return number > rounded
  }
}
