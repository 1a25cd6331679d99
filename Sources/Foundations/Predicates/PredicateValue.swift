/// A value in the form in which predicates compare it.
package enum PredicateValue: Sendable, Hashable {
  case null
  case boolean(Bool)
  case integer(Int)
  /// A finite number.
  case real(Double)
  case string(String)
  case array([PredicateValue])
  case dictionary([String: PredicateValue])

  /// The noun by which messages call a value of this kind, with its article.
  package var noun: String {
    switch self {
    case .null: "nothing"
    case .boolean: "a boolean"
    case .integer, .real: "a number"
    case .string: "a string"
    case .array: "an array"
    case .dictionary: "a dictionary"
    }
  }

  /// The value as a number; a boolean counts as 0 or 1, as in NSNumber; nil for a value that is no number.
  package var number: Double? {
    switch self {
    case .boolean(let flag): flag ? 1 : 0
    case .integer(let number): Double(number)
    case .real(let number): number
    case .null, .string, .array, .dictionary: nil
    }
  }

  /// The cost of a look at the value: one for each value in it. Comparing text counts by itself.
  package var weight: Int {
    switch self {
    case .array(let values): values.reduce(1) { $0 + $1.weight }
    case .dictionary(let values): values.values.reduce(1) { $0 + $1.weight }
    case .null, .boolean, .integer, .real, .string: 1
    }
  }
}
