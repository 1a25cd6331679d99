internal import AppConfiguration
internal import Directory
internal import Encodings
internal import Enrollment
internal import GraphDocuments
package import Output
internal import Policy

/// A proposed change of a tenant, as the command line states it.
package enum TenantChange: Sendable, Hashable {
  /// `LABEL=VALUE`, or `POLICY: LABEL=VALUE` for one policy. The label is a label of the admin centre, or the name of a
  /// property in Graph.
  case set(String)
  /// `DOCUMENT=GROUP`: assigns a policy or a configuration to a group, or to `All users`.
  case assign(String)
  /// `DOCUMENT=GROUP`: excludes a group from a policy or a configuration.
  case exclude(String)
  /// `DOCUMENT=GROUP`: removes the assignments that include or exclude a group.
  case unassign(String)
  /// `USER=GROUP`: makes a user a member of a group.
  case member(String)

  /// The option of the command line with its value.
  package var text: String {
    switch self {
    case .set(let text): "--set '\(text)'"
    case .assign(let text): "--assign '\(text)'"
    case .exclude(let text): "--exclude '\(text)'"
    case .unassign(let text): "--unassign '\(text)'"
    case .member(let text): "--member '\(text)'"
    }
  }
}

/// The error about a change that cannot be made, with the nearest name or the possible values.
package struct TenantChangeError: Error, CustomStringConvertible {
  let change: TenantChange
  let message: String

  package var diagnostic: Diagnostic {
    Diagnostic(.command, "\(change.text): \(message)", rule: "change")
  }

  package var description: String { diagnostic.description }
}

extension Tenant {
  /// Returns the tenant after changes.
  ///
  /// - Parameter policies: The policies to which a setting applies if the change names no policy,
  ///   by their indices; nil for all.
  /// - Throws: ``TenantChangeError`` for the first change that cannot be made.
  package func applying(
    _ changes: [TenantChange], to policies: Set<Int>? = nil
  ) throws(TenantChangeError) -> Tenant {
    try resolving(changes, to: policies).tenant
  }

  /// Returns a warning for each change that makes a user a member of a dynamic group. Entra computes the members of
  /// such groups by a rule.
  ///
  /// - Throws: ``TenantChangeError`` for the first change that cannot be made.
  package func warnings(
    about changes: [TenantChange]
  ) throws(TenantChangeError) -> [Diagnostic] {
    var resolver = ChangeResolver(tenant: self, scope: nil)
    var warnings: [Diagnostic] = []
    for change in changes {
      guard case .member = change else { continue }
      let known = resolver.steps.count
      try resolver.add(change)
      for case .member(_, let group) in resolver.steps[known...]
      where directory.isDynamic(group) {
        warnings.append(
          Diagnostic(
            .command,
            "\(change.text): Entra computes the members of `\(directory.groups[group].displayName)` by its rule, so "
              + "users become members only if their attributes match the rule", rule: "change",
            severity: .warning))
      }
    }
    return warnings
  }

  /// Returns the indices of the policies that reach a user in at least one app on the device. If unknown facts decide
  /// whether a policy reaches the user, the policy is included.
  ///
  /// - Parameter app: A lowercase bundle id; nil for all apps.
  package func policies(reaching user: Int, app: String?, on device: TenantDevice) -> Set<Int> {
    var found: Set<Int> = []
    for app in app.map({ [$0] }) ?? sampleApps {
      for result in answer(for: user, app: app, on: device).policies
      where result.alternatives?.contains(where: \.answer.applies) ?? true {
        found.insert(result.document)
      }
    }
    return found
  }

  /// Returns the tenant after the changes, and the steps of the changes. Each step changes one object.
  func resolving(
    _ changes: [TenantChange], to policies: Set<Int>?
  ) throws(TenantChangeError) -> (tenant: Tenant, steps: [TenantStep]) {
    var resolver = ChangeResolver(tenant: self, scope: policies)
    for change in changes { try resolver.add(change) }
    return (resolver.tenant, resolver.steps)
  }
}

/// A change of one object.
enum TenantStep: Sendable {
  enum Document: Sendable, Hashable {
    case policy(Int)
    case configuration(Int)
  }

  case set(policy: Int, SettingEdit)
  case assign(Document, Assignment.Target)
  /// Removes the assignment with the index.
  case unassign(Document, index: Int)
  case member(user: Int, group: Int)
}

// MARK: - Resolving

private struct ChangeResolver {
  private let old: Tenant
  private let scope: Set<Int>?
  private var policies: [PolicyDocument]
  private var configurations: [AppConfigurationDocument]
  private var directory: Directory
  private(set) var steps: [TenantStep] = []

  init(tenant: Tenant, scope: Set<Int>?) {
    old = tenant
    self.scope = scope
    policies = tenant.policies
    configurations = tenant.configurations
    directory = tenant.directory
  }

  /// The tenant with all changes that have been added.
  var tenant: Tenant {
    Tenant(
      folder: old.folder, policies: policies, configurations: configurations,
      conditionalAccess: old.conditionalAccess,
      directory: directory, filters: old.judge.filters, apps: old.apps,
      diagnostics: old.diagnostics)
  }

  private struct Refusal: Error {
    let message: String
  }

  mutating func add(_ change: TenantChange) throws(TenantChangeError) {
    do throws(Refusal) {
      switch change {
      case .set(let text): try set(text)
      case .assign(let text): try assign(text, isExclusion: false)
      case .exclude(let text): try assign(text, isExclusion: true)
      case .unassign(let text): try unassign(text)
      case .member(let text): try join(text)
      }
    } catch {
      throw TenantChangeError(change: change, message: error.message)
    }
  }

  /// Splits a text at an `=`. Returns the result of `read` for the text before it, and the text after it. Names may
  /// contain `=`, so the text is split at the first `=` for which `read` succeeds.
  ///
  /// - Throws: The error of `read` for the text before the first `=`.
  private func split<Value>(
    _ text: String, _ form: String, _ read: (String) throws(Refusal) -> Value
  ) throws(Refusal) -> (Value, String) {
    var refusal: Refusal?
    for index in text.indices where text[index] == "=" {
      do throws(Refusal) {
        let value = try read(text[..<index].trimmed)
        return (value, text[text.index(after: index)...].trimmed)
      } catch {
        refusal = refusal ?? error
      }
    }
    throw refusal ?? Refusal(message: "expected \(form)")
  }

  private func absence(
    of noun: String, _ name: String, among names: some Collection<String>
  ) -> Refusal {
    Refusal(
      message:
        "the export contains no \(noun) `\(name)`\(Suggestion.names(like: name, among: names))")
  }

  // MARK: Settings

  private mutating func set(_ text: String) throws(Refusal) {
    let ((indices, name), value) = try split(
      text, "LABEL=VALUE or POLICY: LABEL=VALUE"
    ) { text throws(Refusal) in try setting(text) }
    let edit: SettingEdit
    do throws(SettingEdit.Failure) {
      edit = try SettingEdit(name, value)
    } catch {
      throw Refusal(message: error.message)
    }
    for index in indices.sorted() {
      var settings = policies[index].settings
      edit.apply(to: &settings)
      guard settings != policies[index].settings else { continue }
      policies[index].settings = settings
      steps.append(.set(policy: index, edit))
      for (setting, json) in edit.values {
        let policy = policies[index]
        // A property that the file does not state is added to the policy's object.
        let origin =
          policy.origins[setting]
          ?? EffectivePolicy.Origin(
            file: policy.file, line: policy.position.line, policy: policy.displayName)
        policies[index].origins[setting] = json.isNull ? nil : origin
      }
    }
  }

  /// Reads `LABEL` or `POLICY: LABEL`.
  private func setting(_ text: String) throws(Refusal) -> (policies: Set<Int>, name: String) {
    guard let mistake = mistake(inLabel: text) else {
      let indices = scope ?? Set(policies.indices)
      guard !indices.isEmpty else {
        throw Refusal(
          message: "no policy reaches the user; name a policy, as in `POLICY: \(text)=VALUE`")
      }
      return (indices, text)
    }
    for colon in text.indices where text[colon] == ":" {
      let (name, label) = (text[..<colon].trimmed, text[text.index(after: colon)...].trimmed)
      let mistake = self.mistake(inLabel: label)
      if let index = policies.firstIndex(where: { $0.isNamed(name) }) {
        if let mistake { throw Refusal(message: mistake) }
        return ([index], label)
      }
      if mistake == nil {
        throw absence(of: "app protection policy", name, among: policies.map(\.displayName))
      }
    }
    throw Refusal(message: mistake)
  }

  /// Returns the message about an unknown label; nil if a setting has the label.
  private func mistake(inLabel text: String) -> String? {
    do throws(SettingEdit.Failure) {
      _ = try SettingEdit.settings(named: text)
      return nil
    } catch {
      return error.message
    }
  }

  // MARK: Assignments

  private mutating func assign(_ text: String, isExclusion: Bool) throws(Refusal) {
    let (document, name) = try split(text, "POLICY=GROUP") { text throws(Refusal) in
      try self.document(text)
    }
    let target: Assignment.Target
    if name.isAllUsers, !isExclusion, directory.group(GroupReference(name: name)) == nil {
      target = .allLicensedUsers
    } else {
      let group = directory.groups[try group(name)]
      let reference = GroupReference(id: group.id, name: group.id == nil ? group.displayName : nil)
      target = isExclusion ? .exclusion(reference) : .group(reference)
    }
    let isKnown = assignments(of: document)?.contains {
      $0.filter == nil && isSame($0.target, target)
    }
    guard isKnown != true else { return }
    steps.append(.assign(document, target))
    change(document) { assignments, position in
      assignments = (assignments ?? []) + [Assignment(target, at: position)]
    }
  }

  private mutating func unassign(_ text: String) throws(Refusal) {
    let (document, name) = try split(text, "POLICY=GROUP") { text throws(Refusal) in
      try self.document(text)
    }
    let assignments = assignments(of: document) ?? []
    let indices: [Int]
    if name.isAllUsers, directory.group(GroupReference(name: name)) == nil {
      indices = assignments.indices.filter { isSame(assignments[$0].target, .allLicensedUsers) }
    } else {
      // An assignment may name a group that the export does not contain.
      let references = [GroupReference(id: name), GroupReference(name: name)]
      let group = references.compactMap { directory.group($0) }.first
      indices = assignments.indices.filter { index in
        guard let reference = assignments[index].group else { return false }
        return directory.group(reference).map { $0 == group } ?? references.contains(reference)
      }
      if indices.isEmpty, group == nil {
        throw absence(of: "group", name, among: directory.groups.map(\.displayName))
      }
    }
    guard !indices.isEmpty else {
      throw Refusal(message: "no assignment of the document names `\(name)`")
    }
    for index in indices.reversed() {
      steps.append(.unassign(document, index: index))
      change(document) { assignments, _ in assignments?.remove(at: index) }
    }
  }

  /// Returns whether two targets are of the same kind and name the same group.
  private func isSame(_ target: Assignment.Target, _ other: Assignment.Target) -> Bool {
    switch (target, other) {
    case (.group(let first), .group(let second)), (.exclusion(let first), .exclusion(let second)):
      directory.group(first).map { $0 == directory.group(second) } ?? (first == second)
    case (.allLicensedUsers, .allLicensedUsers), (.allDevices, .allDevices): true
    case (.other(let first), .other(let second)): first == second
    case (.group, _), (.exclusion, _), (.allLicensedUsers, _), (.allDevices, _), (.other, _): false
    }
  }

  private func assignments(of document: TenantStep.Document) -> [Assignment]? {
    switch document {
    case .policy(let index): policies[index].assignments
    case .configuration(let index): configurations[index].assignments
    }
  }

  private mutating func change(
    _ document: TenantStep.Document, _ body: (inout [Assignment]?, Position) -> Void
  ) {
    switch document {
    case .policy(let index): body(&policies[index].assignments, policies[index].position)
    case .configuration(let index):
      body(&configurations[index].assignments, configurations[index].position)
    }
  }

  private func document(_ name: String) throws(Refusal) -> TenantStep.Document {
    if let document = old.document(named: name) { return document }
    throw absence(
      of: "app protection policy or app configuration", name, among: old.documentNames)
  }

  private func group(_ name: String) throws(Refusal) -> Int {
    if let group = directory.group(GroupReference(id: name, name: name)) { return group }
    throw absence(of: "group", name, among: directory.groups.map(\.displayName))
  }

  // MARK: Members

  private mutating func join(_ text: String) throws(Refusal) {
    let (user, name) = try split(text, "USER=GROUP") { text throws(Refusal) in
      guard let user = directory.user(text) else {
        throw Refusal(message: "the export contains no user `\(text)`\(old.users(like: text))")
      }
      return user
    }
    let group = try group(name)
    if case .member = directory.membership(of: user, in: group) { return }
    steps.append(.member(user: user, group: group))
    directory.add(user, to: group)
  }
}

extension String {
  fileprivate var isAllUsers: Bool {
    ["all users", "all licensed users"].contains(lowercased())
  }
}

extension Tenant {
  /// Returns the end of a message about a user that the export lacks: users with a similar name, or else the
  /// first users.
  package func users(like name: String) -> String {
    directory.upn(ofAlias: name).map { Suggestion.text($0) }
      ?? Suggestion.names(like: name, among: directory.users.map(\.upn))
  }

  /// Returns the policy with this name, id or file, or the app configuration with this name or file; nil if
  /// there is none. Case is ignored.
  func document(named name: String) -> TenantStep.Document? {
    if let index = policies.firstIndex(where: { $0.isNamed(name) }) { return .policy(index) }
    return configurations.firstIndex { $0.isNamed(name) }.map { .configuration($0) }
  }
}

extension PolicyDocument {
  fileprivate func isNamed(_ name: String) -> Bool {
    [displayName, id, file].contains { $0?.lowercased() == name.lowercased() }
  }
}

extension AppConfigurationDocument {
  fileprivate func isNamed(_ name: String) -> Bool {
    [displayName, file].contains { $0.lowercased() == name.lowercased() }
  }
}
