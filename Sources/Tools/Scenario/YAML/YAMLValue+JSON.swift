import JSON

extension YAMLValue {
  /// Makes a value of a JSON value, which is YAML as well.
  ///
  /// - Throws: ``Mistake`` where an object has a name twice, lists and mappings nest too deep for a scenario, or the
  ///   value holds more than `allowance`.
  init(_ value: JSONValue, name: String, atMost allowance: YAMLAllowance) throws(Mistake) {
    var allowance = allowance
    try self.init(value, name: name, depth: 0, &allowance)
  }

  private init(
    _ value: JSONValue, name: String, depth: Int, _ allowance: inout YAMLAllowance
  ) throws(Mistake) {
    guard depth <= YAMLReader.maximumDepth else {
      throw Mistake(
        .tooLarge, at: value.position, "nested deeper than \(YAMLReader.maximumDepth) levels")
    }
    try allowance.takeValue(at: value.position)
    let kind: Kind
    switch value.kind {
    case .null: kind = .scalar("null", isPlain: true)
    case .bool(let flag): kind = .scalar(flag ? "true" : "false", isPlain: true)
    case .number(let spelling):
      try allowance.take(spelling, at: value.position)
      kind = .scalar(spelling, isPlain: true)
    case .string(let text):
      try allowance.take(text, at: value.position)
      kind = .scalar(text, isPlain: false)
    case .array(let elements):
      var values: [YAMLValue] = []
      for element in elements {
        values.append(try YAMLValue(element, name: name, depth: depth + 1, &allowance))
      }
      kind = .sequence(values)
    case .object(let members): kind = .mapping(try Self.members(members, depth: depth, &allowance))
    }
    self.init(kind: kind, position: value.position, name: name)
  }

  private static func members(
    _ members: [JSONValue.Member], depth: Int, _ allowance: inout YAMLAllowance
  ) throws(Mistake) -> [Member] {
    var known: Set<String> = []
    var result: [Member] = []
    for member in members {
      try allowance.take(member.name, at: member.position)
      guard known.insert(member.name).inserted else {
        throw Mistake(
          .duplicateKey, at: member.position, "the key `\(member.name)` is there twice")
      }
      let value = try YAMLValue(member.value, name: member.name, depth: depth + 1, &allowance)
      result.append(Member(key: member.name, position: member.position, value: value))
    }
    return result
  }
}
