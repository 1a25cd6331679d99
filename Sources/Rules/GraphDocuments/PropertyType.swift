package import JSON

/// The type that Graph gives a property's value; null is allowed everywhere and means absent.
package enum PropertyType: Sendable {
  case boolean, integer, text, duration, list, texts, objects
  /// Any value, such as those that Graph adds on request (`$expand`).
  case any

  /// Whether the value is of the type.
  package func admits(_ value: JSONValue) -> Bool {
    switch self {
    case .boolean: value.bool != nil
    case .integer: value.int != nil
    case .text, .duration: value.string != nil
    case .list: value.array != nil
    case .texts: value.array?.allSatisfy { $0.string != nil } ?? false
    case .objects: value.array?.allSatisfy { $0.members != nil } ?? false
    case .any: true
    }
  }

  /// The noun for the type in messages, with its article.
  var words: String {
    switch self {
    case .boolean: "a boolean"
    case .integer: "an integer"
    case .text: "a string"
    case .duration: "a duration"
    case .list: "a list"
    case .texts: "a list of strings"
    case .objects: "a list of objects"
    case .any: "anything"
    }
  }
}
