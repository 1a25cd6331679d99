package import JSON
package import Predicates

/// A value of a status item, a management property or a predicate.
package typealias StatusValue = PredicateValue

extension PredicateValue {
  /// The value that `json` states. A number that is too large to represent becomes null; of a key that occurs twice
  /// the last one counts.
  package init(_ json: JSONValue) {
    switch json.kind {
    case .null: self = .null
    case .bool(let flag): self = .boolean(flag)
    case .number(let spelling): self = Self.number(spelling)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .array(elements.map(StatusValue.init))
    case .object(let members):
      self = .dictionary(
        Dictionary(members.map { ($0.name, StatusValue($0.value)) }) { _, last in last })
    }
  }

  private static func number(_ spelling: String) -> StatusValue {
    if let integer = Int(spelling) { return .integer(integer) }
    guard let number = Double(spelling), number.isFinite else { return .null }
    return .real(number)
  }

  /// Writes the value as JSON, with the keys of dictionaries in order.
  package func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .boolean(let flag): writer.bool(flag)
    case .integer(let number): writer.number(number)
    case .real(let number): writer.raw("\(number)".utf8)
    case .string(let text): writer.string(text)
    case .array(let elements):
      writer.array { writer in
        for element in elements { element.write(to: &writer) }
      }
    case .dictionary(let values):
      writer.object { writer in
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
          writer.member(named: key) { value.write(to: &$0) }
        }
      }
    }
  }
}
