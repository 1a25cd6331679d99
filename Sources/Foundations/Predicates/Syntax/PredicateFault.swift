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
