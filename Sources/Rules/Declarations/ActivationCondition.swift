package import Predicates

/// The parsed predicate of an activation.
///
/// Supports the subset that Apple documents for declarative management. Functions are `@status`, `@property`, `@key`
/// and `@count`. Operators are comparisons, `IN`, `CONTAINS`, `BEGINSWITH`, `ENDSWITH`, `LIKE`, `BETWEEN`, `AND`, `OR`
/// and `NOT`. `ANY`, the other quantifiers and `SUBQUERY` are also supported.
///
/// Sources: Apple, "Processing status for managed apps"; WWDC 2022, session 10046; Predicate Programming Guide.
package struct ActivationCondition: Sendable {
  /// The maximum length of a predicate, in bytes of UTF-8.
  package static let maximumLength = 16 << 10
  /// The maximum depth of nested brackets, `NOT` and subqueries.
  static let maximumDepth = 64

  /// A status item used in a predicate.
  package struct Reference: Sendable, Equatable {
    package var name: String
    /// The offset of the item's name in the predicate, from 0, in Unicode scalars.
    package var offset: Int
  }

  package let source: String
  /// The status items that the predicate uses, in the order of the text.
  package let statusItems: [Reference]
  private let root: PredicateClause<ConditionLanguage>
  /// The maximum number of subquery variables in scope at once.
  private let variableCount: Int

  /// Parses a predicate.
  ///
  /// - Throws: ``ConditionError`` if the text is not a predicate that activations support.
  package init(parsing source: String) throws(ConditionError) {
    var parser = try PredicateParser<ConditionLanguage>(source)
    root = try parser.predicate()
    self.source = source
    variableCount = parser.mostVariables
    statusItems = parser.tokens.compactMap { token in
      guard case .function("status", let name) = token.kind else { return nil }
      return Reference(name: name, offset: token.part.offset)
    }
  }

  /// Returns whether the predicate is true on a device with these status items and properties.
  ///
  /// Items and properties that the device lacks are null. Null equals only null, and is neither smaller nor greater
  /// than any value.
  ///
  /// - Throws: ``ConditionEvaluationError`` if an operator or function does not accept the kinds of its operands, or if
  ///   the work budget is exhausted.
  package func holds(
    items: StatusItems, properties: [String: StatusValue]
  ) throws(ConditionEvaluationError) -> Bool {
    var evaluator = ConditionEvaluator(
      items: items, properties: properties, variables: variableCount)
    return try evaluator.holds(root)
  }
}

// MARK: - Evaluation

/// Evaluates an activation's predicate with the values of a device.
///
/// Values may be absent, and their kinds are unknown at parse time. ``ValueComparison`` therefore compares them at
/// evaluation time. In contrast, the activation rules of extensions know all kinds at parse time and prepare their
/// comparisons then.
private struct ConditionEvaluator: ClauseEvaluator {
  typealias Language = ConditionLanguage
  typealias Failure = ConditionEvaluationError
  private typealias Operand = PredicateExpression<ConditionLanguage>

  private let items: StatusItems
  private let properties: [String: StatusValue]
  /// The current element of each enclosing subquery. The index is the slot of the subquery's variable.
  private var slots: [StatusValue]
  private var budget = WorkBudget()

  /// Creates an evaluator for the values of a device.
  ///
  /// - Parameter count: The maximum number of subquery variables in scope at once.
  init(items: StatusItems, properties: [String: StatusValue], variables count: Int) {
    self.items = items
    self.properties = properties
    slots = Array(repeating: .null, count: count)
  }

  mutating func holds(
    _ comparison: PredicateComparison<ConditionLanguage>
  ) throws(ConditionEvaluationError) -> Bool {
    let left = try value(comparison.left)
    let right = try value(comparison.right)
    guard let quantifier = comparison.quantifier else {
      return try holds(comparison, left, right)
    }
    var matches = 0
    let elements = try elements(of: left, for: "`ANY`, `ALL` and `NONE` take")
    for element in elements where try holds(comparison, element, right) { matches += 1 }
    return switch quantifier {
    case .any, .some: matches > 0
    case .all: matches == elements.count
    case .no: matches == 0
    }
  }

  private mutating func holds(
    _ comparison: PredicateComparison<ConditionLanguage>, _ left: StatusValue,
    _ right: StatusValue
  ) throws(ConditionEvaluationError) -> Bool {
    try consume(elements: left.weight + right.weight)
    let holds = try ValueComparison(options: comparison.options)
      .holds(left, comparison.comparator, right, &budget)
    try consume(elements: 0)
    return holds
  }

  mutating func spendStep() throws(ConditionEvaluationError) -> Bool {
    budget.consume(characters: 1)
    try consume(elements: 0)
    return true
  }

  private mutating func consume(elements count: Int) throws(ConditionEvaluationError) {
    budget.consume(elements: count)
    guard !budget.isExhausted else {
      throw ConditionEvaluationError(
        "the predicate compares more than \(WorkBudget.maximumElements) values")
    }
  }

  private mutating func value(_ operand: Operand) throws(ConditionEvaluationError) -> StatusValue {
    try consume(elements: 1)
    switch operand.kind {
    case .literal(let value): return value
    case .list(let operands):
      var values: [StatusValue] = []
      for operand in operands { values.append(try value(operand)) }
      return .array(values)
    case .status(let name): return items[name] ?? .null
    case .property(let name): return properties[name] ?? .null
    case .variable(let variable): return slots[variable.slot]
    case .key(let name, let operand):
      let whole = try value(operand)
      try consume(elements: whole.weight)
      return try Self.key(name, of: whole)
    case .count(let operand):
      let elements = try elements(of: value(operand), for: "`@count` takes")
      return .integer(elements.count)
    case .subquery(let subquery): return try value(subquery)
    }
  }

  private mutating func value(
    _ subquery: PredicateSubquery<ConditionLanguage>
  ) throws(ConditionEvaluationError) -> StatusValue {
    let elements = try elements(of: value(subquery.collection), for: "`SUBQUERY` takes")
    var found: [StatusValue] = []
    for element in elements {
      try consume(elements: 1)
      slots[subquery.variable.slot] = element
      if try holds(subquery.predicate) { found.append(element) }
    }
    return .array(found)
  }

  /// Returns the value of the key `name` in a dictionary. For an array, returns an array with the key's value in each
  /// element, as in key-value coding.
  private static func key(
    _ name: String, of value: StatusValue
  ) throws(ConditionEvaluationError) -> StatusValue {
    switch value {
    case .null: return .null
    case .dictionary(let values): return values[name] ?? .null
    case .array(let elements):
      var values: [StatusValue] = []
      for element in elements { values.append(try key(name, of: element)) }
      return .array(values)
    case .boolean, .integer, .real, .string:
      throw ConditionEvaluationError("`@key(\(name))` takes a dictionary, found \(value.noun)")
    }
  }

  /// Returns the elements of an array; empty for null, which stands for an absent value.
  private func elements(
    of value: StatusValue, for purpose: String
  ) throws(ConditionEvaluationError) -> [StatusValue] {
    switch value {
    case .null: return []
    case .array(let elements): return elements
    case .boolean, .integer, .real, .string, .dictionary:
      throw ConditionEvaluationError("\(purpose) an array, found \(value.noun)")
    }
  }
}

// MARK: - Errors

/// A syntax error in the predicate of an activation.
package struct ConditionError: Error, Sendable, Equatable {
  /// The offset of the error in the predicate, from 0, in Unicode scalars.
  package var offset: Int
  /// The message, in lower case, without full stop.
  package var message: String

  init(_ message: String, at part: SourcePart) {
    offset = part.offset
    self.message = message
  }
}

/// The reason why a predicate cannot be evaluated with the values of a device.
package typealias ConditionEvaluationError = PredicateEvaluationError
