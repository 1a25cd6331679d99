internal import Predicates

/// Asks a predicate of a device.
struct ConditionEvaluator {
  let items: StatusItems
  let properties: [String: StatusValue]
  private var variables: [String: StatusValue] = [:]
  private(set) var work = Work()

  init(items: StatusItems, properties: [String: StatusValue]) {
    self.items = items
    self.properties = properties
  }

  mutating func holds(_ node: ConditionNode) throws(ConditionFailure) -> Bool {
    switch node {
    case .constant(let value): return value
    case .all(let nodes):
      for node in nodes where try !holds(node) { return false }
      return true
    case .any(let nodes):
      for node in nodes where try holds(node) { return true }
      return false
    case .none(let node): return try !holds(node)
    case .comparison(let comparison): return try holds(comparison)
    }
  }

  private mutating func holds(
    _ comparison: ConditionComparison
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
    case .any: matches > 0
    case .all: matches == elements.count
    case .none: matches == 0
    }
  }

  private mutating func holds(
    _ comparison: ConditionComparison, _ left: StatusValue, _ right: StatusValue
  ) throws(ConditionFailure) -> Bool {
    try visit(left.weight + right.weight)
    let holds = try ValueComparison(options: comparison.options)
      .holds(left, comparison.relation, right, &work)
    try visit(0)
    return holds
  }

  private mutating func visit(_ count: Int) throws(ConditionFailure) {
    work.visit(count)
    guard !work.isExhausted else {
      throw ConditionFailure("the predicate compares more than \(Work.maximumElements) values")
    }
  }

  private mutating func value(
    _ operand: ConditionOperand
  ) throws(ConditionFailure) -> StatusValue {
    try visit(1)
    switch operand {
    case .value(let value): return value
    case .list(let operands):
      var values: [StatusValue] = []
      for operand in operands { values.append(try value(operand)) }
      return .array(values)
    case .status(let name): return items[name] ?? .null
    case .property(let name): return properties[name] ?? .null
    case .variable(let name): return variables[name] ?? .null
    case .key(let operand, let name):
      let whole = try value(operand)
      try visit(whole.weight)
      return try Self.key(name, of: whole)
    case .count(let operand):
      let elements = try elements(of: value(operand), for: "`@count` takes")
      return .integer(elements.count)
    case .subquery(let collection, let variable, let node):
      return try subquery(collection, variable, node)
    }
  }

  private mutating func subquery(
    _ collection: ConditionOperand, _ variable: String, _ node: ConditionNode
  ) throws(ConditionFailure) -> StatusValue {
    let elements = try elements(of: value(collection), for: "`SUBQUERY` takes")
    let hidden = variables[variable]
    defer { variables[variable] = hidden }
    var found: [StatusValue] = []
    for element in elements {
      variables[variable] = element
      if try holds(node) { found.append(element) }
    }
    return .array(found)
  }

  /// Of an array, that key of each of its elements, as key-value coding has it.
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

  /// None of null: what is not there has no elements.
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

extension StatusValue {
  /// What a look at it costs: one for each value in it. Comparing text counts by itself.
  fileprivate var weight: Int {
    switch self {
    case .array(let values): values.reduce(1) { $0 + $1.weight }
    case .dictionary(let values): values.values.reduce(1) { $0 + $1.weight }
    default: 1
    }
  }
}
