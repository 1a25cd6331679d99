/// The right side of `LIKE`: `?` stands for one character, `*` for any number, `\` before a character for that one.
///
/// `LIKE` is "a simple subset of the MATCHES predicate" (Apple, NSComparisonPredicate.Operator.like), with its
/// escapes.
struct Wildcards: Sendable {
  /// The part between two `*`.
  private struct Piece: Sendable {
    /// The characters; nil stands for any.
    var characters: [UInt32?] = []
    /// The search for the piece; nil where it has a `?`.
    var search: TextSearch?
  }

  private var pieces: [Piece]

  init(_ pattern: [UInt32]) {
    var pieces = [Piece()]
    var rest = pattern[...]
    while let character = rest.popFirst() {
      switch character {
      case Self.star: pieces.append(Piece())
      case Self.question: pieces[pieces.count - 1].characters.append(nil)
      case Self.backslash:
        pieces[pieces.count - 1].characters.append(rest.popFirst() ?? character)
      default:  // open: any other character
        pieces[pieces.count - 1].characters.append(character)
      }
    }
    self.pieces = pieces.map { piece in
      var piece = piece
      let literals = piece.characters.compactMap(\.self)
      if literals.count == piece.characters.count { piece.search = TextSearch(literals) }
      return piece
    }
  }

  private static let star = Unicode.Scalar("*").value
  private static let question = Unicode.Scalar("?").value
  private static let backslash = Unicode.Scalar("\\").value

  /// Whether the text matches: the first piece at the beginning, the last one at the end, and each between them at its
  /// first occurrence.
  func match(_ text: [UInt32], _ work: inout Work) -> Bool {
    guard let first = pieces.first, let last = pieces.last,
      starts(text[...], with: first, &work)
    else { return false }
    if pieces.count == 1 { return text.count == first.characters.count }
    var rest = text.dropFirst(first.characters.count)
    for piece in pieces[1..<(pieces.count - 1)] {
      guard let end = firstEnd(of: piece, in: rest, &work) else { return false }
      rest = text[end...]
    }
    return rest.count >= last.characters.count
      && starts(rest.suffix(last.characters.count), with: last, &work)
  }

  private func firstEnd(
    of piece: Piece, in text: ArraySlice<UInt32>, _ work: inout Work
  ) -> Int? {
    if let search = piece.search { return search.firstEnd(in: text, &work) }
    var rest = text
    while rest.count >= piece.characters.count, !work.isExhausted {
      if starts(rest, with: piece, &work) { return rest.startIndex + piece.characters.count }
      rest.removeFirst()
    }
    return nil
  }

  private func starts(
    _ text: ArraySlice<UInt32>, with piece: Piece, _ work: inout Work
  ) -> Bool {
    guard text.count >= piece.characters.count else { return false }
    for (character, wanted) in zip(text, piece.characters) {
      work.charge(characters: 1)
      if let wanted, wanted != character { return false }
    }
    return true
  }
}
