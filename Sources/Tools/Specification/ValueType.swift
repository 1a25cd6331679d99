/// A type of values, by its name in JSON Schema.
package enum ValueType: String, Sendable, CaseIterable {
  case string, integer, number, boolean, array, object, null

  /// The noun for such a value in messages, in the words of property lists.
  var noun: String {
    switch self {
    case .string: "a string"
    case .integer: "a whole number"
    case .number: "a number"
    case .boolean: "a boolean"
    case .array: "an array"
    case .object: "a dictionary"
    case .null: "null"
    }
  }
}
