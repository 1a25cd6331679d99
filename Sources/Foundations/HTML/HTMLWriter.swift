/// Writes an HTML document, element by element.
package struct HTMLWriter {
  /// The text written so far.
  package private(set) var text = ""

  /// A writer of an empty text.
  package init() {}

  /// Writes a document in English.
  package mutating func document(title: String, style: String, _ body: (inout HTMLWriter) -> Void) {
    text += "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    text += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    element("title", text: title)
    text += "<style>\n\(style)\n</style>\n</head>\n<body>\n"
    body(&self)
    text += "</body>\n</html>\n"
  }

  /// Writes an element with other elements in it.
  package mutating func element(
    _ name: StaticString, _ attributes: [(StaticString, String)] = [],
    _ body: (inout HTMLWriter) -> Void
  ) {
    text += "<\(name)\(Self.written(attributes))>\n"
    body(&self)
    text += "</\(name)>\n"
  }

  /// Writes an element with text in it.
  package mutating func element(
    _ name: StaticString, _ attributes: [(StaticString, String)] = [], text content: String
  ) {
    text += "<\(name)\(Self.written(attributes))>\(Self.escaped(content))</\(name)>\n"
  }

  /// Writes an element with text and other elements in one line, where white space counts.
  package mutating func line(_ name: StaticString, _ body: (inout HTMLWriter) -> Void) {
    text += "<\(name)>"
    body(&self)
    text += "</\(name)>\n"
  }

  /// Writes text within a line.
  package mutating func plain(_ content: String) { text += Self.escaped(content) }

  /// Writes a piece of code within a line.
  package mutating func code(_ content: String) {
    text += "<code>\(Self.escaped(content))</code>"
  }

  private static func written(_ attributes: [(StaticString, String)]) -> String {
    attributes.map { " \($0.0)=\"\(escaped($0.1))\"" }.joined()
  }

  /// The text with HTML's escapes; control characters except white space, which HTML forbids, become U+FFFD.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\t", "\n": escaped.unicodeScalars.append(scalar)
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
