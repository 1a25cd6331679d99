import JSON

/// Writes a YAML value as JSON text, each member on its line of the YAML, so that messages about the JSON have the
/// scenario's lines.
struct InlineJSON {
  private var text = ""
  private var line = 1

  static func text(of value: YAMLValue) throws(Mistake) -> String {
    var json = InlineJSON()
    try json.write(value)
    return json.text
  }

  private mutating func write(_ value: YAMLValue) throws(Mistake) {
    move(to: value.position)
    switch value.kind {
    case .scalar(let scalar, let isPlain):
      text += isPlain ? try Self.plain(scalar, value) : Self.quoted(scalar)
    case .sequence(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        try write(element)
      }
      text += "]"
    case .mapping(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        move(to: member.position)
        text += Self.quoted(member.key) + ":"
        try write(member.value)
      }
      text += "}"
    }
  }

  /// Moves to the line of `position`. Lines never go back: the parts that an alias repeats stay on the alias's line.
  private mutating func move(to position: Position) {
    while line < position.line {
      text += "\n"
      line += 1
    }
  }

  private static func plain(_ scalar: String, _ value: YAMLValue) throws(Mistake) -> String {
    switch scalar {
    case "true", "false": return scalar
    case "", "~", "null": return "null"
    default:  // open: any other text
      if let meant = YAMLValue.booleanMeant(by: scalar) {
        throw value.mistake(
          .wrongType,
          "`\(scalar)` is no JSON value; write `\(meant)`, or `\"\(scalar)\"` for the text")
      }
      return isNumber(scalar) ? scalar : quoted(scalar)
    }
  }

  /// Whether the text as it stands is a JSON number.
  private static func isNumber(_ text: String) -> Bool {
    guard let value = try? JSONReader.read(text), case .number = value.kind else { return false }
    return true
  }

  private static func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.string(text)
    return writer.text
  }
}
