@_spi(_Unicode) internal import Swift

/// An operator and its right operand, prepared for testing many strings on the left.
///
/// If the right operand is empty, `BEGINSWITH`, `ENDSWITH`, `CONTAINS` and `LIKE` match no string, not even the empty
/// string. NSString never finds the empty string (Apple, NSString, `range(of:)`), and NSPredicate never matches it
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
    /// The right operand of `IN`, a string that must contain the left operand.
    case whole(String)
  }

  /// Creates a test of strings against `right`.
  ///
  /// - Precondition: The operator compares neither types nor regular expressions, and is not `BETWEEN`.
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
      preconditionFailure("`TextTest` supports neither types, regular expressions nor `BETWEEN`")
    }
  }

  /// Returns a test that compares texts by the numbers of their characters; ``Kind/never`` if `right` is empty.
  ///
  /// - Parameter test: Creates the test from the numbers of `right` and the numbering of characters.
  private static func characterTest(
    _ right: String, _ options: TextOptions, _ test: ([UInt32], CharacterNumbers) -> Kind
  ) -> Kind {
    var numbers = CharacterNumbers()
    let part = numbers.number(TextFolding(options).scalars(of: right))
    return part.isEmpty ? .never : test(part, numbers)
  }

  package static func holds(
    _ left: String, _ comparator: PredicateOperator, _ right: String, _ options: TextOptions,
    _ budget: inout WorkBudget
  ) -> Bool {
    budget.consume(characters: right.utf8.count)
    return TextTest(comparator, right, options).holds(left, &budget)
  }

  package func holds(_ left: String, _ budget: inout WorkBudget) -> Bool {
    switch kind {
    case .never: return false
    case .order(let comparator, let right):
      let left = FoldedText(left, options)
      budget.consume(characters: left.count + right.count)
      return comparator.holds(left, right)
    case .begins(let part, let numbers):
      budget.consume(characters: part.count)
      return characters(left, numbers, &budget).starts(with: part)
    case .ends(let part, let numbers):
      budget.consume(characters: part.count)
      return characters(left, numbers, &budget).suffix(part.count).elementsEqual(part)
    case .search(let search, let numbers):
      return search.firstEnd(in: characters(left, numbers, &budget)[...], &budget) != nil
    case .wildcards(let wildcards, let numbers):
      return wildcards.match(characters(left, numbers, &budget), &budget)
    case .whole(let right):
      return Self.holds(right, .contains, left, options, &budget)
    }
  }

  private func characters(
    _ text: String, _ numbers: CharacterNumbers, _ budget: inout WorkBudget
  ) -> [UInt32] {
    budget.consume(characters: text.utf8.count)
    return numbers.numbers(of: TextFolding(options).scalars(of: text))
  }
}

// MARK: - Folding

/// The differences between strings that a comparison ignores.
package struct TextOptions: OptionSet, Sendable, Hashable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// `c`: ignores case.
  package static let caseInsensitive = TextOptions(rawValue: 1)
  /// `d`: ignores diacritics.
  package static let diacriticInsensitive = TextOptions(rawValue: 2)

  /// Parses the letters in the brackets of `[cd]`, in either case; nil for other letters.
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

/// A string normalised for comparison as a whole.
package struct FoldedText: Sendable, Hashable {
  private let scalars: [Unicode.Scalar]

  package init(_ text: String, _ options: TextOptions) {
    scalars = TextFolding(options).scalars(of: text)
  }

  /// The cost of reading the whole string, in scalars.
  fileprivate var count: Int { scalars.count }
}

extension FoldedText: Comparable {
  /// Orders strings by their decomposed scalars, as NSString does: `é` sorts before `f`.
  package static func < (left: FoldedText, right: FoldedText) -> Bool {
    left.scalars.lexicographicallyPrecedes(right.scalars)
  }
}

/// Normalises strings for comparison in the manner of NSString: removes the ignored differences and makes
/// canonically equivalent strings equal.
///
/// Decomposition uses an interface of the standard library reserved for Foundation, because the pure targets
/// of this package do not import Foundation.
struct TextFolding: Sendable {
  private let options: TextOptions

  init(_ options: TextOptions) { self.options = options }

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

  /// Folds case; `ß` equals `SS`. Caches the results per scalar, because long texts have few different letters.
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
    // The dotless i has no counterpart in another case (Unicode, CaseFolding.txt).
    if scalar == "ı" { return "ı" }
    return scalar.properties.lowercaseMapping.uppercased().lowercased()
  }

  /// Removes the marks of characters below U+0510, such as Latin, Greek and Cyrillic letters. In other scripts,
  /// marks distinguish letters.
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
  /// Whether the scalar is a mark, which belongs to the preceding character.
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

/// Assigns numbers to characters. Comparing two characters then takes one step, regardless of their
/// marks.
private struct CharacterNumbers: Sendable {
  /// The numbers of characters with marks. The number of a character without marks is its scalar value.
  private var numbers: [[Unicode.Scalar]: UInt32] = [:]

  /// The first number for characters with marks, beyond all scalar values.
  private static let first: UInt32 = 0x11_0000
  /// The number that stands for every character with marks that does not occur in the right operand.
  private static let other = UInt32.max

  /// Assigns numbers to the characters of the right operand, and returns the numbers.
  mutating func number(_ scalars: [Unicode.Scalar]) -> [UInt32] {
    Self.characters(of: scalars) { character in
      let next = Self.first + UInt32(numbers.count)
      let number = numbers[character] ?? next
      numbers[character] = number
      return number
    }
  }

  /// Returns the character numbers of a left operand.
  func numbers(of scalars: [Unicode.Scalar]) -> [UInt32] {
    Self.characters(of: scalars) { numbers[$0] ?? Self.other }
  }

  /// Returns the number of each character in `scalars`.
  ///
  /// - Parameter numbered: Returns the number of a character with marks.
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

/// Searches for a sequence in linear time (Knuth, Morris, Pratt 1977).
private struct TextSearch: Sendable {
  private let part: [UInt32]
  /// For each prefix of `part`, indexed by the prefix's length, the length of the longest shorter prefix that is also a
  /// suffix of this prefix.
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

  /// Returns the index after the first occurrence of the part; nil if there is none.
  func firstEnd(in text: ArraySlice<UInt32>, _ budget: inout WorkBudget) -> Int? {
    guard !part.isEmpty else { return text.startIndex }
    var length = 0
    for index in text.indices {
      budget.consume(characters: 1)
      while length > 0, text[index] != part[length] {
        length = borders[length]
        budget.consume(characters: 1)
      }
      if text[index] == part[length] { length += 1 }
      if length == part.count { return index + 1 }
    }
    return nil
  }
}

/// The right operand of `LIKE`: `?` matches one character, `*` any number of characters, and `\` escapes the next
/// character.
///
/// `LIKE` is "a simple subset of the MATCHES predicate" (Apple, NSComparisonPredicate.Operator.like), and shares its
/// escapes. It is not a ``Pattern``, because `?` matches a letter with all of its marks. In addition, the parts between
/// stars are found in linear time, regardless of the number of stars.
///
/// The `*` of Intune's universal links is a different language: it has neither `?` nor escapes, and stops at the end of
/// a URL's host.
private struct Wildcards: Sendable {
  /// A part of the pattern between two `*`.
  private struct Piece: Sendable {
    /// The characters; nil matches any character.
    var characters: [UInt32?] = []
    /// The search for the piece's characters; nil if the piece contains `?`.
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

  /// Returns whether the text matches. The first piece must match at the beginning and the last at the end;
  /// each piece in between is matched at its first occurrence.
  func match(_ text: [UInt32], _ budget: inout WorkBudget) -> Bool {
    guard let first = pieces.first, let last = pieces.last,
      starts(text[...], with: first, &budget)
    else { return false }
    if pieces.count == 1 { return text.count == first.characters.count }
    var rest = text.dropFirst(first.characters.count)
    for piece in pieces[1..<(pieces.count - 1)] {
      guard let end = firstEnd(of: piece, in: rest, &budget) else { return false }
      rest = text[end...]
    }
    return rest.count >= last.characters.count
      && starts(rest.suffix(last.characters.count), with: last, &budget)
  }

  private func firstEnd(
    of piece: Piece, in text: ArraySlice<UInt32>, _ budget: inout WorkBudget
  ) -> Int? {
    if let search = piece.search { return search.firstEnd(in: text, &budget) }
    var rest = text
    while rest.count >= piece.characters.count, !budget.isExhausted {
      if starts(rest, with: piece, &budget) { return rest.startIndex + piece.characters.count }
      rest.removeFirst()
    }
    return nil
  }

  private func starts(
    _ text: ArraySlice<UInt32>, with piece: Piece, _ budget: inout WorkBudget
  ) -> Bool {
    guard text.count >= piece.characters.count else { return false }
    for (character, wanted) in zip(text, piece.characters) {
      budget.consume(characters: 1)
      if let wanted, wanted != character { return false }
    }
    return true
  }
}
