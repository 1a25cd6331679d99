internal import Encodings

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
    text += "<\(name)\(Self.written(attributes))>\(content.escaped(in: .html))</\(name)>\n"
  }

  /// Writes an element with text and other elements in one line, where white space counts.
  package mutating func line(_ name: StaticString, _ body: (inout HTMLWriter) -> Void) {
    text += "<\(name)>"
    body(&self)
    text += "</\(name)>\n"
  }

  /// Writes text within a line.
  package mutating func plain(_ content: String) { text += content.escaped(in: .html) }

  /// Writes a piece of code within a line.
  package mutating func code(_ content: String) {
    text += "<code>\(content.escaped(in: .html))</code>"
  }

  private static func written(_ attributes: [(StaticString, String)]) -> String {
    attributes.map { " \($0.0)=\"\($0.1.escaped(in: .html))\"" }.joined()
  }
}
