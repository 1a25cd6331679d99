extension Action.Keychain {
  enum Key: String, CaseIterable {
    case app, group, service, account
  }

  enum AddKey: String, CaseIterable {
    case app, group, service, account, value
  }

  init(_ operation: Operation, _ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a keychain step")
    self.init(
      operation: operation, guest: try names.guest(fields.required(.app)),
      group: try fields[.group]?.text(), service: try fields.required(.service).text(),
      account: try fields.required(.account).text())
  }

  init(adding value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<AddKey>(value, "a keychain step")
    self.init(
      operation: .add, guest: try names.guest(fields.required(.app)),
      group: try fields[.group]?.text(), service: try fields.required(.service).text(),
      account: try fields.required(.account).text(), value: try fields.required(.value).text())
  }
}
