extension PolicySpecification {
  enum Key: String, CaseIterable {
    case file, json, assign
  }

  enum AssignmentKey: String, CaseIterable {
    case account, apps
  }

  static func readAll(
    _ value: YAMLValue?, _ names: Names
  ) throws(Mistake) -> [PolicySpecification] {
    var policies: [PolicySpecification] = []
    for member in try value?.mapping() ?? [] {
      policies.append(try PolicySpecification(member, names))
    }
    return policies
  }

  private init(_ member: YAMLValue.Member, _ names: Names) throws(Mistake) {
    let name = try Names.validated(member, naming: "a policy")
    let fields = try Fields<Key>(member.value, "the policy `\(name)`")
    var assignments: [Assignment] = []
    for element in try Assignment.list(fields[.assign], names) {
      assignments.append(try Assignment(element, names))
    }
    if let value = fields[.assign], assignments.isEmpty {
      throw value.mistake(
        .invalidValue,
        "`assign` is empty, so that the policy is for nobody; name an account, as in "
          + "`[{ account: anna }]`, or leave it out")
    }
    self.init(
      position: member.position, name: name, document: try Self.document(fields, name),
      assignments: assignments)
  }

  private static func document(
    _ fields: Fields<Key>, _ name: String
  ) throws(Mistake) -> Document {
    try fields.rejectConflict(.json, with: .file)
    if let value = fields[.json] {
      _ = try value.mapping()
      return .inline(try InlineJSON.text(of: value))
    }
    guard let file = fields[.file] else {
      throw Mistake(
        .missingKey, at: fields.position, "the policy `\(name)` needs `file` or `json`")
    }
    return .file(try file.text())
  }
}

extension PolicySpecification.Assignment {
  /// The elements of a list of assignments; empty where there is none.
  static func list(_ value: YAMLValue?, _ names: Names) throws(Mistake) -> [YAMLValue] {
    guard let value else { return [] }
    if case .scalar(let text, _) = value.kind, !value.isEmpty {
      let account = names.accounts.contains(text) ? text : names.accounts.first ?? "anna"
      throw value.mistake(
        .wrongType,
        "`\(value.name)` must be a list, found \(value.found); write `[{ account: \(account) }]`")
    }
    return try value.sequence()
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<PolicySpecification.AssignmentKey>(value, "an assignment")
    var apps: [String]?
    for element in try fields[.apps]?.sequence() ?? [] {
      apps = (apps ?? []) + [try names.bundleID(element)]
    }
    if let value = fields[.apps], apps == nil {
      throw value.mistake(
        .invalidValue, "`apps` is empty; leave it out where the policy's own targeting decides")
    }
    self.init(
      position: value.position, account: try names.account(fields.required(.account)), apps: apps)
  }
}
