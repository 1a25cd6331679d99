/// A predicate language. The engine parses literals, variables and `SUBQUERY`; the language defines all other
/// operands, the permitted comparisons and the messages.
///
/// A language checks operands during parsing, so it reports the first error in the text.
package protocol PredicateLanguage: Sendable {
  associatedtype Failure: Error
  associatedtype Operand: PredicateOperand where Operand.Language == Self
  /// The information about a collection's elements that is available at parse time.
  associatedtype Element: Sendable, Equatable
  /// A comparison that is prepared for evaluation.
  associatedtype Comparison: Sendable, Equatable

  static var dialect: PredicateDialect { get }

  static func failure(_ error: PredicateSyntaxError) -> Failure

  /// Reads a function that begins with `@`. Returns nil if no function begins at the current position; the lexer then
  /// reads `@` as a symbol.
  ///
  /// - Throws: ``Failure`` if a function begins but is malformed.
  static func function(
    _ lexer: inout PredicateLexer<Self>
  ) throws(Failure) -> PredicateToken.Kind?

  /// Reads an operand specific to the language; nil if none begins at the current position.
  ///
  /// - Throws: ``Failure`` if an operand begins but is malformed.
  static func operand(_ parser: inout PredicateParser<Self>) throws(Failure) -> Operand?

  /// Reads the key after an operand and `.`.
  ///
  /// - Throws: ``Failure`` if there is no key, or the operand does not have that key.
  static func key(
    of operand: PredicateExpression<Self>, _ parser: inout PredicateParser<Self>
  ) throws(Failure) -> Operand

  /// Returns the element kind of a `SUBQUERY` collection.
  ///
  /// - Throws: ``Failure`` if the operand is not a collection.
  static func element(of collection: PredicateExpression<Self>) throws(Failure) -> Element

  /// Checks that the literal `element` may be in a list whose first element is `first`.
  static func check(
    _ element: PredicateExpression<Self>, beside first: PredicateExpression<Self>,
    at token: PredicateToken
  ) throws(Failure)

  static func check(
    _ quantifier: PredicateQuantifier, before operand: PredicateExpression<Self>
  ) throws(Failure)

  /// Reads the options after an operator.
  ///
  /// - Throws: ``Failure`` if they are malformed, or the operator has no options.
  static func options(
    of comparator: PredicateOperator, at place: SourcePart, _ parser: inout PredicateParser<Self>
  ) throws(Failure) -> TextOptions

  /// Checks a comparison and prepares it for evaluation.
  ///
  /// - Parameter place: The position of the operator.
  /// - Throws: ``Failure`` if the operator cannot compare the operands.
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

/// An operand of a language. The engine creates literals, lists, variables and subqueries with the functions below. The
/// language creates its other operands itself.
package protocol PredicateOperand: Sendable, Equatable {
  associatedtype Language: PredicateLanguage

  /// Creates a string or number operand.
  static func literal(_ value: PredicateValue) -> Self
  /// Creates a list operand; in the source, it is in braces.
  static func list(_ elements: [PredicateExpression<Language>]) -> Self
  static func variable(_ variable: PredicateVariable<Language>) -> Self
  static func subquery(_ subquery: PredicateSubquery<Language>) -> Self
}

// MARK: - Dialects

/// The parts of the notation that differ between languages.
package struct PredicateDialect: Sendable {
  package struct Traits: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Columns and offsets count Unicode scalars, and each scalar is a separate character.
    package static let scalars = Traits(rawValue: 1)
    /// Words may contain `-` between letters, as in `UTI-EQUALS`.
    package static let hyphenatedWords = Traits(rawValue: 2)
    /// Real numbers such as `1.5` are allowed.
    package static let realNumbers = Traits(rawValue: 4)
    /// Numbered variables such as `$1` are allowed.
    package static let numberedVariables = Traits(rawValue: 8)
    /// Lists in braces may contain any operands. Without this trait, they contain literals, optionally with a
    /// trailing comma.
    package static let listsOfOperands = Traits(rawValue: 16)
    /// Each operand counts as a nesting level, and so does the predicate of a subquery. Without this trait, each
    /// subquery counts as one level, and other operands do not count.
    package static let levelsOfOperands = Traits(rawValue: 32)
  }

  /// The noun for a predicate in messages.
  package let noun: String
  /// The maximum length, in bytes of UTF-8.
  package let maximumLength: Int
  /// The maximum depth of nested parentheses, `NOT` and subqueries.
  package let maximumDepth: Int
  /// The operators, in order of preference for suggestions.
  package let operators: [PredicateOperator]
  private let traits: Traits

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

// MARK: - Syntax errors

/// The syntax element that the parser expected but did not find.
package enum PredicateExpectation: Sendable, Equatable {
  /// An operand, or any other beginning of a clause.
  case clause
  /// The operand after a quantifier such as `ANY`.
  case quantified
  /// The operand after an operator.
  case value
  case collection
  /// The end of a predicate: `end` for the whole text, `groupEnd` for a predicate in parentheses.
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

  /// Returns a phrase for the expected syntax element, for messages of languages without a phrase of their own.
  ///
  /// - Parameter noun: The noun for a whole predicate.
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

/// A syntax error with its position. Each language supplies the message.
package struct PredicateSyntaxError: Sendable {
  package enum Kind: Sendable {
    case tooLong(bytes: Int)
    case tooDeep
    /// The text is only white space.
    case empty
    /// A character that cannot begin a token.
    case character(Character)
    case numberTooLarge(digits: String)
    /// `$` without a name. The value is the character after `$`; nil at the end of the text.
    case noVariableName(Character?)
    /// A string without its closing quotation mark.
    ///
    /// - Parameter suspect: A typographic quotation mark that was probably meant to end the string; nil if there is
    ///   none.
    indirect case unterminatedString(quote: Character, suspect: PredicateSyntaxError?)
    /// An invalid escape. The value is the character after `\`; nil at the end of the text.
    case escape(Character?)
    case token(PredicateToken, expected: PredicateExpectation)
    /// A predicate in parentheses at a place where the parser expected an operand. The value is the expected element.
    case predicateInBrackets(expected: PredicateExpectation)
    /// A variable that is not in scope.
    ///
    /// - Parameter known: The variables in scope.
    case unknownVariable(String, known: [String])
  }

  package var kind: Kind
  package var part: SourcePart
}

/// Typographic characters that word processors substitute for plain characters.
package enum Quotation {
  private static let double: Set<Character> = ["“", "”", "„", "‟", "«", "»", "″", "＂"]
  private static let single: Set<Character> = ["‘", "’", "‚", "‛", "‹", "›", "′", "＇"]
  private static let hyphens: Set<Character> = ["‐", "‑", "‒", "–", "—", "−"]

  package static func isQuotationMark(_ character: Character) -> Bool {
    double.contains(character) || single.contains(character)
  }

  package static func isHyphen(_ character: Character) -> Bool { hyphens.contains(character) }

  package static func straight(_ character: Character) -> String {
    double.contains(character) ? "\"" : "'"
  }

  /// Returns the description of `character` for messages.
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
