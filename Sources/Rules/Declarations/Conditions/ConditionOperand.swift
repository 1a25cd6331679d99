internal import Predicates

/// An operand of a comparison.
indirect enum ConditionOperand: PredicateOperand {
  typealias Language = ConditionLanguage

  case literal(PredicateValue)
  case list([PredicateExpression<ConditionLanguage>])
  /// `@status(name)`
  case status(String)
  /// `@property(name)`
  case property(String)
  /// `$name`, of an enclosing subquery.
  case variable(PredicateVariable<ConditionLanguage>)
  /// `operand.@key(name)`
  case key(String, of: PredicateExpression<ConditionLanguage>)
  /// `operand.@count`
  case count(of: PredicateExpression<ConditionLanguage>)
  case subquery(PredicateSubquery<ConditionLanguage>)
}
