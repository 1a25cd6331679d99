internal import Predicates
internal import UniformTypes

typealias Clause = PredicateClause<RuleLanguage>
typealias Expression = PredicateExpression<RuleLanguage>
typealias Variable = PredicateVariable<RuleLanguage>
typealias Subquery = PredicateSubquery<RuleLanguage>

/// An operand of an activation rule.
indirect enum RuleOperand: PredicateOperand {
  typealias Language = RuleLanguage

  case number(Int)
  case text(Literal)
  case list([Expression])
  /// `extensionItems`.
  case items
  case variable(Variable)
  /// `attachments` of an item.
  case attachments(of: Expression)
  /// `registeredTypeIdentifiers` of an attachment.
  case types(of: Expression)
  case subquery(Subquery)
  /// `.@count` of a collection.
  case count(of: Expression)

  static func literal(_ value: PredicateValue) -> RuleOperand {
    switch value {
    case .integer(let number): .number(number)
    case .string(let text): .text(Literal(text))
    case .null, .boolean, .real, .array, .dictionary:
      preconditionFailure("the dialect has no such literal")
    }
  }
}

/// A string as written, between quotes.
struct Literal: Sendable, Equatable {
  let reference: TypeReference

  var text: String { reference.identifier }

  init(_ text: String) { reference = TypeReference(text) }
}
