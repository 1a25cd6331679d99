internal import Predicates

/// A parsed activation rule in the form of a predicate.
package struct Predicate: Sendable, Equatable, CustomStringConvertible {
  /// As it was parsed.
  package let source: String
  let root: Clause
  /// How many variables are visible at once at most.
  let variableCount: Int
  let program: Program

  /// How deep parentheses, `NOT` and `SUBQUERY` may nest.
  package static let maximumDepth = 64
  /// How many characters a predicate may have.
  package static let maximumLength = 100_000

  package init(parsing source: String) throws(PredicateError) {
    var parser = try PredicateParser<RuleLanguage>(source)
    self.source = source
    root = try parser.predicate()
    variableCount = parser.mostVariables
    program = Program(root)
  }

  /// Equal where the structure is; white space, parentheses without effect and spellings of operators do
  /// not count.
  package static func == (left: Predicate, right: Predicate) -> Bool { left.root == right.root }

  /// In one line, in one spelling. Parses to an equal predicate.
  package var description: String { PredicatePrinter.full.text(of: root) }
}
