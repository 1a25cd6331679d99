package import JSON

/// An app protection policy and its assignments.
package struct PolicySpecification: Sendable, Equatable {
  package var position: Position
  /// The policy's name in the scenario.
  package var name: String
  package var document: Document
  package var assignments: [Assignment] = []

  /// The source of the policy's properties.
  package enum Document: Sendable, Equatable {
    /// The path of a Graph JSON file, relative to the scenario file.
    case file(String)
    /// Properties in the scenario itself, as JSON text. Each member is on the same line number as in the
    /// scenario.
    case inline(String)
  }

  /// An account that the policy targets.
  package struct Assignment: Sendable, Equatable {
    package var position: Position
    /// The account's name in the scenario.
    package var account: String
    /// The bundle ids of the apps; nil means the policy's own targeting.
    package var apps: [String]?
  }
}

extension PolicySpecification {
  enum Key: String, DocumentKey {
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
    let assignments = try Assignment.readAll(fields[.assign], names, of: "the policy")
    self.init(
      position: member.position, name: name,
      document: try Document(fields, of: "the policy `\(name)`"), assignments: assignments)
  }
}

/// The keys for a document: a Graph file, or properties in the scenario.
private protocol DocumentKey: RawRepresentable<String>, CaseIterable, Hashable {
  static var file: Self { get }
  static var json: Self { get }
}

extension PolicySpecification.Document {
  fileprivate init(_ fields: Fields<some DocumentKey>, of subject: String) throws(Mistake) {
    try fields.rejectConflict(.json, with: .file)
    if let value = fields[.json] {
      _ = try value.mapping()
      self = .inline(try InlineJSON.text(of: value))
    } else if let file = fields[.file] {
      self = .file(try file.text())
    } else {
      throw Mistake(.missingKey, at: fields.position, "\(subject) needs `file` or `json`")
    }
  }
}

extension PolicySpecification.Assignment {
  /// Reads a list of assignments. A missing list is empty.
  fileprivate static func readAll(
    _ value: YAMLValue?, _ names: Names, of subject: String
  ) throws(Mistake) -> [Self] {
    guard let value else { return [] }
    if case .scalar(let text, _) = value.kind, !value.isEmpty {
      let account = names.accounts.contains(text) ? text : names.accounts.first ?? "anna"
      throw value.mistake(
        .wrongType,
        "`\(value.name)` must be a list, found \(value.found); write `[{ account: \(account) }]`")
    }
    var assignments: [Self] = []
    for element in try value.sequence() { assignments.append(try Self(element, names)) }
    guard !assignments.isEmpty else {
      throw value.mistake(
        .invalidValue,
        "`assign` is empty, so that \(subject) is for nobody; name an account, as in "
          + "`[{ account: anna }]`, or leave it out")
    }
    return assignments
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

// MARK: - App configurations

/// An app configuration and its assignments.
package struct ConfigurationSpecification: Sendable, Equatable {
  package var position: Position
  /// The configuration's name in the scenario.
  package var name: String
  package var document: PolicySpecification.Document
  /// Whether the configuration is the tenant's default, overriding a file that does not state so.
  package var isDefault = false
  package var assignments: [PolicySpecification.Assignment] = []
}

extension ConfigurationSpecification {
  enum Key: String, DocumentKey {
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
    let assignments = try PolicySpecification.Assignment.readAll(
      fields[.assign], names, of: "the configuration")
    self.init(
      position: member.position, name: name,
      document: try PolicySpecification.Document(fields, of: "the configuration `\(name)`"),
      isDefault: try fields[.default]?.bool() ?? false, assignments: assignments)
  }
}

// MARK: - Conditional access

/// A conditional access policy and the accounts that the scenario targets.
package struct ConditionalAccessSpecification: Sendable, Equatable {
  package var position: Position
  /// The policy's name in the scenario.
  package var name: String
  package var document: PolicySpecification.Document
  /// The names of the targeted accounts; nil means those in the policy's own conditions.
  package var accounts: [String]?
}

extension ConditionalAccessSpecification {
  enum Key: String, DocumentKey {
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
    self.init(
      position: member.position, name: name,
      document: try PolicySpecification.Document(
        fields, of: "the conditional access policy `\(name)`"),
      accounts: try fields[.assign].map { value throws(Mistake) in try names.accounts(value) })
  }
}
