internal import Encodings

/// Converts repairs to edits of an XML property list. The edits change as little of the text as possible.
struct ListEditor {
  private let list: PropertyList
  let text: ListText
  private let newline: String
  /// The white space by which each nesting level is indented, as in the file; a tab if the file indents nothing.
  private var unit = "\t"

  /// Creates an editor; nil for a binary property list.
  init?(_ list: PropertyList) {
    guard let text = list.text else { return nil }
    self.list = list
    self.text = text
    newline = text.newline
    unit = statedUnit ?? unit
  }

  func edits(for repairs: [Repair]) -> [ListEdit] {
    Repair.merged(repairs).flatMap { repair in
      switch repair {
      case .replace(let path, let string): replacing(path, with: string)
      case .append(let path, let strings): appending(strings, to: path)
      case .prepend(let path, let strings): prepending(strings, to: path)
      }
    }
  }

  // MARK: Values

  private func replacing(_ path: ListPath, with string: String) -> [ListEdit] {
    guard let value = list.value(at: path) else { return [] }
    if let old = value.string, !source(value.range).contains("<![CDATA[") {
      let style = EscapeStyle(
        escapesQuotes: source(value.range).contains("&quot;"), newline: newline,
        isASCII: text.encoding == .latin1)
      if let edits = StringEdits(value, old: old, style: style)?.edits(to: string) { return edits }
    }
    return [ListEdit(range: value.range, text: element("string", string))]
  }

  private func appending(_ strings: [String], to path: ListPath) -> [ListEdit] {
    guard let array = list.value(at: path) else { return inserting(strings, at: path) }
    guard let elements = array.array else { return [] }
    let new = strings.map { element("string", $0) }
    if let last = elements.last {
      return [after(last.range, new)]
    }
    return [filling(array, "array", new)]
  }

  private func prepending(_ strings: [String], to path: ListPath) -> [ListEdit] {
    guard let first = list.value(at: path)?.array?.first else {
      return appending(strings, to: path)
    }
    let separator = indent(at: first.range.lowerBound).map { newline + $0 } ?? ""
    let start = first.range.lowerBound
    let new = strings.map { element("string", $0) + separator }.joined()
    return [ListEdit(range: start..<start, text: new)]
  }

  /// Returns the edit that adds a key with an array of strings to a dictionary without this key.
  private func inserting(_ strings: [String], at path: ListPath) -> [ListEdit] {
    guard case .key(let key)? = path.last, let parent = list.value(at: path.dropLast()),
      let entries = parent.dictionary?.entries
    else { return [] }
    let indent: String? =
      if let place = entries.last?.keyRange.lowerBound { self.indent(at: place) } else {
        ownLineIndent(at: parent.range.lowerBound) + unit
      }
    let lineEnd = indent == nil ? "" : newline
    let inner = (indent ?? "") + (indent == nil ? "" : unit)
    let array =
      "<array>" + lineEnd
      + strings.map { inner + element("string", $0) + lineEnd }.joined()
      + (indent ?? "") + "</array>"
    let new = [element("key", key), array]
    guard let last = entries.last else { return [filling(parent, "dict", new)] }
    let separator = lineEnd + (indent ?? "")
    let end = last.value.range.upperBound
    return [ListEdit(range: end..<end, text: new.map { separator + $0 }.joined())]
  }

  /// Returns the edit that inserts elements after the element in `range`. If that element begins a line, each new
  /// element gets its own line.
  private func after(_ range: Range<Int>, _ elements: [String]) -> ListEdit {
    let separator = indent(at: range.lowerBound).map { newline + $0 } ?? ""
    return ListEdit(
      range: range.upperBound..<range.upperBound, text: elements.map { separator + $0 }.joined())
  }

  /// Returns the edit that inserts elements into an empty array or dictionary. `name` is the name of its tag.
  private func filling(_ container: PropertyListValue, _ name: String, _ elements: [String])
    -> ListEdit
  {
    let outer =
      indent(at: container.range.lowerBound) ?? ownLineIndent(at: container.range.lowerBound)
    let inner = outer + unit
    let lines = elements.map { newline + inner + $0 }.joined()
    guard container.content.isEmpty, isClosedAtOnce(container) else {
      // Inserts after any comments, and moves the end tag to its own line.
      let content = source(container.content)
      let trimmed = content.lastIndex { !$0.isWhitespace }.map { content[...$0].utf8.count } ?? 0
      let start = container.content.lowerBound + trimmed
      return ListEdit(
        range: start..<container.content.upperBound, text: lines + newline + outer)
    }
    return ListEdit(
      range: container.range, text: "<\(name)>\(lines)\(newline)\(outer)</\(name)>")
  }

  private func isClosedAtOnce(_ container: PropertyListValue) -> Bool {
    source(container.range).hasSuffix("/>")
  }

  private func element(_ name: String, _ content: String) -> String {
    let style = EscapeStyle(
      escapesQuotes: false, newline: newline, isASCII: text.encoding == .latin1)
    return "<\(name)>\(style.escaped(content))</\(name)>"
  }

  // MARK: White space

  /// Returns the white space between the beginning of the line and the offset `place`; nil if there is also other text.
  private func indent(at place: Int) -> String? {
    let space = text.bytes[..<place].suffix { $0 == 0x20 || $0 == 0x09 }
    StepCounter.add(space.count + 1)
    guard space.startIndex > 0, [0x0A, 0x0D].contains(text.bytes[space.startIndex - 1]) else {
      return nil
    }
    return String(decoding: space, as: UTF8.self)
  }

  /// Returns the white space at the beginning of the line that contains the offset `place`.
  private func ownLineIndent(at place: Int) -> String {
    let line = text.bytes[text.lineStart(of: place)..<place]
    return String(decoding: line.prefix { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
  }

  private var statedUnit: String? {
    let outer = indent(at: list.top.range.lowerBound) ?? ""
    for entry in list.dictionary.entries {
      if let inner = indent(at: entry.keyRange.lowerBound), inner.count > outer.count,
        inner.hasPrefix(outer)
      {
        return String(inner.dropFirst(outer.count))
      }
      for element in entry.value.array ?? [] {
        guard let key = indent(at: entry.keyRange.lowerBound),
          let inner = indent(at: element.range.lowerBound), inner.count > key.count
        else { continue }
        return String(inner.dropFirst(key.count))
      }
    }
    return nil
  }

  private func source(_ range: Range<Int>) -> String {
    String(decoding: text.bytes[range], as: UTF8.self)
  }
}

struct EscapeStyle {
  var escapesQuotes: Bool
  var newline: String
  /// Whether characters outside of ASCII are written as character references, because the file's encoding may not
  /// contain them.
  var isASCII: Bool

  func escaped(_ text: String) -> String {
    text.escaped(in: .xmlText).unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\"" where escapesQuotes: result += "&quot;"
      case "\n": result += newline
      case _ where isASCII && !scalar.isASCII: result += "&#\(scalar.value);"
      default:  // open: any other scalar
        result.unicodeScalars.append(scalar)
      }
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate func suffix(while isOne: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    self[(lastIndex { !isOne($0) }.map { $0 + 1 } ?? startIndex)...]
  }
}

// MARK: - Edits of strings

/// Finds edits that change a string of an XML property list into another one, word by word. Line breaks and entities in
/// unchanged words stay as they are.
private struct StringEdits {
  private let value: PropertyListValue
  private let old: [Substring]
  private let style: EscapeStyle

  /// The maximum number of words in a string. A longer string is replaced as a whole.
  private static let limit = 4096

  /// Prepares edits of the string `old`. Nil if its position in the file is unknown, or if it has more than ``limit``
  /// words.
  init?(_ value: PropertyListValue, old: String, style: EscapeStyle) {
    guard !value.pieces.isEmpty else { return nil }
    self.value = value
    self.style = style
    self.old = Self.words(of: old)
    guard self.old.count <= Self.limit else { return nil }
  }

  /// Returns the edits that change the string into `text`. Returns nil if at least half of the words would be removed,
  /// or if `text` has more than ``limit`` words.
  func edits(to text: String) -> [ListEdit]? {
    let new = Self.words(of: text)
    guard new.count <= Self.limit else { return nil }
    let difference = new.difference(from: old)
    guard difference.removals.count * 2 < old.count else { return nil }
    var removed = Set<Int>()
    var inserted: [Int: Substring] = [:]
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, let word, _): inserted[offset] = word
      }
    }
    return hunks(removed, inserted)
  }

  private func hunks(_ removed: Set<Int>, _ inserted: [Int: Substring]) -> [ListEdit] {
    var edits: [ListEdit] = []
    var start = 0
    var (next, target) = (0, 0)
    while next < old.count || inserted[target] != nil {
      var text = ""
      var end = start
      while true {
        if let word = inserted[target] {
          text += word
          target += 1
        } else if next < old.count, removed.contains(next) {
          end += old[next].utf8.count
          next += 1
        } else {
          break
        }
      }
      if !text.isEmpty || end > start { edits.append(edit(start..<end, text)) }
      start = end
      if next < old.count {
        start += old[next].utf8.count
        next += 1
        target += 1
      }
    }
    return edits
  }

  private func edit(_ range: Range<Int>, _ text: String) -> ListEdit {
    let start = source(range.lowerBound)
    let end = range.isEmpty ? start : sourceEnd(range.upperBound)
    return ListEdit(range: start..<max(start, end), text: style.escaped(text))
  }

  /// Returns the offset in the file at which the source of the text after `offset` begins. `offset` is an offset in the
  /// string.
  private func source(_ offset: Int) -> Int {
    guard let piece = value.pieces.last(where: { $0.start <= offset }) else {
      return value.content.lowerBound
    }
    return place(offset, in: piece)
  }

  /// Returns the offset in the file at which the source of the text before `offset` ends. `offset` is an offset in the
  /// string.
  private func sourceEnd(_ offset: Int) -> Int {
    guard let piece = value.pieces.last(where: { $0.start < offset }) else {
      return value.content.lowerBound
    }
    return place(offset, in: piece)
  }

  private func place(_ offset: Int, in piece: TextPiece) -> Int {
    if piece.isLiteral {
      return min(piece.source.lowerBound + offset - piece.start, piece.source.upperBound)
    }
    return offset <= piece.start ? piece.source.lowerBound : piece.source.upperBound
  }

  /// Splits a text into words. A word is a name, a run of white space, or any other single character.
  private static func words(of text: String) -> [Substring] {
    var words: [Substring] = []
    var rest = text[...]
    while let first = rest.first {
      let word: Substring
      if first.isWhitespace {
        word = rest.prefix(while: \.isWhitespace)
      } else if isOfName(first) {
        word = rest.prefix(while: isOfName)
      } else {
        word = rest.prefix(1)
      }
      words.append(word)
      rest = rest[word.endIndex...]
    }
    return words
  }

  private static func isOfName(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "$.@_-".contains(character)
  }
}

// MARK: - Edits

/// An edit of an XML property list: replaces a byte range by a text.
struct ListEdit: Sendable, Equatable {
  var range: Range<Int>
  var text: String

  /// Returns `bytes` with the edits applied.
  ///
  /// - Parameter edits: Edits that do not overlap. Edits at the same position keep their order.
  static func apply(_ edits: [ListEdit], to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var place = 0
    for edit in sorted(edits) {
      result += bytes[place..<edit.range.lowerBound]
      result += edit.text.utf8
      place = edit.range.upperBound
    }
    return result + bytes[place...]
  }

  static func sorted(_ edits: [ListEdit]) -> [ListEdit] {
    edits.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }.map(\.element)
  }
}
