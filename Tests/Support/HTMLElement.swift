internal import Foundation
internal import Testing

/// An element of an HTML page that Sluice generates. Tests compare the page with its data.
public struct HTMLElement {
  /// The tag's name.
  public private(set) var name: String
  public private(set) var attributes: [String: String] = [:]
  /// The child elements.
  public private(set) var children: [HTMLElement] = []
  /// The unescaped text of the element and its descendants, with code in backticks as in Markdown.
  public private(set) var text = ""

  /// Parses a page.
  ///
  /// - Throws: An error if an element is not closed correctly.
  public init(page: String) throws {
    var rest = Substring(page)
    var open = [HTMLElement(name: "page")]
    while let start = rest.firstIndex(of: "<") {
      open[open.count - 1].text += Self.unescaped(rest[..<start])
      let end = try #require(rest[start...].firstIndex(of: ">"))
      let tag = rest[rest.index(after: start)..<end]
      rest = rest[rest.index(after: end)...]
      if tag.hasPrefix("!") { continue }
      if tag.hasPrefix("/") {
        try open.close(String(tag.dropFirst()))
        continue
      }
      let element = HTMLElement(tag: tag)
      open.append(element)
      if element.name == "meta" { try open.close("meta") }
      if element.name == "style" || element.name == "script" {
        let end = try #require(rest.range(of: "</\(element.name)>"))
        open[open.count - 1].text = String(rest[..<end.lowerBound])
        rest = rest[end.upperBound...]
        try open.close(element.name)
      }
    }
    #expect(open.map(\.name) == ["page"], "every element is closed")
    self = open[0]
  }

  private init(name: String) { self.name = name }

  private init(tag: Substring) {
    var rest = tag
    name = String(rest.prefix { $0 != " " })
    rest = rest.dropFirst(name.count + 1)
    while let equals = rest.range(of: "=\""),
      let end = rest[equals.upperBound...].firstIndex(of: "\"")
    {
      let key = rest[..<equals.lowerBound].drop { $0 == " " }
      attributes[String(key)] = Self.unescaped(rest[equals.upperBound..<end])
      rest = rest[rest.index(after: end)...]
    }
  }

  /// Returns all descendants with one of these names, in document order.
  public func all(_ names: String...) -> [HTMLElement] { all(names) }

  private func all(_ names: [String]) -> [HTMLElement] {
    children.flatMap { child in
      (names.contains(child.name) ? [child] : []) + child.all(names)
    }
  }

  /// The text, trimmed of surrounding white space.
  public var line: String {
    var line = Substring(text)
    while line.first?.isWhitespace == true { line.removeFirst() }
    while line.last?.isWhitespace == true { line.removeLast() }
    return String(line)
  }

  /// The texts of a table. There is a line for each row, and the column headers are first.
  public var rows: [[String]] {
    all("tr").map { $0.children.map(\.line) }
  }

  fileprivate mutating func add(_ child: HTMLElement) {
    children.append(child)
    text += child.name == "code" ? "`\(child.text)`" : child.text
  }

  private static func unescaped(_ text: Substring) -> String {
    let characters = [("lt", "<"), ("gt", ">"), ("quot", "\""), ("#39", "'"), ("amp", "&")]
    return characters.reduce(String(text)) { text, character in
      text.split(separator: "&\(character.0);", omittingEmptySubsequences: false)
        .joined(separator: character.1)
    }
  }
}

extension [HTMLElement] {
  /// Closes the innermost open element, which must have this name.
  fileprivate mutating func close(_ name: String) throws {
    let element = removeLast()
    try #require(element.name == name, "the innermost element is closed first")
    try #require(!isEmpty)
    self[count - 1].add(element)
  }
}
