internal import Predicates

/// Evaluates a predicate on a device.
///
/// Values have their kinds on the device alone, and may be absent: they are compared by ``ValueComparison`` at the
/// time of evaluation. Activation rules know all kinds when they are read, and prepare their comparisons.
struct ConditionEvaluator: ClauseEvaluator {
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
