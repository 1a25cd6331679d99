internal import Encodings

extension YAMLValue {
  /// The value as one line of YAML, which is also valid inside braces and brackets.
  var flowText: String {
    switch kind {
    case .scalar where isEmpty: return "null"
    case .scalar(let text, let isPlain):
      return isPlain && Self.isBare(text) ? text : YAMLScalar.text(text)
    case .sequence(let elements):
      return "[" + elements.map(\.flowText).joined(separator: ", ") + "]"
    case .mapping(let members) where members.isEmpty: return "{}"
    case .mapping(let members):
      return "{ " + members.map(\.flowText).joined(separator: ", ") + " }"
    }
  }

  /// The number of values in this value, including itself.
  var count: Int {
    switch kind {
    case .scalar: 1
    case .sequence(let elements): elements.reduce(1) { $0 + $1.count }
    case .mapping(let members): members.reduce(1) { $0 + $1.value.count }
    }
  }

  /// Returns whether plain text needs no quotes in any position, because it is a word or a number.
  private static func isBare(_ text: String) -> Bool {
    let isWord = text.utf8.allSatisfy { byte in
      let character = Character(UnicodeScalar(byte))
      return byte < 128 && (character.isLetter || character.isNumber) || "+-._".utf8.contains(byte)
    }
    return isWord && (!text.hasPrefix("-") || Double(text) != nil)
  }
}

extension YAMLValue.Member {
  var flowText: String { "\(YAMLScalar.text(key)): \(value.flowText)" }
}

// MARK: - Scalars

/// Writes text as a scalar of a YAML document. The scalar is also valid inside braces and brackets.
package enum YAMLScalar {
  /// Returns the text unchanged if it is safe as a plain scalar; otherwise returns it in quotes.
  package static func text(_ value: String) -> String {
    isPlain(value) ? value : quoted(value)
  }

  /// Returns the text in quotes. Characters that YAML forbids or does not preserve are escaped: line
  /// separators and unprintable characters (YAML 1.2, sections 5.1 and 5.4).
  package static func quoted(_ value: String) -> String {
    JSONWriter.quoted(value).unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar.value {
      case 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)  // open: any other character
      }
    }
  }

  private static func isPlain(_ value: String) -> Bool {
    guard let first = value.first, first.isASCII, first.isLetter else { return false }
    return !words.contains(value.lowercased())
      && value.utf8.allSatisfy { byte in
        let character = Character(UnicodeScalar(byte))
        return byte < 128 && (character.isLetter || character.isNumber)
          || "._@-".utf8.contains(byte)
      }
  }

  /// The words, in lower case, that are quoted because some YAML readers convert them to null or a boolean.
  private static let words: Set<String> = [
    "null", "true", "false", "yes", "no", "on", "off", "y", "n",
  ]
}

// MARK: - YAML as JSON

/// Writes a YAML value as JSON text. Each member stays on its YAML line, so messages about the JSON
/// have the scenario's line numbers.
struct InlineJSON {
  private var text = ""
  private var line = 1

  static func text(of value: YAMLValue) throws(InputError) -> String {
    var json = InlineJSON()
    try json.write(value)
    return json.text
  }

  private mutating func write(_ value: YAMLValue) throws(InputError) {
    move(to: value.position)
    switch value.kind {
    case .scalar(let scalar, let isPlain):
      text += isPlain ? try Self.plain(scalar, value) : JSONWriter.quoted(scalar)
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
        text += JSONWriter.quoted(member.key) + ":"
        try write(member.value)
      }
      text += "}"
    }
  }

  /// Adds line breaks until the current line is the line of `position`. Never goes back, so the values of an alias stay
  /// on the alias's line.
  private mutating func move(to position: Position) {
    while line < position.line {
      text += "\n"
      line += 1
    }
  }

  private static func plain(_ scalar: String, _ value: YAMLValue) throws(InputError) -> String {
    switch scalar {
    case "true", "false": return scalar
    case "", "~", "null": return "null"
    default:  // open: any other text
      if let meant = YAMLValue.booleanMeant(by: scalar) {
        throw value.mistake(
          .wrongType,
          "`\(scalar)` is not a JSON value; write `\(meant)`, or `\"\(scalar)\"` for the text")
      }
      return isNumber(scalar) ? scalar : JSONWriter.quoted(scalar)
    }
  }

  private static func isNumber(_ text: String) -> Bool {
    guard let value = try? JSONReader.read(text), case .number = value.kind else { return false }
    return true
  }
}
