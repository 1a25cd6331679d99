internal import Predicates

/// A parsed activation rule in the form of a predicate.
package struct Predicate: Sendable, Equatable, CustomStringConvertible {
  /// The text that was parsed.
  package let source: String
  let root: Clause
  /// The maximum number of variables that are visible at once.
  let variableCount: Int
  let program: Program

  /// The maximum depth of nested parentheses, `NOT` and `SUBQUERY`.
  package static let maximumDepth = 64
  /// The maximum length of a predicate, in bytes of UTF-8.
  package static let maximumLength = 100_000

  /// Parses a predicate.
  ///
  /// - Throws: ``PredicateError`` where the text is no predicate that an activation rule can have.
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

  /// The predicate in one line and one spelling. The text parses to an equal predicate.
  package var description: String { PredicatePrinter.full.text(of: root) }
}
