/// A language of predicates for the engine: the operands beside literals, variables and `SUBQUERY`, the permitted
/// comparisons, and the words of messages.
package protocol PredicateLanguage: Sendable {
  /// The reason why a text is no predicate of the language.
  associatedtype Failure: Error
  associatedtype Operand: PredicateOperand where Operand.Language == Self
  /// The facts about the elements of a collection when a predicate is read.
  associatedtype Element: Sendable, Equatable
  /// A comparison of two operands, prepared for evaluation.
  associatedtype Comparison: Sendable, Equatable

  /// The notation of the language.
  static var dialect: PredicateDialect { get }

  /// The fault in words.
  static func failure(_ fault: PredicateFault) -> Failure

  /// Reads a function that begins with `@`; nil where there is none, and `@` is a symbol.
  ///
  /// - Throws: the language's failure where a function begins and is malformed.
  static func function(
    _ lexer: inout PredicateLexer<Self>
  ) throws(Failure) -> PredicateToken.Kind?

  /// Reads an operand of the language's own; nil where none begins.
  ///
  /// - Throws: the language's failure where an operand begins and is malformed.
  static func operand(_ parser: inout PredicateParser<Self>) throws(Failure) -> Operand?

  /// Reads the key after the `.` that follows an operand.
  ///
  /// - Throws: the language's failure where there is no key, or the operand has none.
  static func key(
    of operand: PredicateExpression<Self>, _ parser: inout PredicateParser<Self>
  ) throws(Failure) -> Operand

  /// The element of the collection that `SUBQUERY` goes through.
  ///
  /// - Throws: the language's failure where the operand is no collection.
  static func element(of collection: PredicateExpression<Self>) throws(Failure) -> Element

  /// Checks that the literals of a list may stand beside each other.
  ///
  /// - Throws: the language's failure where they may not.
  static func check(
    _ element: PredicateExpression<Self>, beside first: PredicateExpression<Self>,
    at token: PredicateToken
  ) throws(Failure)

  /// Checks that the quantifier may stand before the operand.
  ///
  /// - Throws: the language's failure where it may not.
  static func check(
    _ quantifier: PredicateQuantifier, before operand: PredicateExpression<Self>
  ) throws(Failure)

  /// Reads the options after an operator.
  ///
  /// - Throws: the language's failure where they are malformed, or the operator takes none.
  static func options(
    of comparator: PredicateOperator, at place: SourcePart, _ parser: inout PredicateParser<Self>
  ) throws(Failure) -> TextOptions

  /// Prepares a comparison.
  ///
  /// - Parameter place: the operator's place.
  /// - Throws: the language's failure where the operands cannot be compared so.
  static func comparison(
    _ comparison: PredicateComparison<Self>, at place: SourcePart
  ) throws(Failure) -> Comparison
}

extension PredicateLanguage {
  package static func function(
    _ lexer: inout PredicateLexer<Self>
  ) throws(Failure) -> PredicateToken.Kind? { nil }

  package static func check(
    _ element: PredicateExpression<Self>, beside first: PredicateExpression<Self>,
    at token: PredicateToken
  ) throws(Failure) {}

  package static func check(
    _ quantifier: PredicateQuantifier, before operand: PredicateExpression<Self>
  ) throws(Failure) {}
}

/// An operand of a language. The engine reads the following kinds itself.
package protocol PredicateOperand: Sendable, Equatable {
  associatedtype Language: PredicateLanguage

  /// A string or a number.
  static func literal(_ value: PredicateValue) -> Self
  /// A list in braces.
  static func list(_ elements: [PredicateExpression<Language>]) -> Self
  /// The variable of a subquery.
  static func variable(_ variable: PredicateVariable<Language>) -> Self
  /// A subquery.
  static func subquery(_ subquery: PredicateSubquery<Language>) -> Self
}

// MARK: - Dialects

/// The notation of a language's predicates, where languages differ.
package struct PredicateDialect: Sendable {
  /// The differences between notations.
  package struct Traits: OptionSet, Sendable {
    package let rawValue: Int

    /// Traits with the given bits.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Columns and offsets count Unicode scalars, and each scalar is a character.
    package static let scalars = Traits(rawValue: 1)
    /// Words with `-` between letters, as `UTI-EQUALS`.
    package static let hyphenatedWords = Traits(rawValue: 2)
    /// `1.5`
    package static let realNumbers = Traits(rawValue: 4)
    /// `$1`
    package static let numberedVariables = Traits(rawValue: 8)
    /// `{…}` holds any operands; without the trait literals, with or without a comma after the last.
    package static let listsOfOperands = Traits(rawValue: 16)
    /// Operands and the predicates of subqueries count as levels of nesting; without the trait subqueries do.
    package static let levelsOfOperands = Traits(rawValue: 32)
  }

  /// The noun by which messages call a predicate.
  package let noun: String
  /// The limit on the length, in bytes of UTF-8.
  package let maximumLength: Int
  /// The limit on the nesting of brackets, `NOT` and subqueries.
  package let maximumDepth: Int
  /// The operators, in the order in which a misspelt one is looked for.
  package let operators: [PredicateOperator]
  private let traits: Traits

  /// A dialect with the given limits and operators.
  package init(
    noun: String, maximumLength: Int, maximumDepth: Int, traits: Traits,
    operators: [PredicateOperator]
  ) {
    self.noun = noun
    self.maximumLength = maximumLength
    self.maximumDepth = maximumDepth
    self.traits = traits
    self.operators = operators
  }

  func has(_ trait: Traits) -> Bool { traits.contains(trait) }
}

// MARK: - Faults

/// The parts of a predicate that may stand where another was found.
package enum PredicateExpectation: Sendable, Equatable {
  /// An operand, or any other beginning of a clause.
  case clause
  /// The operand after `ANY` and its like.
  case quantified
  /// The operand after an operator.
  case value
  /// The collection that `SUBQUERY` goes through.
  case collection
  /// The end of a predicate: of the whole text, and in brackets.
  case end, groupEnd
  case comparator
  /// The key after `.`.
  case key
  case optionLetters, optionsEnd
  /// The number after `-`.
  case negated
  /// An element of a list of literals.
  case element
  case listEnd
  case subqueryStart, collectionEnd, variable, variableEnd, subqueryEnd

  /// The words by which messages call the part where a language has no words of its own.
  ///
  /// - Parameter noun: the noun for the whole predicate.
  package func words(in noun: String) -> String {
    switch self {
    case .clause: "a comparison, `NOT`, `TRUEPREDICATE`, `FALSEPREDICATE` or `(`"
    case .quantified, .collection: "a key path to a list"
    case .value: "a string, a number or a key path"
    case .end: "`AND`, `OR` or the end of the \(noun)"
    case .groupEnd: "`AND`, `OR` or `)`"
    case .comparator: "a comparison operator"
    case .key: "a key or `@count` after `.`"
    case .optionLetters: "`c`, `d` or `cd`"
    case .optionsEnd: "`]` after the options"
    case .negated: "a number after `-`"
    case .element: "a string or a number"
    case .listEnd: "`}` after the last element"
    case .subqueryStart: "`(` after `SUBQUERY`"
    case .collectionEnd: "`,` after the list"
    case .variable: "a variable, such as `$item`"
    case .variableEnd: "`,` after the variable"
    case .subqueryEnd: "`)` after the predicate of `SUBQUERY`"
    }
  }
}

/// A fault in a text that should be a predicate, and its place. Languages put it into words.
package struct PredicateFault: Sendable {
  /// The kind of fault.
  package enum Kind: Sendable {
    case tooLong(bytes: Int)
    case tooDeep
    /// The text is only white space.
    case empty
    /// A character that begins no token.
    case character(Character)
    case numberTooLarge(digits: String)
    /// The character after `$`; nil at the end.
    case noVariableName(Character?)
    /// - Parameter suspect: a typographic quotation mark that may be meant to end the string; nil where there is none.
    indirect case unterminatedString(quote: Character, suspect: PredicateFault?)
    /// The character after `\`; nil at the end.
    case escape(Character?)
    case token(PredicateToken, expected: PredicateExpectation)
    /// A predicate where an operand must stand.
    case predicateInBrackets(expected: PredicateExpectation)
    /// - Parameter known: the variables that may be named there.
    case unknownVariable(String, known: [String])
  }

  package var kind: Kind
  package var part: SourcePart
}

/// Typographic characters that word processors put where a predicate needs plain ones.
package enum Quotation {
  private static let double: Set<Character> = ["“", "”", "„", "‟", "«", "»", "″", "＂"]
  private static let single: Set<Character> = ["‘", "’", "‚", "‛", "‹", "›", "′", "＇"]
  private static let hyphens: Set<Character> = ["‐", "‑", "‒", "–", "—", "−"]

  /// Whether the character is a typographic quotation mark.
  package static func isQuotationMark(_ character: Character) -> Bool {
    double.contains(character) || single.contains(character)
  }

  /// Whether the character is a typographic hyphen.
  package static func isHyphen(_ character: Character) -> Bool { hyphens.contains(character) }

  /// The plain quotation mark to type instead.
  package static func straight(_ character: Character) -> String {
    double.contains(character) ? "\"" : "'"
  }

  /// The words by which messages call `character`.
  package static func words(for character: Character) -> String {
    if isQuotationMark(character) { return "the typographic quotation mark `\(character)`" }
    if isHyphen(character) { return "the typographic hyphen `\(character)`" }
    let isVisible = character.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned: false
      default:  // open: any other category
        true
      }
    }
    guard !isVisible, let scalar = character.unicodeScalars.first else { return "`\(character)`" }
    return "the character U+" + hexadecimal(scalar.value)
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
