extension Action.Configuration {
  enum Key: String, CaseIterable {
    case app, configuration
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a configuration")
    var entries: [String: String] = [:]
    for entry in try fields.required(.configuration).mapping() {
      entries[entry.key] = try entry.value.text()
    }
    self.init(guest: try names.guest(fields.required(.app)), entries: entries)
  }
}

extension Action.Assignment {
  enum Key: String, CaseIterable {
    case account, policy
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "an assignment")
    var policies: [String] = []
    for policy in try fields[.policy]?.oneOrMore() ?? [] {
      policies.append(try names.policy(policy))
    }
    self.init(account: try names.account(fields.required(.account)), policies: policies)
  }
}

extension Action.Renaming {
  enum Key: String, CaseIterable {
    case account, upn
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a renaming")
    let upn = try fields.required(.upn)
    guard try upn.text().contains("@") else {
      throw upn.mistake(.invalidValue, "`\(try upn.text())` is no UPN, such as `anna@contoso.com`")
    }
    self.init(account: try names.account(fields.required(.account)), upn: try upn.text())
  }
}

extension Action.DelegateCall {
  enum Key: String, CaseIterable {
    case app, to, account
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a question of the SDK")
    self.init(
      guest: try names.guest(fields.required(.app)), kind: try fields.required(.to).word(),
      account: try names.account(fields.required(.account)))
  }
}

extension Action.Residue {
  enum Key: String, CaseIterable {
    case account, canaries, apps
  }

  /// The table of a search grows with them, many times over.
  private static let longestCanaries = 4_096

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a search for residue")
    let canaries = try fields[.canaries]?.texts() ?? []
    if let list = fields[.canaries],
      canaries.reduce(0, { $0 + $1.utf8.count }) > Self.longestCanaries
    {
      throw list.mistake(
        .tooLarge, "`canaries` have \(Self.longestCanaries) bytes at most, all together")
    }
    self.init(
      account: try names.account(fields.required(.account)), canaries: canaries,
      guests: try fields[.apps].map { value throws(Mistake) in try names.guests(value) } ?? [])
  }
}

extension Action {
  static func restart(_ value: YAMLValue) throws(Mistake) -> Action {
    guard try value.text() == "device" else {
      throw value.mistake(.invalidValue, "`restart` must be `device`, found `\(try value.text())`")
    }
    return .restart
  }
}
