internal import Encodings

/// Writes an HTML document, element by element.
package struct HTMLWriter {
  /// The text written so far.
  package private(set) var text = ""
  /// The number of elements that would have the same address.
  private var addresses: [String: Int] = [:]

  /// A writer of an empty text.
  package init() {}

  /// The look that all pages have: colours by day and by night, type, tables, and what is for paper.
  package static let look = String(decoding: PackageResources.look_css, as: UTF8.self)

  /// A page that has neither script nor other files: a head with the title and what the page is about, and a body.
  ///
  /// - Parameters:
  ///   - lead: what the page is about, a paragraph each.
  ///   - style: what the page has beyond the ``look``.
  package static func page(
    title: String, lead: [String] = [], style: String = "", _ body: (inout HTMLWriter) -> Void
  ) -> String {
    var writer = HTMLWriter()
    writer.document(
      title: title, style: look + style,
      securityPolicy: "default-src 'none'; style-src 'unsafe-inline'"
    ) { writer in
      writer.element("header") { writer in
        writer.element("h1", text: title)
        for text in lead { writer.element("p", text: text) }
      }
      writer.element("main") { body(&$0) }
    }
    return writer.text
  }

  /// Writes a document in English.
  ///
  /// - Parameter securityPolicy: what the page may load and run.
  package mutating func document(
    title: String, style: String, securityPolicy: String, _ body: (inout HTMLWriter) -> Void
  ) {
    text += "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    text += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    let policy = securityPolicy.escaped(in: .html)
    text += "<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">\n"
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

  /// Writes data in base64, which no browser runs.
  package mutating func data(_ base64: String, id: String) {
    text += "<script type=\"application/gzip\" id=\"\(id)\">\(base64)</script>\n"
  }

  /// Writes a script of ours, which nothing is put into.
  package mutating func script(_ code: String) { text += "<script>\(code)</script>\n" }

  /// An address within the page, such as `copy-paste`, that no other element has.
  ///
  /// - Parameter name: the name of what is there, for people.
  package mutating func address(of name: String) -> String {
    let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
    let address = words.joined(separator: "-")
    addresses[address, default: 0] += 1
    let count = addresses[address] ?? 1
    return count == 1 ? address : "\(address).\(count)"
  }

  /// Writes an element that leads to its own address, for whoever wants to send it to somebody.
  package mutating func addressed(_ name: StaticString, at address: String, text content: String) {
    element(name, [("id", address)]) { writer in
      writer.element("a", [("class", "own"), ("href", "#\(address)")], text: content)
    }
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
