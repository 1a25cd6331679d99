internal import Foundation

public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
  let text: String

  public init(stringLiteral value: String) { text = value }
  public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
  private(set) var text = ""

  public init(literalCapacity: Int, interpolationCount: Int) {
    text.reserveCapacity(literalCapacity)
  }

  public mutating func appendLiteral(_ literal: String) { text += literal }

  public mutating func appendInterpolation<Value>(
    _ value: @autoclosure () -> Value, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) { text += "\(value())" }

  public mutating func appendInterpolation<Value: BinaryInteger>(
    _ value: @autoclosure () -> Value, format: OSLogIntegerFormatting = .decimal,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) { text += String(value(), radix: format.radix) }

  public mutating func appendInterpolation(
    _ value: @autoclosure () -> Double, format: OSLogFloatFormatting = .fixed,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    let value = value()
    text += format.precision.map { String(format: "%.\($0)f", value) } ?? "\(value)"
  }
}

/// The privacy of a value, which has no effect: all values are written.
public struct OSLogPrivacy: Sendable {
  public enum Mask: Sendable { case hash, none }
  public static let `public` = OSLogPrivacy()
  public static let `private` = OSLogPrivacy()
  public static let sensitive = OSLogPrivacy()
  public static let auto = OSLogPrivacy()
  public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy() }
  public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy() }
  public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy() }
}

/// The alignment of a value, which has no effect.
public struct OSLogStringAlignment: Sendable {
  public static let none = OSLogStringAlignment()
  public static func left(columns: @autoclosure () -> Int) -> OSLogStringAlignment { .none }
  public static func right(columns: @autoclosure () -> Int) -> OSLogStringAlignment { .none }
}

/// The base in which an integer is written.
public struct OSLogIntegerFormatting: Sendable {
  let radix: Int
  public static let decimal = OSLogIntegerFormatting(radix: 10)
  public static let hex = OSLogIntegerFormatting(radix: 16)
  public static let octal = OSLogIntegerFormatting(radix: 8)
}

/// The form in which a floating-point number is written.
public struct OSLogFloatFormatting: Sendable {
  /// The digits after the point; nil for the shortest form.
  let precision: Int?
  public static let fixed = OSLogFloatFormatting(precision: nil)
  public static func fixed(precision: @autoclosure () -> Int) -> OSLogFloatFormatting {
    OSLogFloatFormatting(precision: precision())
  }
}

struct OSLogFormat {
  private let format: String

  init(_ format: String) { self.format = format }

  /// Replaces the directives of the format with the arguments. A directive without an argument remains unchanged.
  func text(_ arguments: [Any]) -> String {
    var rest = arguments[...]
    return format.replacing(
      /%(?:\{[^}]*\})?([-+ #0]*\d*(?:\.\d+)?)(?:hh|h|ll|l|q|z|t|j)?([@a-zA-Z%])/
    ) {
      match in
      if match.output.2 == "%" { return "%" }
      guard let argument = rest.popFirst() else { return String(match.output.0) }
      return Self.text(argument, match.output.1, match.output.2) ?? "\(argument)"
    }
  }

  /// Formats a number with `String(format:)`. Returns nil for values that are not numbers, for floating-point
  /// directives without flags, and for directives that do not fit the value's type. `String(format:)` is unsuitable for
  /// these: `%5s`, for example, would treat the number as a pointer.
  ///
  /// - Parameter flags: The directive's flags, width and precision.
  private static func text(
    _ argument: Any, _ flags: Substring, _ conversion: Substring
  ) -> String? {
    switch argument {
    case let number as any BinaryFloatingPoint where "aAeEfFgG".contains(conversion):
      flags.isEmpty ? nil : String(format: "%\(flags)\(conversion)", Double(number))
    case let number as any BinaryInteger where "di".contains(conversion):
      String(format: "%\(flags)ll\(conversion)", Int64(truncatingIfNeeded: number))
    case let number as any BinaryInteger where "uxXo".contains(conversion):
      // A negative number has the bits of its own width.
      String(
        format: "%\(flags)ll\(conversion)",
        UInt64(truncatingIfNeeded: number) & (.max >> max(0, 64 - number.bitWidth)))
    default: nil  // open: any type of argument
    }
  }
}
