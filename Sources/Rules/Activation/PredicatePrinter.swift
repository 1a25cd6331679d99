internal import Predicates

/// Writes predicates in one spelling.
struct PredicatePrinter {
  /// Whether the conditions of a `SUBQUERY` and most of a long string are replaced by `…`.
  private let isAbbreviating: Bool

  static let full = PredicatePrinter(isAbbreviating: false)
  /// The printer that writes `…` for the conditions of a `SUBQUERY` and for most of a long string.
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
