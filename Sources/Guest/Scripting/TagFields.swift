/// The fields of an item's tag, all of which are required.
struct TagFields {
  let fields: [String: ScriptValue]

  func text(_ name: String) throws(ScriptMisuse) -> String {
    String(decoding: try bytes(name), as: UTF8.self)
  }

  func bytes(_ name: String) throws(ScriptMisuse) -> [UInt8] {
    guard case .bytes(let bytes)? = fields[name] else { throw misuse(name, "string") }
    return bytes
  }

  func boolean(_ name: String) throws(ScriptMisuse) -> Bool {
    guard case .boolean(let flag)? = fields[name] else { throw misuse(name, "boolean") }
    return flag
  }

  /// Reads an unsigned number, which in Lua is an integer with a sign.
  func number(_ name: String) throws(ScriptMisuse) -> UInt64 {
    guard case .integer(let integer)? = fields[name] else { throw misuse(name, "integer") }
    return UInt64(bitPattern: integer)
  }

  private func misuse(_ name: String, _ expected: String) -> ScriptMisuse {
    let kind = (fields[name] ?? .nothing).kind
    return ScriptMisuse(
      "bad field `\(name)` of an item's tag (\(expected) expected, got \(kind))")
  }
}
