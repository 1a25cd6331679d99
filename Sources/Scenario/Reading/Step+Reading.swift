extension Step {
  /// What a step says: one action, and how often and with what result.
  enum Key: String, CaseIterable {
    case launch, suspend, resume, kill, relaunch, stop
    case signIn, signOut, switchIdentity
    case share, `import`, drop, copy, paste, openURL
    case saveTo, openFrom, use, readContacts
    case keychainAdd, keychainQuery, keychainDelete
    case unlock, device, accountStatus
    case advance, concurrently
    case `repeat`, expect

    var isAction: Bool { self != .repeat && self != .expect }
  }

  static func readAll(_ value: YAMLValue, _ names: Names) throws(Mistake) -> [Step] {
    let elements = try value.sequence()
    guard !elements.isEmpty else { throw value.mistake(.missingKey, "the list of steps is empty") }
    var steps: [Step] = []
    for element in elements { steps.append(try Step(element, names)) }
    return steps
  }

  private init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a step")
    let actions = Key.allCases.filter { $0.isAction && fields[$0] != nil }
    guard let key = actions.first, let action = fields[key] else {
      throw value.mistake(
        .missingKey, "a step needs an action, such as `launch` or `share`")
    }
    if actions.count > 1 { try fields.refuse(actions[1], beside: key) }
    var expectation: Expectation?
    if let expect = fields[.expect] {
      expectation = try Expectation(expect, of: key, names)
    }
    self.init(
      position: fields.position(of: key), action: try Action(key, action, names),
      count: try fields[.repeat]?.int(in: 1...1_000_000) ?? 1, expectation: expectation)
  }
}
