internal import Output
internal import Predicates

/// A parsed activation rule in predicate form.
package struct Predicate: Sendable, Equatable, CustomStringConvertible {
  package let source: String
  let root: Clause
  /// The maximum number of variables that are in scope at the same time.
  let variableCount: Int
  let program: Program

  /// The maximum nesting depth of parentheses, `NOT` and `SUBQUERY` together.
  package static let maximumDepth = 64
  /// The maximum length of a predicate, in bytes of UTF-8.
  package static let maximumLength = 100_000

  /// Parses a predicate.
  ///
  /// - Throws: ``PredicateError`` if the text is not a predicate that activation rules allow.
  package init(parsing source: String) throws(PredicateError) {
    var parser = try PredicateParser<RuleLanguage>(source)
    self.source = source
    root = try parser.predicate()
    variableCount = parser.mostVariables
    program = Program(root)
  }

  /// Compares the predicates' structure. White space, redundant parentheses and the spelling of operators do not
  /// matter.
  package static func == (left: Predicate, right: Predicate) -> Bool { left.root == right.root }

  /// The predicate in canonical spelling, on one line. Parsing this text results in an equal predicate.
  package var description: String { PredicatePrinter.full.text(of: root) }

  /// Returns whether the predicate contains `TRUEPREDICATE` (if `constant` is true) or `FALSEPREDICATE` (if it is
  /// false).
  package func states(_ constant: Bool) -> Bool {
    root.nested.contains { $0.kind == .constant(constant) }
  }
}

extension Clause {
  /// This clause and all clauses inside it. Clauses of subqueries are included.
  var nested: [Clause] {
    switch kind {
    case .constant: [self]
    case .not(let inner): [self] + inner.nested
    case .all(let clauses), .any(let clauses): [self] + clauses.flatMap(\.nested)
    case .comparison(let comparison): [self] + comparison.left.clauses + comparison.right.clauses
    }
  }
}

extension Expression {
  fileprivate var clauses: [Clause] {
    switch kind {
    case .subquery(let subquery): subquery.collection.clauses + subquery.predicate.nested
    case .count(let inner), .attachments(let inner), .types(let inner): inner.clauses
    case .list, .number, .text, .items, .variable: []
    }
  }
}

// MARK: - Errors

/// A syntax error in an activation rule.
package struct PredicateError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The line of the error, from 1. ``column`` is also counted from 1, in characters. CRLF is one line break.
  package var line: Int
  package var column: Int
  /// The description of the text at this position, for the message. Source text is in backticks.
  package var found: String
  package var expected: String
  /// The word that the author probably meant; nil if no known word is similar.
  package var suggestion: String?

  init(at part: SourcePart, found: String, expected: String, suggestion: String? = nil) {
    line = part.line
    column = part.column
    self.found = found
    self.expected = expected
    self.suggestion = suggestion
  }

  /// The message without the position, in lower case, without full stop.
  package var message: String {
    "expected \(expected), found \(found)\(Suggestion.text(suggestion))"
  }

  package var description: String { "\(line):\(column): error: \(message)" }
}

// MARK: - Printing

/// Returns predicates as text in canonical spelling.
struct PredicatePrinter {
  /// Whether long texts are shortened with `…`: the conditions of each `SUBQUERY`, and each string after 200 Unicode
  /// scalars.
  private let isAbbreviating: Bool

  static let full = PredicatePrinter(isAbbreviating: false)
  static let abbreviating = PredicatePrinter(isAbbreviating: true)

  func text(of clause: Clause) -> String {
    switch clause.kind {
    case .constant(let holds): holds ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .not(let clause): "NOT " + operand(clause)
    case .all(let clauses): clauses.map(operand).joined(separator: " AND ")
    case .any(let clauses): clauses.map(operand).joined(separator: " OR ")
    case .comparison(let comparison): text(of: comparison)
    }
  }

  private func operand(_ clause: Clause) -> String {
    switch clause.kind {
    case .all, .any: "(" + text(of: clause) + ")"
    case .constant, .not, .comparison: text(of: clause)
    }
  }

  func text(of comparison: Comparison) -> String {
    let quantifier = comparison.quantifier.map { $0.rawValue + " " } ?? ""
    let options = Self.text(of: comparison.options)
    return quantifier + text(of: comparison.left) + " " + comparison.comparator.rawValue + options
      + " " + text(of: comparison.right)
  }

  func text(of expression: Expression) -> String {
    switch expression.kind {
    case .number(let number): String(number)
    case .text(let literal):
      Self.quoted(isAbbreviating ? Self.abbreviated(literal.text) : literal.text)
    case .list(let elements): "{" + elements.map(text).joined(separator: ", ") + "}"
    case .items: "extensionItems"
    case .variable(let variable): "$" + variable.name
    case .attachments(let item): text(of: item) + ".attachments"
    case .types(let attachment): text(of: attachment) + ".registeredTypeIdentifiers"
    case .subquery(let subquery): text(of: subquery)
    case .count(let collection): text(of: collection) + ".@count"
    }
  }

  private func text(of subquery: Subquery) -> String {
    let predicate = isAbbreviating ? "…" : text(of: subquery.predicate)
    return "SUBQUERY(\(text(of: subquery.collection)), $\(subquery.variable.name), \(predicate))"
  }

  private static func text(of options: TextOptions) -> String {
    guard !options.isEmpty else { return "" }
    return "[" + (options.contains(.caseInsensitive) ? "c" : "")
      + (options.contains(.diacriticInsensitive) ? "d" : "") + "]"
  }

  static func abbreviated(_ text: String) -> String {
    let beginning = text.unicodeScalars.prefix(200)
    return beginning.endIndex == text.endIndex ? text : String(beginning) + "…"
  }

  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for character in text {
      switch character {
      case "\\": quoted += "\\\\"
      case "\"": quoted += "\\\""
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\r\n": quoted += "\\r\\n"
      case "\t": quoted += "\\t"
      default:  // open: any other character
        quoted.append(character)
      }
    }
    return quoted + "\""
  }
}
