extension YAMLValue {
  /// The value as YAML in one line, as it may stand within braces and brackets.
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

  /// The number of values in it, with itself.
  var count: Int {
    switch kind {
    case .scalar: 1
    case .sequence(let elements): elements.reduce(1) { $0 + $1.count }
    case .mapping(let members): members.reduce(1) { $0 + $1.value.count }
    }
  }

  /// Whether plain text may stay without quotes wherever a value may stand: a word, or a number.
  private static func isBare(_ text: String) -> Bool {
    let isWord = text.utf8.allSatisfy { byte in
      let character = Character(UnicodeScalar(byte))
      return byte < 128 && (character.isLetter || character.isNumber) || "+-._".utf8.contains(byte)
    }
    return isWord && (!text.hasPrefix("-") || Double(text) != nil)
  }
}

extension YAMLValue.Member {
  /// The key with its value, in one line.
  var flowText: String { "\(YAMLScalar.text(key)): \(value.flowText)" }
}
