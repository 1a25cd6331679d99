/// A place in markup, by which the text that stands there is escaped.
package enum MarkupPlace: Sendable {
  /// Between tags of XML 1.0.
  case xmlText
  /// Between the double quotes of an attribute of XML 1.0.
  case xmlAttribute
  /// Between tags or quotes of HTML.
  case html
}

extension String {
  /// The text as it is written at `place`. U+FFFD stands for each character that XML cannot hold (section 2.2) and, in
  /// HTML, for each control character except tab and line feed.
  package func escaped(in place: MarkupPlace) -> String {
    unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"" where place != .xmlText: text += "&quot;"
      case "'" where place == .html: text += "&#39;"
      // An XML parser makes a line feed of a return, and a space of either in an attribute (sections 2.11 and 3.3.3).
      case "\r" where place != .html, "\t" where place == .xmlAttribute,
        "\n" where place == .xmlAttribute:
        text += "&#\(scalar.value);"
      case "\u{0}"..."\u{8}", "\u{B}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"
      case "\u{7F}"..."\u{9F}" where place == .html: text += "\u{FFFD}"
      default:  // open: any other character
        text.unicodeScalars.append(scalar)
      }
    }
  }
}
