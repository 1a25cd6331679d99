/// The edits that turn a string of an XML list into another one, word by word, so that line breaks
/// and entities of the unchanged words are kept.
struct StringEdits {
  private let value: PropertyListValue
  private let old: [Substring]
  private let style: EscapeStyle

  /// The maximum number of compared words; longer strings are replaced whole.
  private static let limit = 4096

  /// Creates the edits; nil where the origin of the string in the file is not known.
  init?(_ value: PropertyListValue, old: String, style: EscapeStyle) {
    guard !value.pieces.isEmpty else { return nil }
    self.value = value
    self.style = style
    self.old = Self.words(of: old)
    guard self.old.count <= Self.limit else { return nil }
  }

  /// The edits that lead to `text`; nil where nearly no word stays.
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

  /// The place in the file of an offset of the text, before the text that follows it.
  private func source(_ offset: Int) -> Int {
    guard let piece = value.pieces.last(where: { $0.start <= offset }) else {
      return value.content.lowerBound
    }
    return place(offset, in: piece)
  }

  /// The place in the file of an offset of the text, after the text that precedes it.
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

  /// The words of a text: names, runs of white space, and single other characters.
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
