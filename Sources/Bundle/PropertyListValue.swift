internal import Foundation

/// A value of a property list, taken for nothing but what the file states: an integer is no
/// boolean.
enum PropertyListValue {
  case boolean(Bool)
  case string(String)
  case array([PropertyListValue])
  case dictionary(PropertyList)
  case data
  case date
  case number

  init(_ value: Any) {
    switch value {
    // `as? Bool` would take the numbers 0 and 1 too.
    case let flag as Bool where type(of: value) == Bool.self: self = .boolean(flag)
    case let text as String: self = .string(text)
    case let elements as [Any]: self = .array(elements.map(PropertyListValue.init(_:)))
    case let values as [String: Any]: self = .dictionary(PropertyList(values))
    case is Data: self = .data
    case is Date: self = .date
    default: self = .number
    }
  }

  /// What messages call a value of this kind.
  var noun: String {
    switch self {
    case .boolean: "a boolean"
    case .string: "a string"
    case .array: "an array"
    case .dictionary: "a dictionary"
    case .data: "data"
    case .date: "a date"
    case .number: "a number"
    }
  }
}
