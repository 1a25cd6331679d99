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
