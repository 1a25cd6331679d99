import Transfer

extension Action.ConfigurationAssignment {
  enum Key: String, CaseIterable {
    case account, configuration
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "an assignment of configurations")
    var configurations: [String] = []
    for element in try fields[.configuration]?.oneOrMore() ?? [] {
      configurations.append(try names.configuration(element))
    }
    self.init(
      account: try names.account(fields.required(.account)), configurations: configurations)
  }
}

extension Action.ConfigurationLookup {
  enum Key: String, CaseIterable {
    case app, account, key, type, query
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a look into a configuration")
    let type: ConfigurationQuestion.ValueType = try fields[.type]?.word() ?? .string
    let query: ConfigurationQuestion.Query = try fields[.query]?.word() ?? .any
    self.init(
      guest: try names.guest(fields.required(.app)),
      account: try names.account(fields.required(.account)),
      key: try fields.required(.key).text(), type: type, query: query)
    let question = ConfigurationQuestion(account: "", key: key, type: type, query: query)
    guard question.isMeaningful else {
      throw Mistake(
        .invalidValue, at: fields.position(of: .query),
        "`\(query.rawValue)` is no query for a \(type.rawValue): booleans have `any`, `or`, `and` and "
          + "`all`, numbers and strings `any`, `min`, `max` and `all`")
    }
  }
}
