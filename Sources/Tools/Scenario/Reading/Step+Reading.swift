extension Step {
  /// What a step says: one action, and how often and with what result.
  enum Key: String, CaseIterable {
    case launch, suspend, resume, kill, relaunch, stop
    case signIn, signOut, switchIdentity
    case shareSheet
    case share, `import`, drop, copy, paste, openURL
    case saveTo, openFrom, use, readContacts
    case keychainAdd, keychainQuery, keychainDelete
    case writeFile, appendFile, readFile, fileInfo, protectFile, moveFile, removeFile
    case protectData, unprotectData
    case unlock, device, accountStatus
    case wipe, configure, assign, rename, restart, askApp, residue
    case register, login, unenroll, checkIn, remediate, acquireToken, enrollmentState
    case service, conditionalAccess
    case assignConfiguration, configuration
    case declarations, managedApp, administratorEvents, served, callExtension
    case wait, advance, concurrently
    case `repeat`, expect, `as`, window

    var isAction: Bool { ![.repeat, .expect, .as, .window].contains(self) }
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
      count: try fields[.repeat]?.int(in: 1...1_000_000) ?? 1, expectation: expectation,
      at: fields[.expect]?.position, task: try Self.task(fields, of: key, names))
  }

  private static func task(
    _ fields: Fields<Key>, of action: Key, _ names: Names
  ) throws(Mistake) -> TaskReference? {
    for key in [Key.as, .window] where fields[key] != nil && !action.isTask {
      throw Mistake(
        .conflictingKeys, at: fields.position(of: key),
        "`\(action.rawValue)` has no `\(key.rawValue)`: no task of an app does it")
    }
    let thread = try fields[.as].map { value throws(Mistake) in try names.identity(value) }
    let window = try fields[.window]?.text()
    guard thread != nil || window != nil else { return nil }
    return TaskReference(thread: thread, window: window)
  }
}

extension Step.Key {
  /// Whether a task of an app makes the step's request.
  fileprivate var isTask: Bool {
    switch self {
    case .shareSheet, .share, .import, .drop, .copy, .paste, .openURL, .saveTo, .openFrom, .use,
      .readContacts, .keychainAdd, .keychainQuery, .keychainDelete, .writeFile, .appendFile,
      .readFile, .fileInfo, .protectFile, .moveFile, .removeFile, .protectData, .unprotectData:
      true
    default: false
    }
  }
}
