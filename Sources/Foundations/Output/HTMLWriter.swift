internal import Encodings

/// Writes an HTML document, element by element.
package struct HTMLWriter {
  package private(set) var text = ""
  /// The number of targets with the same anchor, keyed by the anchor without a suffix. From the second target on, a
  /// suffix makes the anchor unique, as in `copy-paste.2`.
  private var addresses: [String: Int] = [:]
  /// The anchors of second-level headings and of table captions, with their titles.
  private var sections: [(isHeading: Bool, address: String, title: String)] = []

  package init() {}

  /// The style sheet of all pages: light and dark colours, type, tables and print rules.
  package static let look = String(decoding: PackageResources.look_css, as: UTF8.self)

  /// JavaScript functions that create elements, for the scripts of pages.
  package static let elements = String(decoding: PackageResources.elements_js, as: UTF8.self)

  /// The script with which readers search the page's tables and lists by word, and filter its verdicts by outcome. It
  /// needs ``elements``.
  package static let filter = String(decoding: PackageResources.filter_js, as: UTF8.self)

  /// A script for a page. Its code is not escaped, so it must not contain data.
  package struct Script: Sendable {
    let code: String
    /// The entry for the page's content security policy that allows only this script, such as `sha256-…`.
    let source: String

    package init(_ code: String, source: String) {
      (self.code, self.source) = (code, source)
    }
  }

  /// Returns a self-contained page: a header with title, introduction and links to the sections, and a body. The page
  /// is complete without the script.
  ///
  /// - Parameters:
  ///   - lead: The paragraphs of the introduction, with code in backticks.
  ///   - style: The style rules in addition to ``look``.
  package static func page(
    title: String, lead: [String] = [], style: String = "", script: Script? = nil,
    _ body: (inout HTMLWriter) -> Void
  ) -> String {
    var content = HTMLWriter()
    content.element("main") { body(&$0) }
    var writer = HTMLWriter()
    writer.document(
      title: title, style: look + style,
      securityPolicy: "default-src 'none'; style-src 'unsafe-inline'"
        + (script.map { "; script-src '\($0.source)'" } ?? "")
    ) { writer in
      writer.element("header") { writer in
        writer.element("h1", text: title)
        for text in lead { writer.line("p") { $0.prose(text) } }
        writer.contents(content.sections)
      }
      writer.text += content.text
      if let script { writer.script(script.code) }
    }
    return writer.text
  }

  /// Writes links to the headings. If there are fewer than two headings and no two tables have the same title, writes
  /// links to the tables instead. Writes nothing for a single link or for more than 12 links.
  private mutating func contents(_ sections: [(isHeading: Bool, address: String, title: String)]) {
    let headings = sections.filter(\.isHeading)
    let tables = sections.filter { !$0.isHeading }
    let areDistinct = Set(tables.map(\.title)).count == tables.count
    let listed = headings.count > 1 || !areDistinct ? headings : tables
    guard 2...12 ~= listed.count else { return }
    element("nav", [("aria-label", "Sections")]) { writer in
      for (_, address, title) in listed {
        writer.element("a", [("href", "#\(address)")], text: title)
      }
    }
  }

  /// Writes a document in English.
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

  package mutating func element(
    _ name: StaticString, _ attributes: [(StaticString, String)] = [],
    _ body: (inout HTMLWriter) -> Void
  ) {
    text += "<\(name)\(Self.written(attributes))>\n"
    body(&self)
    text += "</\(name)>\n"
  }

  package mutating func element(
    _ name: StaticString, _ attributes: [(StaticString, String)] = [], text content: String
  ) {
    text += "<\(name)\(Self.written(attributes))>\(content.escaped(in: .html))</\(name)>\n"
  }

  /// Writes an element without line breaks inside, for content in which white space matters.
  package mutating func line(
    _ name: StaticString, _ attributes: [(StaticString, String)] = [],
    _ body: (inout HTMLWriter) -> Void
  ) {
    text += "<\(name)\(Self.written(attributes))>"
    body(&self)
    text += "</\(name)>\n"
  }

  /// Writes gzip data in Base64 in a `<script>` element that browsers do not run.
  package mutating func data(_ base64: String, id: String) {
    text += "<script type=\"application/gzip\" id=\"\(id)\">\(base64)</script>\n"
  }

  /// Writes a script. `code` is not escaped, so it must not contain data.
  package mutating func script(_ code: String) { text += "<script>\(code)</script>\n" }

  /// Returns a unique anchor in the page, such as `copy-paste` or, for the second target of that name,
  /// `copy-paste.2`.
  ///
  /// - Parameter name: The display name of the target.
  package mutating func address(of name: String) -> String {
    let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
    let address = words.joined(separator: "-")
    addresses[address, default: 0] += 1
    let count = addresses[address] ?? 1
    return count == 1 ? address : "\(address).\(count)"
  }

  /// Writes an element with an anchor and a link to itself, so readers can share the link. The contents at the top of
  /// the page link to second-level headings or to captions.
  package mutating func addressed(_ name: StaticString, at address: String, text content: String) {
    switch "\(name)" {
    case "h2": sections.append((true, address, content))
    case "caption": sections.append((false, address, content))
    default: break  // open: other elements
    }
    element(name, [("id", address)]) { writer in
      writer.element("a", [("class", "own"), ("href", "#\(address)")], text: content)
    }
  }

  /// Writes inline text, escaped.
  package mutating func plain(_ content: String) { text += content.escaped(in: .html) }

  /// Writes inline text in a `<code>` element, escaped.
  package mutating func code(_ content: String) {
    text += "<code>\(content.escaped(in: .html))</code>"
  }

  /// Writes inline text with code in backticks. An unpaired backtick is written unchanged.
  package mutating func prose(_ content: String) {
    let parts = content.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
    for (place, part) in parts.enumerated() {
      if place.isMultiple(of: 2) {
        plain(part)
      } else if place == parts.count - 1 {
        plain("`" + part)
      } else {
        code(part)
      }
    }
  }

  private static func written(_ attributes: [(StaticString, String)]) -> String {
    attributes.map { " \($0.0)=\"\($0.1.escaped(in: .html))\"" }.joined()
  }
}
