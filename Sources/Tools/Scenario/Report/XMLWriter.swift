internal import Encodings

/// Writes indented XML 1.0.
package struct XMLWriter {
  package private(set) var text = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
  private var depth = 0

  /// Creates a document that has only its XML declaration.
  package init() {}

  /// Writes an element with further elements in it.
  package mutating func element(
    _ name: String, _ attributes: [(String, String?)], _ body: (inout XMLWriter) -> Void
  ) {
    text += indent + "<\(name)\(Self.written(attributes))>\n"
    depth += 1
    body(&self)
    depth -= 1
    text += indent + "</\(name)>\n"
  }

  /// Writes an element with text in it, or with nothing. Attributes that are nil are left out.
  package mutating func element(
    _ name: String, _ attributes: [(String, String?)], text content: String? = nil
  ) {
    let head = "<\(name)\(Self.written(attributes))"
    guard let content else {
      text += indent + head + "/>\n"
      return
    }
    text += indent + head + ">" + content.escaped(in: .xmlText) + "</\(name)>\n"
  }

  private var indent: String { String(repeating: "  ", count: depth) }

  private static func written(_ attributes: [(String, String?)]) -> String {
    attributes.reduce(into: "") { text, attribute in
      if let value = attribute.1 {
        text += " \(attribute.0)=\"\(value.escaped(in: .xmlAttribute))\""
      }
    }
  }
}
