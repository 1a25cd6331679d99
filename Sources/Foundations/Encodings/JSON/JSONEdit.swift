/// Edits of a JSON text. All bytes outside of the edited values stay as they are, including the byte
/// order mark, the encoding, the line ends and the indentation.
///
/// Objects are addressed by their positions in the original text, even after earlier edits.
package struct JSONEdit: Sendable {
  private var scalars: [Unicode.Scalar]
  /// For each line of the original text, the index of its first scalar.
  private let lines: [Int]
  private let encoding: TextDecoding.Encoding
  /// The changes made to the text, in order. Each made the text grow by `growth` scalars at `index`; `growth` is
  /// negative if the text shrank.
  private var shifts: [(index: Int, growth: Int)] = []

  /// Creates an editor of the JSON text in `bytes`.
  ///
  /// - Throws: ``JSONSyntaxError`` if `bytes` are not exactly one JSON value.
  package init(_ bytes: [UInt8]) throws(JSONSyntaxError) {
    _ = try JSONReader.read(bytes)
    scalars = try TextDecoding.scalars(of: bytes)
    lines = [0] + scalars.indices.filter { [scalars] in scalars[$0] == "\n" }.map { $0 + 1 }
    encoding = TextDecoding.Encoding(of: bytes)
  }

  /// The edited text in the encoding of the original.
  package var bytes: [UInt8] { encoding.bytes(of: scalars) }

  /// Whether any edit changed the text. An edit that replaces text with equal text counts as a change.
  package var isChanged: Bool { !shifts.isEmpty }

  // MARK: Edits

  /// Sets the value of an object's member `name`. If several members have this name, sets the last one. If none has it,
  /// adds a member at the end.
  ///
  /// - Parameter position: The position of the object in the original text.
  package mutating func set(
    _ name: String, to value: JSONValue, inObjectAt position: Position
  ) {
    let object = index(of: position)
    if let member = member(name, ofObjectAt: object) {
      replace(member.value, with: Self.text(of: value, layout(of: member.value)))
    } else {
      insert("\(JSONWriter.quoted(name))\(colon(in: object))", value, intoContainerAt: object)
    }
  }

  /// Appends an element to the list in the member `name` of an object. If this member is absent or not a list, sets it
  /// to a list with only this element.
  ///
  /// - Parameter position: The position of the object in the original text.
  package mutating func append(
    _ element: JSONValue, to name: String, inObjectAt position: Position
  ) {
    let object = index(of: position)
    guard let member = member(name, ofObjectAt: object), scalars[member.value.lowerBound] == "["
    else {
      return set(name, to: JSONValue(.array([element]), at: position), inObjectAt: position)
    }
    insert("", element, intoContainerAt: member.value.lowerBound)
  }

  /// Appends an element to the whole text, which must be a list.
  package mutating func append(_ element: JSONValue) {
    insert("", element, intoContainerAt: skipSpace(from: 0))
  }

  /// Removes an element of a list. The list is a member of an object, or the whole text. Does nothing if the list or
  /// the element is absent.
  ///
  /// - Parameters:
  ///   - name: The name of the list; nil for the whole text.
  ///   - position: The position of the object in the original text.
  package mutating func remove(
    elementAt index: Int, of name: String?, inObjectAt position: Position
  ) {
    let list =
      name.map { member($0, ofObjectAt: self.index(of: position))?.value.lowerBound }
      ?? skipSpace(from: 0)
    guard let list, scalars[list] == "[" else { return }
    let elements = children(ofContainerAt: list)
    guard elements.indices.contains(index) else { return }
    if elements.count == 1 {
      replace(list + 1..<skipValue(from: list) - 1, with: "")
    } else if index == 0 {
      replace(elements[0].lowerBound..<elements[1].lowerBound, with: "")
    } else {
      replace(elements[index - 1].upperBound..<elements[index].upperBound, with: "")
    }
  }

  /// Returns the current value of an object's member; nil if the object has no such member.
  package func value(_ name: String, inObjectAt position: Position) -> JSONValue? {
    member(name, ofObjectAt: index(of: position)).flatMap { member in
      try? JSONReader.read(String(scalars[member.value]))
    }
  }

  package var value: JSONValue {
    (try? JSONReader.read(String(scalars))) ?? JSONValue(.null, at: Position(line: 1, column: 1))
  }

  private mutating func insert(
    _ prefix: String, _ value: JSONValue, intoContainerAt container: Int
  ) {
    let children = children(ofContainerAt: container)
    let layout = layout(ofChildrenOf: container)
    let text = prefix + Self.text(of: value, layout)
    guard let last = children.last else {
      let close = layout.isInline ? "" : layout.outer
      // Removes any white space between the brackets.
      return replace(
        container + 1..<skipValue(from: container) - 1, with: layout.line + text + close)
    }
    let separator =
      children.count > 1
      ? String(scalars[children[children.count - 2].upperBound..<last.lowerBound])
      : "," + (layout.isInline ? " " : layout.line)
    replace(last.upperBound..<last.upperBound, with: separator + text)
  }

  private mutating func replace(_ range: Range<Int>, with text: String) {
    let new = Array(text.unicodeScalars)
    scalars.replaceSubrange(range, with: new)
    shifts.append((range.lowerBound, new.count - range.count))
  }

  /// Returns the index in the edited text for a position in the original text.
  private func index(of position: Position) -> Int {
    let original = lines[min(position.line, lines.count) - 1] + position.column - 1
    return shifts.reduce(original) { index, shift in
      index > shift.index ? index + shift.growth : index
    }
  }

  // MARK: Scanning

  // The text is valid JSON, so scanning needs no errors.

  private func skipSpace(from index: Int) -> Int {
    var index = index
    while index < scalars.count, [" ", "\t", "\r", "\n"].contains(scalars[index]) { index += 1 }
    return index
  }

  /// Returns the index after the value that begins at `index`.
  private func skipValue(from index: Int) -> Int {
    var index = index
    var depth = 0
    repeat {
      switch scalars[index] {
      case "\"":
        index += 1
        while scalars[index] != "\"" { index += scalars[index] == "\\" ? 2 : 1 }
        index += 1
      case "{", "[":
        depth += 1
        index += 1
      case "}", "]":
        depth -= 1
        index += 1
      case ",", ":", " ", "\t", "\r", "\n": index += 1
      default:  // open: the characters of numbers and words
        while index < scalars.count, !Self.ends.contains(scalars[index]) { index += 1 }
      }
    } while depth > 0
    return index
  }

  /// The characters that end a number, `true`, `false` or `null`.
  private static let ends: Set<Unicode.Scalar> = [",", ":", "}", "]", " ", "\t", "\r", "\n"]

  /// Returns the ranges of an array's elements, or of an object's members with names and values.
  private func children(ofContainerAt container: Int) -> [Range<Int>] {
    let isObject = scalars[container] == "{"
    var children: [Range<Int>] = []
    var index = skipSpace(from: container + 1)
    while scalars[index] != "}", scalars[index] != "]" {
      let start = index
      if isObject { index = skipSpace(from: skipSpace(from: skipValue(from: index)) + 1) }
      index = skipValue(from: index)
      children.append(start..<index)
      index = skipSpace(from: index)
      if scalars[index] == "," { index = skipSpace(from: index + 1) }
    }
    return children
  }

  /// Returns the range of the last member with the given name, and the range of its value; nil if there is no such
  /// member.
  private func member(
    _ name: String, ofObjectAt object: Int
  ) -> (range: Range<Int>, value: Range<Int>)? {
    children(ofContainerAt: object).reversed().lazy.map { range in
      let end = self.skipValue(from: range.lowerBound)
      let value = self.skipSpace(from: self.skipSpace(from: end) + 1)..<range.upperBound
      return (name: String(self.scalars[range.lowerBound..<end]), range: range, value: value)
    }.first { (try? JSONReader.read($0.name))?.string == name }.map { ($0.range, $0.value) }
  }

  // MARK: Style

  /// The line breaks and the indentation around a value, in the style of its neighbours.
  private struct Layout {
    /// The line break and the indentation before the value; empty if the value stays on the same
    /// line.
    var line: String
    /// The line break and the indentation before the container's closing bracket.
    var outer: String
    /// One level of indentation.
    var unit: String
    var isInline: Bool { line.isEmpty }
  }

  private func layout(ofChildrenOf container: Int) -> Layout {
    let outer = lineEnd + indentation(ofLineAt: container)
    guard let first = children(ofContainerAt: container).first else {
      return Layout(
        line: beginsLine(container) ? outer + unit : "", outer: outer, unit: unit)
    }
    let space = scalars[container + 1..<first.lowerBound]
    let isInline = !space.contains("\n")
    return Layout(line: isInline ? "" : String(space), outer: outer, unit: unit)
  }

  private func layout(of value: Range<Int>) -> Layout {
    let old = scalars[value.lowerBound]
    let isContainer = old == "[" || old == "{"
    let isSpread =
      isContainer && !children(ofContainerAt: value.lowerBound).isEmpty
      ? scalars[value].contains("\n") : beginsLine(value.lowerBound)
    let line = lineEnd + indentation(ofLineAt: value.lowerBound)
    return Layout(line: isSpread ? line : "", outer: line, unit: unit)
  }

  /// Returns whether the value at `index` is the first in its line: only indentation or the member's name precedes it.
  /// Returns false on the first line of the text.
  private func beginsLine(_ index: Int) -> Bool {
    let line = scalars[lineStart(of: index)..<index]
    guard lineStart(of: index) > 0 else { return false }
    return line.first { $0 != " " && $0 != "\t" }.map { $0 == "\"" } ?? true
  }

  private func lineStart(of index: Int) -> Int {
    scalars[..<index].lastIndex(of: "\n").map { $0 + 1 } ?? 0
  }

  private func indentation(ofLineAt index: Int) -> String {
    String(scalars[lineStart(of: index)..<index].prefix { $0 == " " || $0 == "\t" })
  }

  private var lineEnd: String {
    guard let end = scalars.firstIndex(of: "\n") else { return "\n" }
    return end > 0 && scalars[end - 1] == "\r" ? "\r\n" : "\n"
  }

  /// The indentation unit: the first indentation in the text, or two spaces.
  private var unit: String {
    var start = scalars.startIndex
    while let end = scalars[start...].firstIndex(of: "\n") {
      let space = scalars[(end + 1)...].prefix { $0 == " " || $0 == "\t" }
      if !space.isEmpty { return String(space) }
      start = end + 1
    }
    return "  "
  }

  /// Returns the text between the name and the value of the object's last member; `: ` if the object is empty.
  private func colon(in object: Int) -> String {
    guard let last = children(ofContainerAt: object).last else { return ": " }
    let name = skipValue(from: last.lowerBound)
    return String(scalars[name..<skipSpace(from: skipSpace(from: name) + 1)])
  }

  /// Returns the text of a value. Objects and lists span several lines if `layout` has line breaks.
  private static func text(of value: JSONValue, _ layout: Layout) -> String {
    var inner = layout
    if !layout.isInline { (inner.line, inner.outer) = (layout.line + layout.unit, layout.line) }
    let join = { (parts: [String], brackets: (String, String)) in
      guard !parts.isEmpty else { return brackets.0 + brackets.1 }
      return brackets.0 + inner.line
        + parts.joined(separator: layout.isInline ? ", " : "," + inner.line)
        + (layout.isInline ? "" : layout.line) + brackets.1
    }
    switch value.kind {
    case .array(let elements): return join(elements.map { text(of: $0, inner) }, ("[", "]"))
    case .object(let members):
      return join(
        members.map { "\(JSONWriter.quoted($0.name)): \(text(of: $0.value, inner))" }, ("{", "}"))
    case .null, .bool, .number, .string: return value.line
    }
  }
}

extension String {
  init(_ scalars: some Sequence<Unicode.Scalar>) {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    self.init(view)
  }
}
