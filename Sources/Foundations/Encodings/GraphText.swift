extension String {
  /// The text as a string of Graphviz, which reads entities in it; of a long text its beginning.
  package var quotedForGraphviz: String {
    "\""
      + shortened.map { scalar in
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "&": "&amp;"
        case "\n": "\\n"
        case "\u{0}"..<" ", "\u{7F}": "\u{FFFD}"
        default:  // open: any other character
          String(scalar)
        }
      }.joined() + "\""
  }

  /// The text in a label of Mermaid, which takes entities for what it would read as its own; of a long text its beginning.
  package var escapedForMermaid: String {
    shortened.map { scalar in
      switch scalar {
      case "\n": "<br>"
      case "a"..."z", "A"..."Z", "0"..."9", " ", ".", ",", "-", "_", "/", "@", "(", ")":
        String(scalar)
      default:  // open: any other character
        "#\(scalar.value);"
      }
    }.joined()
  }

  /// As much of the text as fits into a label.
  private var shortened: [Unicode.Scalar] {
    let most = 500
    let scalars = Array(unicodeScalars.prefix(most + 1))
    return scalars.count > most ? scalars.prefix(most) + ["…"] : scalars
  }
}
