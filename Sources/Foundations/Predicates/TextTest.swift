@_spi(_Unicode) internal import Swift

/// An operator and the string on its right, prepared for many strings on its left.
///
/// Nothing begins with, ends with, contains or is like the empty string, not even the empty string itself:
/// NSString finds no empty string (Apple, NSString, `range(of:)`), and NSPredicate matches none
/// (realm-swift #3613, openradar 20626872; apportable/Foundation, NSMatchingPredicateOperator).
package struct TextTest: Sendable {
  private let options: TextOptions
  private let kind: Kind

  private enum Kind: Sendable {
    case never
    case order(PredicateOperator, FoldedText)
    case begins([UInt32], CharacterNumbers)
    case ends([UInt32], CharacterNumbers)
    case search(TextSearch, CharacterNumbers)
    case wildcards(Wildcards, CharacterNumbers)
    /// The string in which the left string is looked for.
    case whole(String)
  }

  /// A test by `comparator` against `right`.
  package init(_ comparator: PredicateOperator, _ right: String, _ options: TextOptions) {
    self.options = options
    switch comparator {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      kind = .order(comparator, FoldedText(right, options))
    case .beginsWith:
      kind = Self.characterTest(right, options) { part, numbers in .begins(part, numbers) }
    case .endsWith:
      kind = Self.characterTest(right, options) { part, numbers in .ends(part, numbers) }
    case .contains:
      kind = Self.characterTest(right, options) { part, numbers in
        .search(TextSearch(part), numbers)
      }
    case .like:
      kind = Self.characterTest(right, options) { part, numbers in
        .wildcards(Wildcards(part), numbers)
      }
    case .isIn: kind = .whole(right)
    case .matches, .between, .conformsTo, .typeEquals:
      preconditionFailure("the operator does not compare strings by their letters alone")
    }
  }

  /// The test that `test` makes of the characters of `right`; ``Kind/never`` for the empty string.
  private static func characterTest(
    _ right: String, _ options: TextOptions, _ test: ([UInt32], CharacterNumbers) -> Kind
  ) -> Kind {
    var numbers = CharacterNumbers()
    let part = numbers.number(TextFolding(options).scalars(of: right))
    return part.isEmpty ? .never : test(part, numbers)
  }

  /// Compares one string with one other.
  package static func holds(
    _ left: String, _ comparator: PredicateOperator, _ right: String, _ options: TextOptions,
    _ work: inout Work
  ) -> Bool {
    work.charge(characters: right.utf8.count)
    return TextTest(comparator, right, options).holds(left, &work)
  }

  /// Whether the relation holds of `left`.
  package func holds(_ left: String, _ work: inout Work) -> Bool {
    switch kind {
    case .never: return false
    case .order(let comparator, let right):
      let left = FoldedText(left, options)
      work.charge(characters: left.count + right.count)
      return comparator.holds(left, right)
    case .begins(let part, let numbers):
      work.charge(characters: part.count)
      return characters(left, numbers, &work).starts(with: part)
    case .ends(let part, let numbers):
      work.charge(characters: part.count)
      return characters(left, numbers, &work).suffix(part.count).elementsEqual(part)
    case .search(let search, let numbers):
      return search.firstEnd(in: characters(left, numbers, &work)[...], &work) != nil
    case .wildcards(let wildcards, let numbers):
      return wildcards.match(characters(left, numbers, &work), &work)
    case .whole(let right):
      return Self.holds(right, .contains, left, options, &work)
    }
  }

  private func characters(
    _ text: String, _ numbers: CharacterNumbers, _ work: inout Work
  ) -> [UInt32] {
    work.charge(characters: text.utf8.count)
    return numbers.numbers(of: TextFolding(options).scalars(of: text))
  }
}

// MARK: - Folding

/// The differences between strings that a comparison disregards.
package struct TextOptions: OptionSet, Sendable, Hashable {
  package let rawValue: Int

  /// Options with the given bits.
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// `c`: case.
  package static let caseInsensitive = TextOptions(rawValue: 1)
  /// `d`: accents.
  package static let diacriticInsensitive = TextOptions(rawValue: 2)

  /// Reads the letters between the brackets of `[cd]`; nil for other letters.
  package init?(letters: String) {
    self = []
    for letter in letters {
      switch letter {
      case "c", "C": insert(.caseInsensitive)
      case "d", "D": insert(.diacriticInsensitive)
      default:  // open: any other letter
        return nil
      }
    }
  }
}

/// A string in the form in which it is compared as a whole.
package struct FoldedText: Sendable, Hashable {
  private let scalars: [Unicode.Scalar]

  /// The form of `text` for comparisons with `options`.
  package init(_ text: String, _ options: TextOptions) {
    scalars = TextFolding(options).scalars(of: text)
  }

  /// The cost of a look at the whole string, in scalars.
  fileprivate var count: Int { scalars.count }
}

extension FoldedText: Comparable {
  /// Orders by the values of decomposed characters, as NSString does: `é` stands before `f`.
  package static func < (left: FoldedText, right: FoldedText) -> Bool {
    left.scalars.lexicographicallyPrecedes(right.scalars)
  }
}

/// Removes from strings the differences that a comparison disregards, and makes canonically equivalent ones
/// alike, as NSString compares.
///
/// The standard library decomposes by an interface that it keeps for Foundation; the pure targets of this package do
/// without Foundation.
struct TextFolding: Sendable {
  private let options: TextOptions

  init(_ options: TextOptions) { self.options = options }

  /// The scalars that are compared.
  func scalars(of text: String) -> [Unicode.Scalar] {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.unicodeScalars.map(lowercased) }
    let folded = options.contains(.caseInsensitive) ? Self.foldedCase(of: text) : text
    let scalars = Array(folded._nfd)
    return options.contains(.diacriticInsensitive) ? Self.withoutMarks(scalars) : scalars
  }

  private func lowercased(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard options.contains(.caseInsensitive), ("A"..."Z").contains(scalar) else { return scalar }
    return Unicode.Scalar(UInt8(scalar.value) | 0x20)
  }

  /// The text without differences in case; `ß` and `SS` are the same, too. Long texts have few letters many times.
  private static func foldedCase(of text: String) -> String {
    var known: [Unicode.Scalar: String] = [:]
    var folded = ""
    for scalar in text.unicodeScalars {
      if let case_ = known[scalar] {
        folded += case_
      } else {
        let case_ = foldedCase(of: scalar)
        known[scalar] = case_
        folded += case_
      }
    }
    return folded
  }

  private static func foldedCase(of scalar: Unicode.Scalar) -> String {
    // The letter without a dot is none in another case (Unicode, CaseFolding.txt).
    if scalar == "ı" { return "ı" }
    return scalar.properties.lowercaseMapping.uppercased().lowercased()
  }

  /// The scalars in which Latin, Greek and Cyrillic letters have lost their marks. In other scripts marks are letters.
  private static func withoutMarks(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var isPlain = false
    return scalars.filter { scalar in
      if scalar.isMark { return !isPlain }
      isPlain = scalar.value < 0x0510
      return true
    }
  }
}

extension Unicode.Scalar {
  /// Whether the scalar belongs to the character before it: a mark of any kind.
  var isMark: Bool {
    guard value >= 0x300 else { return false }
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return true
    default:  // open: any other category
      return false
    }
  }
}

// MARK: - Characters

/// Numbers for characters, by which each is compared in one step however many marks it has.
private struct CharacterNumbers: Sendable {
  /// The numbers of characters with marks; the number of one without is its scalar's value.
  private var numbers: [[Unicode.Scalar]: UInt32] = [:]

  /// The first number of a character with marks, beyond all scalars.
  private static let first: UInt32 = 0x11_0000
  /// The number of characters with marks that have none of their own.
  private static let other = UInt32.max

  /// The numbers of the characters of a text that others are compared with.
  mutating func number(_ scalars: [Unicode.Scalar]) -> [UInt32] {
    Self.characters(of: scalars) { character in
      let next = Self.first + UInt32(numbers.count)
      let number = numbers[character] ?? next
      numbers[character] = number
      return number
    }
  }

  /// The numbers of the characters of another text.
  func numbers(of scalars: [Unicode.Scalar]) -> [UInt32] {
    Self.characters(of: scalars) { numbers[$0] ?? Self.other }
  }

  /// - Parameter numbered: gives the number of a character with marks.
  private static func characters(
    of scalars: [Unicode.Scalar], numbered: ([Unicode.Scalar]) -> UInt32
  ) -> [UInt32] {
    var characters: [UInt32] = []
    characters.reserveCapacity(scalars.count)
    var start = 0
    while start < scalars.count {
      var end = start + 1
      while end < scalars.count, scalars[end].isMark { end += 1 }
      characters.append(
        end == start + 1 ? scalars[start].value : numbered(Array(scalars[start..<end])))
      start = end
    }
    return characters
  }
}

/// Looks for a sequence in others, in time proportional to the length of both (Knuth, Morris, Pratt 1977).
private struct TextSearch: Sendable {
  private let part: [UInt32]
  /// For each length of a beginning of `part`, the length of its longest proper beginning that is also its end.
  private let borders: [Int]

  init(_ part: [UInt32]) {
    self.part = part
    var borders = Array(repeating: 0, count: part.count + 1)
    var length = 0
    for index in part.indices.dropFirst() {
      while length > 0, part[index] != part[length] { length = borders[length] }
      if part[index] == part[length] { length += 1 }
      borders[index + 1] = length
    }
    self.borders = borders
  }

  /// The end of the first occurrence of the part; nil where there is none.
  func firstEnd(in text: ArraySlice<UInt32>, _ work: inout Work) -> Int? {
    guard !part.isEmpty else { return text.startIndex }
    var length = 0
    for index in text.indices {
      work.charge(characters: 1)
      while length > 0, text[index] != part[length] {
        length = borders[length]
        work.charge(characters: 1)
      }
      if text[index] == part[length] { length += 1 }
      if length == part.count { return index + 1 }
    }
    return nil
  }
}

/// The right side of `LIKE`: `?` stands for one character, `*` for any number, `\` before a character for that one.
///
/// `LIKE` is "a simple subset of the MATCHES predicate" (Apple, NSComparisonPredicate.Operator.like), with its
/// escapes.
private struct Wildcards: Sendable {
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
