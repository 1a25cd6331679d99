internal import Predicates

/// A predicate that was read.
indirect enum ConditionNode: Sendable {
  case constant(Bool)
  case all([ConditionNode])
  case any([ConditionNode])
  case none(ConditionNode)
  case comparison(ConditionComparison)
}

/// Two operands and what is asked of them.
struct ConditionComparison: Sendable {
  /// What holds of a collection on the left.
  enum Quantifier: Sendable {
    case any, all, none
  }

  enum Relation: Sendable, Equatable {
    case comparing(PredicateOperator)
    case between

    /// Whether `[c]` and `[d]` may follow.
    var hasOptions: Bool {
      switch self {
      case .comparing(.less), .comparing(.lessOrEqual), .comparing(.greater),
        .comparing(.greaterOrEqual), .between:
        false
      case .comparing: true
      }
    }
  }

  /// nil where the operands are compared as they are.
  var quantifier: Quantifier?
  var left: ConditionOperand
  var relation: Relation
  var options: TextOptions
  var right: ConditionOperand
}

/// What a comparison compares.
indirect enum ConditionOperand: Sendable {
  case value(StatusValue)
  case list([ConditionOperand])
  /// `@status(name)`
  case status(String)
  /// `@property(name)`
  case property(String)
  /// `$name`, of a subquery around it.
  case variable(String)
  /// `operand.@key(name)`
  case key(ConditionOperand, String)
  /// `operand.@count`
  case count(ConditionOperand)
  /// `SUBQUERY(operand, $name, predicate)`: those of a collection that the predicate holds of.
  case subquery(ConditionOperand, variable: String, ConditionNode)
}
