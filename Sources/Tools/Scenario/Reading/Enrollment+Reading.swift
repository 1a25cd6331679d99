import Transfer

extension Action.Enrollment {
  enum Key: String, CaseIterable {
    case app, account
  }

  init(_ value: YAMLValue, _ names: Names, isLogin: Bool) throws(Mistake) {
    let fields = try Fields<Key>(value, "an enrollment")
    self.init(
      guest: try names.sender(fields.required(.app)),
      account: try fields[.account].map { value throws(Mistake) in try names.account(value) },
      isLogin: isLogin)
  }
}

extension Action.Unenrollment {
  enum Key: String, CaseIterable {
    case app, account, wipe
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "an unenrollment")
    self.init(
      guest: try names.guest(fields.required(.app)),
      account: try names.account(fields.required(.account)),
      wipes: try fields[.wipe]?.bool() ?? false)
  }
}

extension Action.Remediation {
  enum Key: String, CaseIterable {
    case app, account, silent
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a remediation")
    self.init(
      guest: try names.guest(fields.required(.app)),
      account: try names.account(fields.required(.account)),
      isSilent: try fields[.silent]?.bool() ?? false)
  }
}

extension Action.Token {
  enum Key: String, CaseIterable {
    case app, account, resource, capabilities
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a token")
    self.init(
      guest: try names.guest(fields.required(.app)),
      account: try names.account(fields.required(.account)),
      resource: try fields.required(.resource).text(),
      capabilities: try fields[.capabilities]?.texts())
  }
}

extension Action.ConditionalAccessTargeting {
  enum Key: String, CaseIterable {
    case policy, assign
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "the targeting of conditional access")
    self.init(
      policy: try names.conditionalAccess(fields.required(.policy)),
      accounts: try names.accounts(fields.required(.assign)))
  }
}

extension ConditionalAccessSpecification {
  enum Key: String, CaseIterable {
    case file, json, assign
  }

  static func readAll(
    _ value: YAMLValue?, _ names: Names
  ) throws(Mistake) -> [ConditionalAccessSpecification] {
    var policies: [ConditionalAccessSpecification] = []
    for member in try value?.mapping() ?? [] {
      policies.append(try ConditionalAccessSpecification(member, names))
    }
    return policies
  }

  private init(_ member: YAMLValue.Member, _ names: Names) throws(Mistake) {
    let name = try Names.new(member, "a conditional access policy")
    let fields = try Fields<Key>(member.value, "the conditional access policy `\(name)`")
    try fields.refuse(.json, beside: .file)
    let document: PolicySpecification.Document
    if let value = fields[.json] {
      _ = try value.mapping()
      document = .inline(try InlineJSON.text(of: value))
    } else if let file = fields[.file] {
      document = .file(try file.text())
    } else {
      throw Mistake(
        .missingKey, at: fields.position,
        "the conditional access policy `\(name)` needs `file` or `json`")
    }
    self.init(
      position: member.position, name: name, document: document,
      accounts: try fields[.assign].map { value throws(Mistake) in try names.accounts(value) })
  }
}

extension Expectation {
  mutating func readEnrollment(_ fields: Fields<Key>) throws(Mistake) {
    enrollmentState = try fields[.state]?.word()
    if let value = fields[.enrollment] { enrollment = try Self.status(value) }
    if let value = fields[.compliance] {
      compliance = try value.choice(of: ComplianceStatus.allCases, named: \.name)
    }
    hasToken = try fields[.token]?.bool()
  }

  /// A status by its number, or by its name.
  private static func status(_ value: YAMLValue) throws(Mistake) -> EnrollmentStatus {
    let text = try value.text()
    if let status = Int(text).flatMap(EnrollmentStatus.init) { return status }
    return try value.choice(
      of: EnrollmentStatus.allCases, named: \.name, listedIn: "docs/enrollment.md")
  }
}
