/// Finds the lines of an XML property list, which Foundation's reader does not tell.
///
/// It is for lists that have been read before, and takes them for well formed: of another text, of
/// UTF-16 or of a binary list it finds nothing.
struct PropertyListLines {
  private var rest: ArraySlice<UInt8>
  private var line = 1
  /// Dictionaries and arrays around the place that the search has come to, the outermost first.
  private var open: [Container] = []

  private struct Container {
    var isArray: Bool
    /// The last key of a dictionary, the index of an array's last element.
    var step = ""
    var count = 0
  }

  private init(_ text: [UInt8]) { rest = text[...] }

  /// - Parameter path: keys of dictionaries and indices of arrays, from the top.
  /// - Returns: the line of the `<key>`, or of the array's element; nil where there is none.
  static func line(of path: [String], in text: [UInt8]) -> Int? {
    var search = PropertyListLines(text)
    while let tag = search.nextTag() {
      if search.comes(to: path, by: tag) { return search.line }
    }
    return nil
  }

  /// The name of the next start tag or, after `/`, end tag; `rest` begins behind the name.
  private mutating func nextTag() -> String? {
    while skip(through: "<") {
      if rest.starts(with: "!--".utf8) {
        skip(through: "-->")
      } else if rest.starts(with: "![CDATA[".utf8) {
        skip(through: "]]>")
      } else {
        let name = rest.prefix { !" \t\r\n>".utf8.contains($0) }
        return String(decoding: name, as: UTF8.self)
      }
    }
    return nil
  }

  /// Takes one tag into account.
  private mutating func comes(to path: [String], by tag: String) -> Bool {
    switch tag {
    case "/dict", "/array":
      _ = open.popLast()
      return false
    case "key":
      guard skip(through: ">"), !open.isEmpty else { return false }
      open[open.count - 1].step = String(
        decoding: rest.prefix { $0 != UInt8(ascii: "<") }, as: UTF8.self)
      return isAt(path)
    default:
      guard !tag.hasPrefix("/"), let last = open.indices.last, open[last].isArray else {
        push(tag)
        return false
      }
      open[last].step = "\(open[last].count)"
      open[last].count += 1
      defer { push(tag) }
      return isAt(path)
    }
  }

  private mutating func push(_ tag: String) {
    if tag == "dict" || tag == "array" { open.append(Container(isArray: tag == "array")) }
  }

  private func isAt(_ path: [String]) -> Bool {
    open.count == path.count && open.lazy.map(\.step).elementsEqual(path)
  }

  /// - Returns: whether `end` follows; `rest` is empty where it does not.
  @discardableResult
  private mutating func skip(through end: String) -> Bool {
    while !rest.isEmpty {
      if rest.starts(with: end.utf8) {
        rest = rest.dropFirst(end.utf8.count)
        return true
      }
      if rest.popFirst() == UInt8(ascii: "\n") { line += 1 }
    }
    return false
  }
}
