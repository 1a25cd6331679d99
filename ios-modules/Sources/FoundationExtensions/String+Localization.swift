public import Foundation

extension String {
  /// The key of a localized text, and the values to insert into its translation.
  public struct LocalizationValue: ExpressibleByStringInterpolation, Equatable, Sendable {
    fileprivate let key: String
    private let values: [String]

    public init(_ value: String) { self.init(stringLiteral: value) }

    public init(stringLiteral value: String) {
      key = value
      values = []
    }

    public init(stringInterpolation: StringInterpolation) {
      key = stringInterpolation.key
      values = stringInterpolation.values
    }

    /// Inserts the values into the placeholders of a translation. A placeholder with a position, such as `%2$@`, gets
    /// the value at this position. Any other placeholder gets the next value.
    fileprivate func inserted(into translation: String) -> String {
      guard !values.isEmpty else { return translation }
      var result = ""
      var rest = translation[...]
      var next = 0
      while let match = rest.firstMatch(of: /%(?:%|(?:(\d+)\$)?(?:@|lld|llu|lf|d|f))/) {
        result += rest[..<match.range.lowerBound]
        rest = rest[match.range.upperBound...]
        if match.0 == "%%" {
          result += "%"
          continue
        }
        let position = match.1.flatMap { Int($0) } ?? next + 1
        next = position
        result += values.indices.contains(position - 1) ? values[position - 1] : String(match.0)
      }
      return result + rest
    }

    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
      fileprivate var key = ""
      fileprivate var values: [String] = []

      public init(literalCapacity: Int, interpolationCount: Int) {}

      public mutating func appendLiteral(_ literal: String) {
        key += literal.replacing("%", with: "%%")
      }

      public mutating func appendInterpolation<Value>(_ value: Value) {
        key += Self.placeholder(of: Value.self)
        values.append("\(value)")
      }

      /// Returns the placeholder for a value of this type, as Xcode writes it into a strings file.
      private static func placeholder(of type: Any.Type) -> String {
        switch type {
        case is Int.Type, is Int64.Type: "%lld"
        case is UInt.Type, is UInt64.Type: "%llu"
        case is Int32.Type: "%d"
        case is Double.Type: "%lf"
        case is Float.Type: "%f"
        default: "%@"  // open: any type can be interpolated
        }
      }
    }
  }

  /// Creates the translation of a text in a bundle's strings file or, if there is no translation, the text itself.
  ///
  /// - Parameters:
  ///   - table: The name of the strings file; nil for `Localizable`.
  ///   - bundle: nil for the main bundle.
  ///   - locale: Without effect: numbers are formatted as in Swift.
  public init(
    localized keyAndValue: LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
    locale: Locale = .current, comment: StaticString? = nil
  ) {
    let translation = (bundle ?? .main).localizedString(
      forKey: keyAndValue.key, value: nil, table: table)
    self = keyAndValue.inserted(into: translation)
  }

  /// Creates the translation of a key or, if there is no translation, the default value.
  public init(
    localized key: StaticString, defaultValue: LocalizationValue, table: String? = nil,
    bundle: Bundle? = nil, locale: Locale = .current, comment: StaticString? = nil
  ) {
    let translation = (bundle ?? .main).localizedString(
      forKey: "\(key)", value: defaultValue.key, table: table)
    self = defaultValue.inserted(into: translation)
  }
}
