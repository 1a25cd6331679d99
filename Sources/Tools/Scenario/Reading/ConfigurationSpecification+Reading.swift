extension ConfigurationSpecification {
  enum Key: String, CaseIterable {
    case file, json, `default`, assign
  }

  static func readAll(
    _ value: YAMLValue?, _ names: Names
  ) throws(Mistake) -> [ConfigurationSpecification] {
    var configurations: [ConfigurationSpecification] = []
    for member in try value?.mapping() ?? [] {
      configurations.append(try ConfigurationSpecification(member, names))
    }
    return configurations
  }

  private init(_ member: YAMLValue.Member, _ names: Names) throws(Mistake) {
    let name = try Names.validated(member, naming: "a configuration")
    let fields = try Fields<Key>(member.value, "the configuration `\(name)`")
    var assignments: [PolicySpecification.Assignment] = []
    for element in try PolicySpecification.Assignment.list(fields[.assign], names) {
      assignments.append(try PolicySpecification.Assignment(element, names))
    }
    if let value = fields[.assign], assignments.isEmpty {
      throw value.mistake(
        .invalidValue,
        "`assign` is empty, so that the configuration is for nobody; name an account, as in "
          + "`[{ account: anna }]`, or leave it out")
    }
    self.init(
      position: member.position, name: name, document: try Self.document(fields, name),
      isDefault: try fields[.default]?.bool() ?? false, assignments: assignments)
  }

  private static func document(
    _ fields: Fields<Key>, _ name: String
  ) throws(Mistake) -> PolicySpecification.Document {
    try fields.rejectConflict(.json, with: .file)
    if let value = fields[.json] {
      _ = try value.mapping()
      return .inline(try InlineJSON.text(of: value))
    }
    guard let file = fields[.file] else {
      throw Mistake(
        .missingKey, at: fields.position, "the configuration `\(name)` needs `file` or `json`")
    }
    return .file(try file.text())
  }
}
