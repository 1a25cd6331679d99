internal import Predicates

/// What a comparison compares.
indirect enum ConditionOperand: PredicateOperand {
  typealias Language = ConditionLanguage

  case literal(PredicateValue)
  case list([PredicateExpression<ConditionLanguage>])
  /// `@status(name)`
  case status(String)
  /// `@property(name)`
  case property(String)
  /// `$name`, of a subquery around it.
  case variable(PredicateVariable<ConditionLanguage>)
  /// `operand.@key(name)`
  case key(String, of: PredicateExpression<ConditionLanguage>)
  /// `operand.@count`
  case count(of: PredicateExpression<ConditionLanguage>)
  case subquery(PredicateSubquery<ConditionLanguage>)
}
