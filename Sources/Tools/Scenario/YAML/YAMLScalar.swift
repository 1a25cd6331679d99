internal import JSON

/// Text as a value of a YAML document, also within braces and brackets.
package enum YAMLScalar {
  /// The text as it stands where nothing in it means anything to YAML, else in quotes.
  package static func text(_ value: String) -> String {
    isPlain(value) ? value : quoted(value)
  }

  /// The text in quotes, with an escape for what a YAML document may not hold, or does not keep: line separators, and
  /// what is not printable (YAML 1.2, sections 5.1 and 5.4).
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

  /// Words that some reader takes for something else than text.
  private static let words: Set<String> = [
    "null", "true", "false", "yes", "no", "on", "off", "y", "n",
  ]
}
