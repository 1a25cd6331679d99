internal import AppConfiguration
internal import Directory
internal import Encodings
internal import Enrollment
internal import GraphDocuments
internal import Output
internal import Policy

/// The users whom a policy or an app configuration reaches or does not reach, with the reasons.
package struct DocumentReach: Sendable {
  private struct Fact: Hashable {
    var fact: UnknownFact
    var holds: Bool
  }

  /// A combination of values for unknown facts, and whether the document then reaches the users.
  private struct Case: Hashable {
    var facts: [Fact]
    /// Whether the document reaches the users, and why. Nil if this depends on too many facts, which are in ``facts``.
    var delivery: TenantAnswer.Delivery?
  }

  /// Users with the same cases in every app.
  private struct Group {
    var users: UserClass
    /// The cases in each app, one for each combination of facts.
    var answers: [[Case]]

    var extent: Extent {
      let applies = answers.joined().map(\.delivery?.applies)
      if applies.allSatisfy({ $0 == true }) { return .always }
      return applies.allSatisfy { $0 == false } ? .never : .sometimes
    }
  }

  private enum Extent: CaseIterable {
    case always, sometimes, never

    /// Returns the title of the section with this extent.
    ///
    /// - Parameter users: The users in words, such as `2 of 6 users`.
    func title(_ users: String) -> String {
      switch self {
      case .always: "Reaches \(users)"
      case .sometimes: "Reaches \(users) in some cases"
      case .never: "Does not reach \(users)"
      }
    }
  }

  package struct Section: Sendable, Hashable {
    /// The extent, such as `Reaches 2 of 6 users`.
    package var title: String
    package var groups: [Users]
  }

  package struct Users: Sendable, Hashable {
    package var users: UserClass
    package var reasons: [String]
  }

  package let device: TenantDevice
  private let tenant: Tenant
  private let document: TenantStep.Document
  /// The lowercase bundle ids of the apps.
  package let apps: [String]
  /// The groups of users, the largest first.
  private let groups: [Group]

  fileprivate init(
    _ document: TenantStep.Document, of tenant: Tenant, to users: [UserClass]?, in apps: [String]?,
    on device: TenantDevice, members: [Int: Directory.Extent]? = nil
  ) {
    (self.tenant, self.document) = (tenant, document)
    self.apps = apps ?? tenant.apps(of: document)
    var device = device
    device.hasSeveralApps = self.apps.count > 1
    self.device = device
    // The memberships that decide, also those for the configurations by which an app knows the enrolled user.
    let deciding = Set(
      (tenant.assignments(of: document) + tenant.configurations.flatMap { $0.assignments ?? [] })
        .compactMap(\.group).compactMap { tenant.directory.group($0) })
    let extents = members ?? tenant.directory.extents(of: tenant.namedGroups)
    let classes = users ?? tenant.classes(extents.filter { deciding.contains($0.key) })
    var found: [(users: [Int], answers: [[Case]])] = []
    var places: [[[Case]]: Int] = [:]
    for users in classes {
      let user = TenantUser(users.representative, of: tenant, extents)
      let answers = self.apps.map { app in
        let question = TenantQuestion(tenant: tenant, user: user, app: app, device: device)
        return Self.cases(of: document, question)
      }
      let place = places[answers] ?? found.count
      if place == found.count {
        places[answers] = place
        found.append(([], answers))
      }
      found[place].users += users.users
    }
    groups = found.map { Group(users: UserClass(users: $0.users.sorted()), answers: $0.answers) }
      .sorted {
        ($1.users.users.count, $0.users.representative)
          < ($0.users.users.count, $1.users.representative)
      }
  }

  private static func cases(
    of document: TenantStep.Document, _ question: TenantQuestion<TenantUser>
  ) -> [Case] {
    let delivery = { (facts: inout Assumptions) -> TenantAnswer.Delivery in
      switch document {
      case .policy(let index): question.policy(index, &facts)
      case .configuration(let index): question.configuration(index, &facts)
      }
    }
    guard let alternatives = Assumptions.explore(delivery) else {
      let facts = Assumptions.facts { delivery(&$0) }
      return [Case(facts: facts.map { Fact(fact: $0, holds: true) }, delivery: nil)]
    }
    return alternatives.map { alternative in
      Case(
        facts: alternative.facts.map { Fact(fact: $0.fact, holds: $0.holds) },
        delivery: alternative.answer)
    }
  }

  /// The users whom the document reaches at least in some cases.
  var reached: Set<Int> {
    apps.isEmpty ? [] : Set(groups.filter { $0.extent != .never }.flatMap(\.users.users))
  }

  /// The reasons why the document reaches no user, in brackets after a space; empty without users or apps.
  var absence: String {
    let groups = apps.isEmpty ? [] : groups
    guard groups.count > 1 else {
      return groups.first.map { " (\(reasonsOfAbsence($0)))" } ?? ""
    }
    let parts = groups.prefix(3).map { "\(tenant.name($0.users)): \(reasonsOfAbsence($0))" }
    return " (\(parts.joined(separator: "; "))\(groups.count > 3 ? "; …" : ""))"
  }

  private func reasonsOfAbsence(_ group: Group) -> String {
    reasons(group).map { $0.replacing("does not apply: ", with: "") }.joined(separator: ", ")
  }

  /// The sections for the users whom the document reaches always, in some cases, or never. A section without users is
  /// left out. Empty without apps.
  package var sections: [Section] {
    guard !apps.isEmpty else { return [] }
    let count = tenant.directory.enabledUsers.count
    return Extent.allCases.compactMap { extent in
      let groups = groups.filter { $0.extent == extent }
      guard !groups.isEmpty else { return nil }
      let users = groups.reduce(0) { $0 + $1.users.users.count }
      return Section(
        title: extent.title("\(users) of \(count.counting("user"))"),
        groups: groups.map { Users(users: $0.users, reasons: reasons($0)) })
    }
  }

  /// The assignments in words, with file and line.
  package var assignments: [String] { tenant.assignmentTexts(of: document) }

  /// Sentences about users or apps that the export lacks.
  package var gaps: [String] {
    (tenant.directory.users.isEmpty ? [Tenant.missingUsers] : [])
      + (apps.isEmpty ? ["Reaches no user, because the export contains none of its apps"] : [])
  }

  /// The other policies that the reached users get in the same apps, as lines such as `Baseline: 2 users like
  /// anna@contoso.com in com.contoso.mail`. Of all these policies, the strictest values apply.
  package var companions: [String] {
    guard case .policy(let policy) = document else { return [] }
    var found: [Int: (users: Set<Int>, apps: Set<String>)] = [:]
    for audience in tenant.audiences(in: apps, on: device) {
      let users = audience.members.flatMap { $0.users?.users ?? [] }
      for part in audience.policies?.parts ?? [] where part.policies.contains(policy) {
        for other in part.policies where other != policy {
          found[other, default: ([], [])].users.formUnion(users)
          found[other, default: ([], [])].apps.formUnion(part.apps)
        }
      }
    }
    return found.sorted { $0.key < $1.key }.map { other, shared in
      let users = shared.users.isEmpty ? nil : tenant.name(UserClass(users: shared.users.sorted()))
      return tenant.policies[other].displayName + (users.map { ": \($0)" } ?? "")
        + " in \(ListFormat.all(of: shared.apps.sorted()))"
    }
  }

  var title: (name: String, file: String, line: Int) { tenant.title(of: document) }

  // MARK: Text

  /// Returns the users with the reasons as text.
  ///
  /// - Parameter isFull: Whether to list all users by name.
  package func text(namingAll isFull: Bool) -> String {
    let (name, file, line) = title
    var lines = [
      "\(name) (\(tenant.cite(file, line))) in "
        + "\(apps.isEmpty ? "no app" : ListFormat.all(of: apps)), on \(device.text)",
      "", "Assignments",
    ]
    lines += (assignments.isEmpty ? ["none in the export"] : assignments).map { "  " + $0 }
    lines += gaps.flatMap { ["", $0] }
    for section in sections {
      lines += ["", section.title]
      for group in section.groups {
        let users =
          isFull ? ListFormat.all(of: tenant.names(of: group.users)) : tenant.name(group.users)
        lines.append("  " + users)
        lines += group.reasons.map { "    " + $0 }
      }
    }
    return lines.map { $0.escapingUnprintable() + "\n" }.joined()
  }

  private func reasons(_ group: Group) -> [String] {
    united(group).flatMap { apps, cases in
      cases.map { one in
        let facts = one.facts.map { (fact: $0.fact, holds: $0.holds) }
        let text =
          one.delivery.map {
            tenant.text(of: $0, in: document, group.users.representative, given: facts)
          } ?? tenant.undecided(by: facts.map(\.fact))
        return (apps.count < self.apps.count ? "in \(ListFormat.all(of: apps)): " : "") + text
      }
    }
  }

  /// Returns the cases of a group's users. Apps with equal cases share one element.
  private func united(_ group: Group) -> [(apps: [String], cases: [Case])] {
    var found: [(apps: [String], cases: [Case])] = []
    for (app, cases) in zip(apps, group.answers) {
      if let place = found.firstIndex(where: { $0.cases == cases }) {
        found[place].apps.append(app)
      } else {
        found.append(([app], cases))
      }
    }
    return found
  }

  // MARK: Data

  /// A row for each user, app and case as comma-separated values.
  package var csv: String {
    let rows = groups.flatMap { group in
      group.users.users.flatMap { user in
        united(group).flatMap { apps, cases in
          apps.flatMap { app in
            cases.map { one in
              let facts = one.facts.map { (fact: $0.fact, holds: $0.holds) }
              let reason =
                one.delivery.map { tenant.text(of: $0, in: document, user, given: facts) }
                ?? tenant.undecided(by: facts.map(\.fact))
              let applies = one.delivery.map { $0.applies ? "yes" : "no" } ?? "unknown"
              return [tenant.directory.users[user].upn, app, applies, reason]
                .map(Tenant.quoted).joined(separator: ",") + "\n"
            }
          }
        }
      }
    }
    return "user,app,applies,reason\n" + rows.joined()
  }

  /// The users with the reasons as one JSON object with a final line break; see docs/tenant.md.
  package var json: String {
    JSONWriter.objectLine { writer in
      writer.member("tenant", tenant.folder)
      tenant.write(device, to: &writer)
      writer.object("document") { writer in
        let (name, file, line) = title
        tenant.write(name, file, line, to: &writer)
      }
      writer.objects("reach", of: groups) { writer, group in
        writer.strings("users", tenant.names(of: group.users))
        writer.objects("apps", of: Array(zip(apps, group.answers))) { writer, answer in
          writer.member("app", answer.0)
          if let undecided = answer.1.first(where: { $0.delivery == nil }) {
            return writer.strings("dependsOn", texts(of: undecided))
          }
          writer.objects("alternatives", of: answer.1) { writer, one in
            writer.strings("if", texts(of: one))
            guard let delivery = one.delivery else { return }
            writer.member("applies", delivery.applies)
            writer.member(
              "reason", tenant.text(of: delivery, in: document, group.users.representative))
          }
        }
      }
    }
  }

  private func texts(of one: Case) -> [String] {
    one.facts.map { tenant.text(of: $0.fact, holds: $0.holds) }
  }
}

extension Tenant {
  /// Returns the users whom a policy or an app configuration reaches; nil if the export contains no such document.
  ///
  /// - Parameters:
  ///   - name: The name, the id or the file of the document.
  ///   - users: The users to ask about; nil for all.
  ///   - apps: Lowercase bundle ids; nil for the apps that the document targets.
  package func reach(
    of name: String, to users: [UserClass]? = nil, in apps: [String]? = nil, on device: TenantDevice
  ) -> DocumentReach? {
    document(named: name).map { DocumentReach($0, of: self, to: users, in: apps, on: device) }
  }

  /// Returns the users whom a policy reaches in the apps that it targets.
  ///
  /// - Parameter policy: The index of the policy.
  package func reach(ofPolicy policy: Int, on device: TenantDevice) -> DocumentReach {
    DocumentReach(.policy(policy), of: self, to: nil, in: nil, on: device)
  }

  /// Returns the reach of a document among the given classes of users, in the apps that the document targets.
  ///
  /// - Parameter extents: The members of the groups that documents name.
  func reach(
    of document: TenantStep.Document, to users: [UserClass], _ extents: [Int: Directory.Extent],
    on device: TenantDevice
  ) -> DocumentReach {
    DocumentReach(document, of: self, to: users, in: nil, on: device, members: extents)
  }

  package var documentNames: [String] {
    policies.map(\.displayName) + configurations.map(\.displayName)
  }

  fileprivate func assignments(of document: TenantStep.Document) -> [Assignment] {
    switch document {
    case .policy(let index): policies[index].assignments ?? []
    case .configuration(let index): configurations[index].assignments ?? []
    }
  }

  /// Returns the apps that a document targets in at least one management state.
  func apps(of document: TenantStep.Document) -> [String] {
    sampleApps.filter { app in
      ManagementState.allCases.contains { state in
        switch document {
        case .policy(let index): policies[index].targets(bundleID: app, state: state).isTargeted
        case .configuration(let index):
          configurations[index].targets(bundleID: app, state: state)
        }
      }
    }
  }

  func title(
    of document: TenantStep.Document
  ) -> (name: String, file: String, line: Int) {
    switch document {
    case .policy(let index):
      (policies[index].displayName, policies[index].file, policies[index].position.line)
    case .configuration(let index):
      (
        configurations[index].displayName, configurations[index].file,
        configurations[index].position.line
      )
    }
  }

  func assignmentTexts(of document: TenantStep.Document) -> [String] {
    let file = title(of: document).file
    return assignments(of: document).map { assignment in
      let target =
        switch assignment.target {
        case .allLicensedUsers: "includes all users with a licence"
        case .allDevices: "includes all devices"
        case .group(let group): "includes `\(groupName(group))`"
        case .exclusion(let group): "excludes `\(groupName(group))`"
        case .other(let name): name
        }
      let filter = assignment.filter.map { " if " + result(of: $0, applying: true) }
      return "\(target)\(filter ?? "") (\(cite(file, assignment.position.line)))"
    }
  }

  /// Returns a text that states whether a document reaches a user, and why.
  fileprivate func text(
    of delivery: TenantAnswer.Delivery, in document: TenantStep.Document, _ user: Int,
    given facts: [(fact: UnknownFact, holds: Bool)] = []
  ) -> String {
    switch document {
    case .policy(let index):
      text(
        of: delivery, policies[index].assignments ?? [], policies[index].file, user, given: facts)
    case .configuration(let index):
      text(of: delivery, in: configurations[index], user, given: facts)
    }
  }
}
