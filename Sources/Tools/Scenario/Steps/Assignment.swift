extension Action {
  /// An assignment of policies to an account. It replaces all of the account's previous policies.
  package struct Assignment: StepDetail {
    package var account: String
    /// The names of the policies. If empty, the account becomes unmanaged.
    package var policies: [String]
  }
}

extension Action.Assignment {
  package var concernsEachDevice: Bool { true }

  package var text: String {
    policies.isEmpty
      ? "\(account) loses its policies"
      : "\(account) gets the policy \(policies.joined(separator: " and "))"
  }

  static let step = StepRow(
    "assign",
    "Replace the policies that are targeted at an account; their own targeting of apps applies",
    .mapping(MappingRow("assign", Key.self)),
    example: #"{"account": "anna", "policy": "base"}"#,
    synonyms: ["policy", "target"]
  ) { (value, names) throws(InputError) in .change(.assign(try Action.Assignment(value, names))) }

  private enum Key: String, MappingKey {
    case account, policy

    var row: KeyRow {
      switch self {
      case .account: .account
      case .policy:
        .optional(
          .oneOrMore(.name),
          "Name of a policy, or a list of names. Default: none, and the account is unmanaged")
      }
    }
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "an assignment")
    let policies = try Self.policies(fields[.policy], names)
    self.init(account: try names.account(fields.required(.account)), policies: policies)
  }

  /// Reads the name of a policy, or a list of names.
  static func policies(_ value: YAMLValue?, _ names: Names) throws(InputError) -> [String] {
    var policies: [String] = []
    for policy in try value?.oneOrMore() ?? [] { policies.append(try names.policy(policy)) }
    return policies
  }
}

// MARK: - Saving a policy

extension Action {
  /// New settings for a policy, which the administrator saves.
  package struct PolicySaving: StepDetail {
    package var policy: String
    /// The path of the file with the settings, relative to the scenario file; nil if the scenario itself states them.
    package var file: String?
  }
}

extension Action.PolicySaving {
  package var concernsEachDevice: Bool { true }

  package var namedFile: String? { file }

  package var text: String {
    let settings = file.map { "with the settings of `\(short($0))`" } ?? "as the scenario states it"
    return "the administrator saves the policy \(policy) \(settings)"
  }

  static let step = StepRow(
    "savePolicy",
    "Replace a policy's settings by those of a file, or by the scenario's own; assignments stay",
    .mapping(MappingRow("savePolicy", Key.self)),
    example: #"{"policy": "base", "file": "policies/stricter.json"}"#,
    synonyms: ["changepolicy", "updatepolicy", "setpolicy", "policy"],
    path: .key(Key.file.rawValue)
  ) { (value, names) throws(InputError) in
    .change(.savePolicy(try Action.PolicySaving(value, names)))
  }

  private enum Key: String, MappingKey {
    case policy, file

    var row: KeyRow {
      switch self {
      case .policy: .required(.name, "Name of a policy")
      case .file:
        .optional(
          .text,
          "Path of a JSON file of Graph, relative to the scenario file. Default: none, and the policy is as the "
            + "scenario states it")
      }
    }
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "`savePolicy`")
    self.init(
      policy: try names.policy(fields.required(.policy)),
      file: try fields[.file]?.text())
  }
}

// MARK: - Conditional access

extension Action {
  /// The targeting of a conditional access policy. It replaces all accounts that the policy previously targeted.
  package struct ConditionalAccessTargeting: StepDetail {
    package var policy: String
    /// The names of the targeted accounts. If empty, no account is targeted.
    package var accounts: [String]
  }
}

extension Action.ConditionalAccessTargeting {
  package var concernsEachDevice: Bool { true }

  package var text: String {
    let who = accounts.isEmpty ? "no account" : accounts.joined(separator: " and ")
    return "the conditional access policy \(policy) is for \(who)"
  }

  static let step = StepRow(
    "conditionalAccess",
    "Replace the accounts of a conditional access policy",
    .mapping(MappingRow("conditionalAccess", Key.self)),
    example: #"{"policy": "protected", "assign": ["anna"]}"#
  ) { (value, names) throws(InputError) in
    .change(.conditionalAccess(try Action.ConditionalAccessTargeting(value, names)))
  }

  private enum Key: String, MappingKey {
    case policy, assign

    var row: KeyRow {
      switch self {
      case .policy: .required(.name, "Name of a conditional access policy")
      case .assign: .required(.list(of: .name), "Names of accounts; empty: no account")
      }
    }
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "the targeting of conditional access")
    self.init(
      policy: try names.conditionalAccess(fields.required(.policy)),
      accounts: try names.accounts(fields.required(.assign)))
  }
}

// MARK: - The tenant

extension Action {
  /// The replacement of the tenant's settings, assignments and memberships by those of another export.
  package struct TenantChange: StepDetail {
    /// The path of the export's folder, relative to the scenario file.
    package var folder: String
  }
}

extension Action.TenantChange {
  package var concernsEachDevice: Bool { true }

  package var namedFile: String? { folder }

  package func mayConfigure(anyOf guests: [String]) -> Bool { true }

  package var text: String { "the tenant is replaced by `\(short(folder))`" }

  static let step = StepRow(
    "tenant",
    "Replace the tenant's settings, assignments and memberships with those of another export, "
      + "relative to the scenario file",
    .value(.name),
    example: #""exports/after""#,
    synonyms: ["export", "exports"], path: .value
  ) { (value, names) throws(InputError) in
    .change(.tenant(try Action.TenantChange(value, names)))
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    guard names.hasTenant else {
      throw value.mistake(
        .conflictingKeys,
        "a `tenant` step requires a `tenant` in the scenario, which the step replaces")
    }
    self.init(folder: try value.text())
  }
}
