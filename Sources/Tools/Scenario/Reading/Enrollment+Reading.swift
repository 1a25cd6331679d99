import Model

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
    let name = try Names.validated(member, naming: "a conditional access policy")
    let fields = try Fields<Key>(member.value, "the conditional access policy `\(name)`")
    try fields.rejectConflict(.json, with: .file)
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

  /// The status in a value, by its number or its name.
  private static func status(_ value: YAMLValue) throws(Mistake) -> EnrollmentStatus {
    let text = try value.text()
    if let status = Int(text).flatMap(EnrollmentStatus.init) { return status }
    return try value.choice(
      of: EnrollmentStatus.allCases, named: \.name, listedIn: "docs/enrollment.md")
  }
}
