import Transfer

extension Expectation {
  enum Key: String, CaseIterable {
    case verdict, reason, decidedBy, end, status, exit, received, returned, identity, managed,
      owner,
      accepted
    case shown, encrypted, hidden
    case state, enrollment, compliance, token
    case value, values, conflict
  }

  init(_ value: YAMLValue, of step: Step.Key, _ names: Names) throws(Mistake) {
    try self.init(value, of: step.rawValue, Self.keys(of: step), names)
  }

  private init(
    _ value: YAMLValue, of subject: String, _ known: Set<Key>, _ names: Names
  ) throws(Mistake) {
    let fields = try Fields<Key>(value, "an expectation")
    for key in Key.allCases where fields[key] != nil && !known.contains(key) {
      throw Mistake(
        .conflictingKeys, at: fields.position(of: key),
        "`\(subject)` has no `\(key.rawValue)` to expect")
    }
    self.init()
    verdict = try fields[.verdict]?.word()
    for rule in try fields[.reason]?.oneOrMore() ?? [] { reasons.append(try rule.word()) }
    deciding = try fields[.decidedBy]?.word()
    end = try fields[.end]?.word()
    status = try fields[.status]?.int()
    exit = try fields[.exit]?.choice(of: Self.exitCodes)
    received = try fields[.received]?.text()
    for item in try fields[.returned]?.oneOrMore() ?? [] {
      returned.append(
        try Expectation(
          item, of: Key.returned.rawValue, [.verdict, .reason, .decidedBy, .end, .received], names))
    }
    if let value = fields[.identity] { identity = try names.identity(value) }
    isManaged = try fields[.managed]?.bool()
    if let value = fields[.owner] { owner = try names.identity(value) }
    isAccepted = try fields[.accepted]?.bool()
    try readDestinations(fields, names)
    try readEnrollment(fields)
    try fields.refuse(.values, beside: .value)
    values = try fields[.values]?.texts()
    if let value = fields[.value] { values = [try value.text()] }
    hasConflict = try fields[.conflict]?.bool()
    guard self != Expectation() else { throw value.mistake(.missingKey, "nothing is expected") }
  }

  /// What a step can be expected to show.
  static func keys(of step: Step.Key) -> Set<Key> {
    let request = Set(Key.allCases).subtracting([.returned, .owner, .accepted])
      .subtracting([
        .shown, .encrypted, .hidden, .state, .enrollment, .compliance, .token, .value, .values,
        .conflict,
      ])
    let file = request.subtracting([.identity, .managed])
    return switch step {
    case .launch, .relaunch, .resume: [.exit, .identity, .managed]
    case .suspend, .kill, .stop: [.exit]
    case .wait, .advance, .device, .accountStatus, .concurrently, .repeat, .expect, .as, .window,
      .assign,
      .rename, .restart, .residue, .service, .conditionalAccess, .assignConfiguration,
      .declarations:
      []
    case .register, .login, .unenroll, .remediate:
      request.subtracting([.received]).union([.state, .enrollment, .compliance])
    case .acquireToken: request.subtracting([.received]).union([.token])
    case .checkIn, .enrollmentState: [.state, .enrollment, .compliance, .identity, .managed]
    case .configuration: [.value, .values, .conflict]
    case .administratorEvents, .served: [.received]
    case .managedApp: request.subtracting([.identity, .managed])
    case .configure, .wipe: [.identity, .managed, .exit]
    case .askApp: [.accepted, .identity, .managed]
    case .readFile, .unprotectData: file.union([.owner])
    case .writeFile, .appendFile, .fileInfo, .protectFile, .moveFile, .removeFile, .protectData:
      file.union([.owner]).subtracting([.received])
    case .copy, .keychainAdd, .keychainDelete, .saveTo, .openFrom, .readContacts:
      request.subtracting([.received, .identity, .managed])
    case .use, .callExtension:
      request.subtracting([.received, .identity, .managed]).union([.returned])
    case .keychainQuery: request.subtracting([.identity, .managed])
    case .signIn: request.subtracting([.received]).union([.state, .enrollment])
    case .signOut, .switchIdentity, .unlock: request.subtracting([.received])
    case .import, .paste, .openURL: request
    case .share, .drop: request.union([.returned])
    case .shareSheet: [.shown, .encrypted, .hidden]
    }
  }

  static let exitCodes: [String] = [
    ExitCause.stopped, .exited(status: 0), .signalled(signal: 0), .killed, .unresponsive(doing: ""),
    .protocolViolation(""), .memoryLimit(mebibytes: 0), .notStarted(""),
  ].map(\.code)
}
