/// What is wrong with a text that should be a predicate, and where. Languages put it into words.
package struct PredicateFault: Sendable {
  package enum Kind: Sendable {
    case tooLong(bytes: Int)
    case tooDeep
    /// Nothing but white space.
    case empty
    /// One that begins nothing.
    case character(Character)
    case numberTooLarge(digits: String)
    /// What stands behind `$`; nil at the end.
    case noVariableName(Character?)
    /// - Parameter suspect: what may be meant to end it.
    indirect case openString(quote: Character, suspect: PredicateFault?)
    /// What stands behind `\`; nil at the end.
    case escape(Character?)
    case token(PredicateToken, expected: PredicateExpectation)
    /// Where an operand must stand.
    case predicateInBrackets(expected: PredicateExpectation)
    /// - Parameter known: those that may be named there.
    case unknownVariable(String, known: [String])
  }

  package var kind: Kind
  package var part: SourcePart
}
