import Encodings

/// Writes JSON with two spaces for each level, and a line for each value.
enum IndentedJSON {
  static func text(of value: JSONValue, _ indentation: String = "") -> String {
    let inner = indentation + "  "
    switch value.kind {
    case .array(let elements) where !elements.isEmpty:
      return enclose("[", "]", elements.map { text(of: $0, inner) }, indentation)
    case .object(let members) where !members.isEmpty:
      let lines = members.map { member in
        compact { $0.string(member.name) } + ": " + text(of: member.value, inner)
      }
      return enclose("{", "}", lines, indentation)
    case .null, .bool, .number, .string, .array, .object: return compact { value.write(to: &$0) }
    }
  }

  private static func enclose(
    _ open: String, _ close: String, _ lines: [String], _ indentation: String
  ) -> String {
    let inner = lines.map { "\(indentation)  \($0)" }.joined(separator: ",\n")
    return "\(open)\n\(inner)\n\(indentation)\(close)"
  }

  private static func compact(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return writer.text
  }
}
