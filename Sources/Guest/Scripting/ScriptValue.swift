/// A value on its way into a script, or out of it.
package enum ScriptValue: Sendable, Equatable {
  case nothing
  case boolean(Bool)
  case integer(Int64)
  case number(Double)
  /// A string: Lua's strings are bytes.
  case bytes([UInt8])
  /// The list part and the named part of a table.
  case table([ScriptValue], [String: ScriptValue])

  static func text(_ text: String) -> ScriptValue { .bytes(Array(text.utf8)) }

  static func list(_ values: [ScriptValue]) -> ScriptValue { .table(values, [:]) }

  static func record(_ fields: [String: ScriptValue]) -> ScriptValue { .table([], fields) }

  /// The text; nil becomes `.nothing`.
  static func text(orNothing text: String?) -> ScriptValue { text.map(Self.text) ?? .nothing }

  /// Lua's name of the type.
  var kind: String {
    switch self {
    case .nothing: "nil"
    case .boolean: "boolean"
    case .integer, .number: "number"
    case .bytes: "string"
    case .table: "table"
    }
  }

  var text: String? {
    guard case .bytes(let bytes) = self else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether Lua takes the value for true.
  var isTrue: Bool { self != .nothing && self != .boolean(false) }

  subscript(_ field: String) -> ScriptValue {
    guard case .table(_, let fields) = self else { return .nothing }
    return fields[field] ?? .nothing
  }
}
