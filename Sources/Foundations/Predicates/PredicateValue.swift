/// A value as predicates compare it.
package enum PredicateValue: Sendable, Hashable {
  case null
  case boolean(Bool)
  case integer(Int)
  /// Finite.
  case real(Double)
  case string(String)
  case array([PredicateValue])
  case dictionary([String: PredicateValue])

  /// What messages call a value of this kind.
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

  /// A boolean counts as 0 or 1, as NSNumber has it; nil for what is no number.
  package var number: Double? {
    switch self {
    case .boolean(let flag): flag ? 1 : 0
    case .integer(let number): Double(number)
    case .real(let number): number
    case .null, .string, .array, .dictionary: nil
    }
  }

  /// What a look at it costs: one for each value in it. Comparing text counts by itself.
  package var weight: Int {
    switch self {
    case .array(let values): values.reduce(1) { $0 + $1.weight }
    case .dictionary(let values): values.values.reduce(1) { $0 + $1.weight }
    case .null, .boolean, .integer, .real, .string: 1
    }
  }
}
