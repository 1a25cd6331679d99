package import Predicates

/// The parsed predicate of an activation.
///
/// The part of NSPredicate's language that declarative management documents: `@status`, `@property`,
/// `@key`, `@count`, comparisons, `IN`, `CONTAINS`, `BEGINSWITH`, `ENDSWITH`, `LIKE`, `BETWEEN`,
/// `ANY` and the other quantifiers, `SUBQUERY`, `AND`, `OR`, `NOT`.
///
/// Sources: Apple, "Processing status for managed apps"; WWDC 2022, session 10046; Predicate
/// Programming Guide.
package struct ActivationCondition: Sendable {
  /// The maximum length of a predicate, in bytes of UTF-8.
  package static let maximumLength = 16 << 10
  /// The maximum depth of nested brackets, `NOT` and subqueries.
  static let maximumDepth = 64

  /// A status item that a predicate asks for.
  package struct Reference: Sendable, Equatable {
    package var name: String
    /// The offset of the Unicode scalar in the predicate where the item is named, from 0.
    package var offset: Int
  }

  /// The predicate as it was written.
  package let source: String
  /// The status items in the order in which the predicate names them.
  package let statusItems: [Reference]
  private let root: PredicateClause<ConditionLanguage>
  /// The maximum number of variables that are visible at once.
  private let variableCount: Int

  /// Parses a predicate.
  ///
  /// - Throws: ``ConditionError`` where the text is no predicate that an activation can have here.
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

  /// Whether the predicate holds on a device.
  ///
  /// An item or property that the device lacks is null: equal to null alone, and neither smaller nor
  /// greater than anything.
  ///
  /// - Throws: ``ConditionFailure`` where values are compared that have no order, and where the
  ///   work is more than a device would do.
  package func holds(
    items: StatusItems, properties: [String: StatusValue]
  ) throws(ConditionFailure) -> Bool {
    var evaluator = ConditionEvaluator(
      items: items, properties: properties, variables: variableCount)
    return try evaluator.holds(root)
  }
}

// MARK: - Evaluation

/// Evaluates a predicate on a device.
///
/// Values have their kinds on the device alone, and may be absent: they are compared by ``ValueComparison`` at the
/// time of evaluation. Activation rules know all kinds when they are read, and prepare their comparisons.
private struct ConditionEvaluator: ClauseEvaluator {
  typealias Language = ConditionLanguage
  typealias Failure = ConditionFailure
  private typealias Operand = PredicateExpression<ConditionLanguage>

  private let items: StatusItems
  private let properties: [String: StatusValue]
  /// The value of each variable.
  private var slots: [StatusValue]
  private var work = Work()

  /// - Parameter count: The maximum number of variables that are visible at once.
  init(items: StatusItems, properties: [String: StatusValue], variables count: Int) {
    self.items = items
    self.properties = properties
    slots = Array(repeating: .null, count: count)
  }

  mutating func holds(
    _ comparison: PredicateComparison<ConditionLanguage>
  ) throws(ConditionFailure) -> Bool {
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
  ) throws(ConditionFailure) -> Bool {
    try charge(elements: left.weight + right.weight)
    let holds = try ValueComparison(options: comparison.options)
      .holds(left, comparison.comparator, right, &work)
    try charge(elements: 0)
    return holds
  }

  mutating func spendStep() throws(ConditionFailure) -> Bool {
    work.charge(characters: 1)
    try charge(elements: 0)
    return true
  }

  private mutating func charge(elements count: Int) throws(ConditionFailure) {
    work.charge(elements: count)
    guard !work.isExhausted else {
      throw ConditionFailure("the predicate compares more than \(Work.maximumElements) values")
    }
  }

  private mutating func value(_ operand: Operand) throws(ConditionFailure) -> StatusValue {
    try charge(elements: 1)
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
      try charge(elements: whole.weight)
      return try Self.key(name, of: whole)
    case .count(let operand):
      let elements = try elements(of: value(operand), for: "`@count` takes")
      return .integer(elements.count)
    case .subquery(let subquery): return try value(subquery)
    }
  }

  private mutating func value(
    _ subquery: PredicateSubquery<ConditionLanguage>
  ) throws(ConditionFailure) -> StatusValue {
    let elements = try elements(of: value(subquery.collection), for: "`SUBQUERY` takes")
    var found: [StatusValue] = []
    for element in elements {
      try charge(elements: 1)
      slots[subquery.variable.slot] = element
      if try holds(subquery.predicate) { found.append(element) }
    }
    return .array(found)
  }

  /// The value of a key; for an array, the values of the key in its elements, as with key-value coding.
  private static func key(
    _ name: String, of value: StatusValue
  ) throws(ConditionFailure) -> StatusValue {
    switch value {
    case .null: return .null
    case .dictionary(let values): return values[name] ?? .null
    case .array(let elements):
      var values: [StatusValue] = []
      for element in elements { values.append(try key(name, of: element)) }
      return .array(values)
    case .boolean, .integer, .real, .string:
      throw ConditionFailure("`@key(\(name))` takes a dictionary, found \(value.noun)")
    }
  }

  /// The elements of an array. Null has none: an absent value has no elements.
  private func elements(
    of value: StatusValue, for purpose: String
  ) throws(ConditionFailure) -> [StatusValue] {
    switch value {
    case .null: return []
    case .array(let elements): return elements
    case .boolean, .integer, .real, .string, .dictionary:
      throw ConditionFailure("\(purpose) an array, found \(value.noun)")
    }
  }
}

// MARK: - Errors

/// The reason why a text is no predicate that an activation can have here.
package struct ConditionError: Error, Sendable, Equatable {
  /// The offset of the Unicode scalar in the predicate where the fault is, from 0.
  package var offset: Int
  /// The message, in lower case, without full stop.
  package var message: String

  init(_ message: String, at part: SourcePart) {
    offset = part.offset
    self.message = message
  }
}

/// The reason why a predicate has no answer on a device.
package typealias ConditionFailure = PredicateFailure
