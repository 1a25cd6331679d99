internal import JSON

/// Text as a value of a YAML document, also within braces and brackets.
package enum YAMLScalar {
  /// The text as it stands where nothing in it means anything to YAML, else in quotes.
  package static func text(_ value: String) -> String {
    isPlain(value) ? value : JSONWriter.quoted(value)
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
