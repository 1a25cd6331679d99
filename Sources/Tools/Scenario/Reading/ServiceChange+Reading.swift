import Transfer

extension ServiceChange {
  enum Key: String, CaseIterable {
    case reachable, delay, restartsApps, pushesPolicies, mdmUser, emmAccount, deviceAccount
    case accounts
  }

  enum UserKey: String, CaseIterable {
    case licensed, credentials, login, wipe, answer
  }

  enum Credentials: String, CaseIterable {
    case cached, needed
  }

  enum Login: String, CaseIterable {
    case succeeds, cancelled
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "the service")
    self.init()
    isReachable = try fields[.reachable]?.bool()
    if let value = fields[.delay] {
      delay = try value.text() == "PT0S" ? 0 : try Action.seconds(value)
    }
    restartsApps = try fields[.restartsApps]?.bool()
    pushesPolicies = try fields[.pushesPolicies]?.bool()
    mdmUser = try Self.account(fields[.mdmUser], names)
    emmAccount = try Self.account(fields[.emmAccount], names)
    deviceAccount = try Self.account(fields[.deviceAccount], names)
    for member in try fields[.accounts]?.mapping() ?? [] {
      guard names.accounts.contains(member.key) else {
        throw Mistake(
          .unknownName, at: member.position,
          "no account is called `\(member.key)`"
            + Wording.hint(for: member.key, among: names.accounts))
      }
      users[member.key] = try User(member.value)
    }
    guard !isEmpty else { throw value.mistake(.missingKey, "nothing is said of the service") }
  }

  /// An account, or `unset`.
  private static func account(
    _ value: YAMLValue?, _ names: Names
  ) throws(Mistake) -> IdentityReference? {
    guard let value else { return nil }
    if try value.text() == "unset" { return .unset }
    return .account(try names.account(value))
  }
}

extension ServiceChange.User {
  fileprivate init(_ value: YAMLValue) throws(Mistake) {
    let fields = try Fields<ServiceChange.UserKey>(value, "an account of the service")
    self.init()
    isLicensed = try fields[.licensed]?.bool()
    let credentials: ServiceChange.Credentials? = try fields[.credentials]?.word()
    needsCredentials = credentials.map { $0 == .needed }
    let login: ServiceChange.Login? = try fields[.login]?.word()
    cancelsLogin = login.map { $0 == .cancelled }
    isWiped = try fields[.wipe]?.bool()
    if let value = fields[.answer] { answer = try Self.answer(value) }
  }

  private static func answer(_ value: YAMLValue) throws(Mistake) -> ServiceChange.Answer {
    let failures = EnrollmentStatus.allCases.filter { !$0.isSuccess }
    return try value.choice(
      of: [.regular] + failures.map(ServiceChange.Answer.failure), named: name(of:),
      listedIn: "docs/enrollment.md")
  }

  private static func name(of answer: ServiceChange.Answer) -> String {
    switch answer {
    case .regular: "regular"
    case .failure(let status): status.name
    }
  }
}
