extension String {
  /// The text as a string of Graphviz.
  package var quotedForGraphviz: String {
    let escaped = map { character in
      switch character {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\n": "\\n"
      default: String(character)
      }
    }
    return "\"\(escaped.joined())\""
  }

  /// The text in a label of Mermaid, which takes entities for what it would read as its own.
  package var escapedForMermaid: String {
    unicodeScalars.map { scalar in
      switch scalar {
      case "\n": "<br>"
      case "a"..."z", "A"..."Z", "0"..."9", " ", ".", ",", "-", "_", "/", "@", "(", ")":
        String(scalar)
      default: "#\(scalar.value);"
      }
    }.joined()
  }
}
