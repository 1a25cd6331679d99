extension JSONValue {
  /// The value as compact JSON text, in one line.
  package var line: String {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.text
  }

  /// Writes the value as compact JSON.
  package func write(to writer: inout JSONWriter) {
    switch kind {
    case .null: writer.null()
    case .bool(let flag): writer.bool(flag)
    case .number(let spelling): writer.raw(spelling.utf8)
    case .string(let text): writer.string(text)
    case .array(let elements):
      writer.array { writer in
        for element in elements { element.write(to: &writer) }
      }
    case .object(let members):
      writer.object { writer in
        for member in members {
          writer.member(named: member.name) { member.value.write(to: &$0) }
        }
      }
    }
  }
}
