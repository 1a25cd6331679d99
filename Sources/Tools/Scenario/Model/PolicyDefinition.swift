package import Encodings

/// An app protection policy and its assignments.
package struct PolicyDefinition: Sendable, Equatable {
  package var name: String
  package var document: Document
  package var assignments: [Assignment] = []

  /// The source of the policy's properties.
  package enum Document: Sendable, Equatable {
    /// The path of a Graph JSON file, relative to the scenario file.
    case file(String)
    /// Properties in the scenario itself, as JSON text. Each member keeps its line in the scenario.
    case inline(String)
  }

  /// An account that the policy targets.
  package struct Assignment: Sendable, Equatable {
    package var position: Position
    /// The account's name in the scenario.
    package var account: String
    /// The bundle ids of the targeted apps; nil for the policy's own targeting.
    package var apps: [String]?
  }
}

extension PolicyDefinition {
  enum Key: String, DocumentKey {
    case file, json, assign
  }

  enum AssignmentKey: String, FieldKey {
    case account, apps

    static let synonyms: [String: AssignmentKey] = [
      "user": .account, "upn": .account, "identity": .account, "to": .account, "app": .apps,
      "bundles": .apps, "bundleids": .apps,
    ]
  }

  static func readAll(
    _ value: YAMLValue?, _ names: Names
  ) throws(InputError) -> [PolicyDefinition] {
    try (value?.mapping() ?? []).readEach { member throws(InputError) in
      try member.readAllParts { member throws(InputError) in try PolicyDefinition(member, names) }
    }
  }

  private init(_ member: YAMLValue.Member, _ names: Names) throws(InputError) {
    let name = try Names.validated(member, naming: "a policy")
    let fields = try Fields<Key>(member.value, "the policy `\(name)`")
    let assignments = try Assignment.readAll(fields[.assign], names, of: "the policy")
    self.init(
      name: name, document: try Document(fields, of: "the policy `\(name)`"),
      assignments: assignments)
  }
}

/// The keys of every definition with a document: the document, as a Graph file or as properties in the scenario, and
/// the document's assignments.
private protocol DocumentKey: FieldKey {
  static var file: Self { get }
  static var json: Self { get }
  static var assign: Self { get }
}

extension DocumentKey {
  static var synonyms: [String: Self] {
    [
      "path": .file, "document": .file, "source": .file, "policy": .file, "settings": .json,
      "inline": .json, "content": .json, "properties": .json, "assignments": .assign,
      "assigned": .assign, "accounts": .assign, "account": .assign, "users": .assign,
      "groups": .assign, "targets": .assign, "target": .assign,
    ]
  }
}

extension PolicyDefinition.Document {
  fileprivate init(_ fields: Fields<some DocumentKey>, of subject: String) throws(InputError) {
    try fields.rejectConflict(.json, with: .file)
    if let value = fields[.json] {
      _ = try value.mapping()
      self = .inline(try InlineJSON.text(of: value))
    } else if let file = fields[.file] {
      self = .file(try file.text())
    } else {
      throw InputError(.missingKey, at: fields.position, "\(subject) needs `file` or `json`")
    }
  }
}

extension PolicyDefinition.Assignment {
  /// Reads a list of assignments. A missing list counts as empty.
  fileprivate static func readAll(
    _ value: YAMLValue?, _ names: Names, of subject: String
  ) throws(InputError) -> [Self] {
    guard let value else { return [] }
    if case .scalar(let text, _) = value.kind, !value.isEmpty {
      let account = names.accounts.contains(text) ? text : names.accounts.inOrder.first ?? "anna"
      throw value.mistake(
        .wrongType,
        "`\(value.name)` must be a list, found \(value.found); write `[{ account: \(account) }]`")
    }
    let assignments = try value.sequence().readEach { element throws(InputError) in
      try Self(element, names)
    }
    guard !assignments.isEmpty else {
      throw value.mistake(
        .invalidValue,
        "`assign` is empty, so \(subject) applies to no account; name one, as in "
          + "`[{ account: anna }]`, or leave `assign` out")
    }
    return assignments
  }

  init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<PolicyDefinition.AssignmentKey>(value, "an assignment")
    var apps: [String]?
    for element in try fields[.apps]?.sequence() ?? [] {
      apps = (apps ?? []) + (try names.bundleIDs(element))
    }
    if let value = fields[.apps], apps == nil {
      throw value.mistake(
        .invalidValue, "`apps` is empty; leave it out to use the policy's own targeting")
    }
    self.init(
      position: value.position, account: try names.account(fields.required(.account)), apps: apps)
  }
}

// MARK: - App configurations

package struct ConfigurationDefinition: Sendable, Equatable {
  package var name: String
  package var document: PolicyDefinition.Document
  /// Whether the configuration is the tenant's default, even if its file does not mark it as such.
  package var isDefault = false
  package var assignments: [PolicyDefinition.Assignment] = []
}

extension ConfigurationDefinition {
  enum Key: String, DocumentKey {
    case file, json, `default`, assign
  }

  static func readAll(
    _ value: YAMLValue?, _ names: Names
  ) throws(InputError) -> [ConfigurationDefinition] {
    try (value?.mapping() ?? []).readEach { member throws(InputError) in
      try member.readAllParts { member throws(InputError) in
        try ConfigurationDefinition(member, names)
      }
    }
  }

  private init(_ member: YAMLValue.Member, _ names: Names) throws(InputError) {
    let name = try Names.validated(member, naming: "a configuration")
    let fields = try Fields<Key>(member.value, "the configuration `\(name)`")
    let assignments = try PolicyDefinition.Assignment.readAll(
      fields[.assign], names, of: "the configuration")
    self.init(
      name: name,
      document: try PolicyDefinition.Document(fields, of: "the configuration `\(name)`"),
      isDefault: try fields[.default]?.bool() ?? false, assignments: assignments)
  }
}

// MARK: - Conditional access

/// A conditional access policy and the accounts that the scenario targets.
package struct ConditionalAccessDefinition: Sendable, Equatable {
  package var name: String
  package var document: PolicyDefinition.Document
  /// The names of the targeted accounts; nil for the accounts in the policy's own conditions.
  package var accounts: [String]?
}

extension ConditionalAccessDefinition {
  enum Key: String, DocumentKey {
    case file, json, assign
  }

  static func readAll(
    _ value: YAMLValue?, _ names: Names
  ) throws(InputError) -> [ConditionalAccessDefinition] {
    try (value?.mapping() ?? []).readEach { member throws(InputError) in
      try member.readAllParts { member throws(InputError) in
        try ConditionalAccessDefinition(member, names)
      }
    }
  }

  private init(_ member: YAMLValue.Member, _ names: Names) throws(InputError) {
    let name = try Names.validated(member, naming: "a conditional access policy")
    let fields = try Fields<Key>(member.value, "the conditional access policy `\(name)`")
    self.init(
      name: name,
      document: try PolicyDefinition.Document(
        fields, of: "the conditional access policy `\(name)`"),
      accounts: try fields[.assign].map { value throws(InputError) in try names.accounts(value) })
  }
}
