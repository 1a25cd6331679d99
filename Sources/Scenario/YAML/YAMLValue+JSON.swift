import JSON

extension YAMLValue {
  /// The same value, written as JSON.
  ///
  /// - Throws: where an object has a name twice, or lists and mappings nest too deep for a scenario.
  init(_ value: JSONValue, name: String, depth: Int = 0) throws(Mistake) {
    guard depth <= YAMLReader.maximumDepth else {
      throw Mistake(
        .tooLarge, at: value.position, "nested deeper than \(YAMLReader.maximumDepth) levels")
    }
    let kind: Kind
    switch value.kind {
    case .null: kind = .scalar("null", isPlain: true)
    case .bool(let flag): kind = .scalar(flag ? "true" : "false", isPlain: true)
    case .number(let spelling): kind = .scalar(spelling, isPlain: true)
    case .string(let text): kind = .scalar(text, isPlain: false)
    case .array(let elements):
      var values: [YAMLValue] = []
      for element in elements {
        values.append(try YAMLValue(element, name: name, depth: depth + 1))
      }
      kind = .sequence(values)
    case .object(let members): kind = .mapping(try Self.members(members, depth: depth))
    }
    self.init(kind: kind, position: value.position, name: name)
  }

  private static func members(
    _ members: [JSONValue.Member], depth: Int
  ) throws(Mistake) -> [Member] {
    var known: Set<String> = []
    var result: [Member] = []
    for member in members {
      guard known.insert(member.name).inserted else {
        throw Mistake(
          .duplicateKey, at: member.position, "the key `\(member.name)` is there twice")
      }
      let value = try YAMLValue(member.value, name: member.name, depth: depth + 1)
      result.append(Member(key: member.name, position: member.position, value: value))
    }
    return result
  }
}
