internal import Analysis
internal import AppConfiguration
internal import Directory
internal import Encodings
internal import Enrollment
internal import GraphDocuments
internal import Output
internal import Policy

/// Answers in words. Texts for terminals escape unprintable characters of names, such as escape sequences.
extension Tenant {
  // MARK: The table of users and apps

  package func text(of rows: [Row], on device: TenantDevice) -> String {
    var lines = [summary, "on \(device.text)"].map { $0.escapingUnprintable() }
    guard !directory.users.isEmpty else {
      return (lines + [Self.missingUsers] + assignments).joined(separator: "\n") + "\n"
    }
    var names = RowMemo<[Int], String> { self.names(of: $0).escapingUnprintable() }
    var table: [(users: UserClass, app: String, answer: String)] = []
    var hasGroups = false
    for rows in Self.classes(of: rows) {
      let answers = rows.map { row in
        if let policies = row.effective?.known(), row.isAccessible(under: policies) {
          return names[policies]
        }
        return policies(row, on: device).map { $0.escapingUnprintable() }.joined(separator: "\n")
      }
      if rows.count > 1, Set(answers).count == 1 {
        table.append((rows[0].users, Self.everyApp, answers[0]))
        hasGroups = true
      } else {
        let usual = Self.usual(answers)
        table += zip(rows, answers).filter { $1 != usual?.answer }.map {
          ($0.users, $0.app.escapingUnprintable(), $1)
        }
        if let usual {
          table.append((rows[0].users, "\(usual.count) other apps", usual.answer))
          hasGroups = true
        }
      }
    }
    if hasGroups {
      let apps = Set(rows.map(\.app)).sorted()
      lines.append("\(Self.everyApp): \(ListFormat.all(of: apps))".escapingUnprintable())
    }
    let shown = { (users: UserClass) in self.name(users).escapingUnprintable() }
    var lengths = RowMemo<UserClass, Int> { shown($0).count }
    let titles = ["users", "app", "app protection policies"]
    let widths = [
      table.reduce(titles[0].count) { max($0, lengths[$1.users]) },
      Set(table.map(\.app)).reduce(titles[1].count) { max($0, $1.count) },
    ]
    let padded = { (cell: String, width: Int) in
      cell + String(repeating: " ", count: width - cell.count + 2)
    }
    let margin = String(repeating: " ", count: widths.reduce(4, +))
    var users = RowMemo<UserClass, String> { padded(shown($0), widths[0]) }
    var apps = RowMemo<String, String> { padded($0, widths[1]) }
    lines += ["", padded(titles[0], widths[0]) + padded(titles[1], widths[1]) + titles[2]]
    var text = lines.joined(separator: "\n") + "\n"
    for row in table {
      text += users[row.users]
      text += apps[row.app]
      text += row.answer.replacing("\n", with: "\n" + margin) + "\n"
    }
    return text
  }

  /// The text that replaces an app's name if a user has the same answer in all apps of the table.
  private static let everyApp = "every app"

  /// Returns the most frequent answer and the number of apps with this answer. Nil if the number is at most ``listed``,
  /// because so few apps are listed one by one.
  private static func usual(_ answers: [String]) -> (answer: String, count: Int)? {
    let counts = Dictionary(answers.map { ($0, 1) }, uniquingKeysWith: +)
    guard let most = counts.values.max(), most > listed else { return nil }
    return answers.first { counts[$0] == most }.map { ($0, most) }
  }

  /// The line that replaces answers about users if the export has no users.
  static let missingUsers =
    "no users in the export; add Graph's `/users` as JSON, the admin centre's CSV file, or "
    + "`directory.yaml`"

  /// The documents with their assignments, as lines for an export without users.
  private var assignments: [String] {
    let documents =
      policies.indices.map(TenantStep.Document.policy)
      + configurations.indices.map(TenantStep.Document.configuration)
    return documents.flatMap { document in
      let (name, file, line) = title(of: document)
      let apps = apps(of: document)
      let targets = assignmentTexts(of: document)
      let heading =
        "\(relative(name)) (\(cite(file, line))) in "
        + (apps.isEmpty ? "no app" : ListFormat.first(3, of: apps))
      return ["", heading] + (targets.isEmpty ? ["no assignments"] : targets).map { "  \($0)" }
    }.map { $0.escapingUnprintable() }
  }

  private var summary: String { "\(folder): \(counts)" }

  /// The numbers of users, disabled accounts (if any), groups and documents, in words.
  var counts: String {
    let enabled = directory.enabledUsers.count
    let parts = [
      (enabled, "user"), (directory.users.count - enabled, "disabled account"),
      (directory.groups.count, "group"), (policies.count, "app protection policy"),
      (configurations.count, "app configuration"),
      (conditionalAccess.count, "conditional access policy"),
    ]
    return parts.filter { $0.0 > 0 || $0.1 != "disabled account" }.map { count, noun in
      let plural = noun.hasSuffix("y") ? noun.dropLast() + "ies" : noun + "s"
      return "\(count) \(count == 1 ? noun : plural)"
    }.joined(separator: ", ")
  }

  /// Returns a clause with the effect of the user's disabled account; nil if the account is enabled.
  ///
  /// Source: Learn, "Revoke user access in Microsoft Entra ID": the user gets no new tokens.
  package func clause(onDisabled user: Int) -> String? {
    guard directory.isDisabled(user) else { return nil }
    return "the account \(directory.users[user].upn) is disabled, so the user cannot sign in and "
      + "receives nothing new; the answer is for an enabled account"
  }

  /// Returns a sentence with the effect of the user's disabled account; nil if the account is enabled.
  package func remark(onDisabled user: Int) -> String? {
    clause(onDisabled: user).map { "\($0.capitalizedStart).".escapingUnprintable() }
  }

  /// Returns the users in words: `212 users like anna@contoso.com`.
  package func name(_ users: UserClass) -> String {
    let upn = directory.users[users.representative].upn
    return users.users.count == 1 ? upn : "\(users.users.count) users like \(upn)"
  }

  /// Returns the user principal names of the users.
  package func names(of users: UserClass) -> [String] {
    users.users.map { directory.users[$0].upn }
  }

  /// Returns the policies of a row, with one line for each alternative.
  func policies(_ row: Row, on device: TenantDevice) -> [String] {
    guard let alternatives = row.effective else {
      return [
        undecided(
          by: facts(deciding: .effective, for: row.users.representative, app: row.app, on: device))
      ]
    }
    return alternatives.map { alternative in
      let names =
        names(of: alternative.answer) + (row.blocks.isEmpty ? "" : ", " + blocked(by: row.blocks))
      let condition = condition(alternative.facts)
      let demand = demand(on: row, alternative)
      guard let lockOut = demand.lockOut else { return names + condition }
      return demand.isUnconditional
        ? "\(names), \(lockOut)\(condition)" : "\(names)\(condition), \(lockOut)"
    }
  }

  func names(of policies: [Int]) -> String {
    policies.isEmpty
      ? "none" : policies.map { self.policies[$0].displayName }.joined(separator: " + ")
  }

  // MARK: One answer

  package func text(of answer: TenantAnswer) -> String {
    var lines = [
      "\(directory.users[answer.user].upn) in \(answer.app), on \(answer.device.running(answer.app).text)",
      "",
      "App protection policies",
    ]
    let untargeted = folded(answer.policies) { $0.alternatives?.known() == .notTargeted(.otherApp) }
    for result in answer.policies where !untargeted.contains(result.document) {
      let policy = policies[result.document]
      lines.append("  \(policy.displayName) (\(cite(policy.file, policy.position.line)))")
      lines += deliveries(
        result.alternatives, policy.assignments ?? [], policy.file, of: answer.user)
      lines += undecided(result, .policy(result.document), answer)
    }
    lines += others(untargeted.map { policies[$0].displayName }, "not targeted at this app")
    if answer.policies.isEmpty { lines.append("  none in the export") }
    lines += effectiveSettings(answer)
    lines += ["", "App configurations"]
    let otherConfigurations = folded(answer.configurations) { result in
      result.alternatives?.known() == .notTargeted(.otherApp)
        && configurations[result.document].mobileApps.allSatisfy { $0.contains(".") }
    }
    for result in answer.configurations where !otherConfigurations.contains(result.document) {
      let document = configurations[result.document]
      lines.append("  \(document.displayName) (\(cite(document.file, document.position.line)))")
      lines += (result.alternatives ?? []).map { alternative in
        "    "
          + text(of: alternative.answer, in: document, answer.user, given: alternative.facts)
      }
      lines += undecided(result, .configuration(result.document), answer)
      if result.alternatives?.contains(where: \.answer.applies) ?? true {
        lines += document.entries.map { "    \($0.key) (\(cite(document.file, $0.position.line)))" }
      }
    }
    lines += others(
      otherConfigurations.map { configurations[$0].displayName }, "not targeted at this app")
    if answer.configurations.isEmpty { lines.append("  none in the export") }
    lines += ["", "Conditional access"]
    let idle = folded(answer.conditionalAccess) { result in
      guard let judgement = result.alternatives?.known() else { return false }
      let policy = conditionalAccess[result.document]
      return judgement == .spared(.users)
        && clause(of: policy, judgement, answer.user) == policy.clause(of: judgement)
    }
    for result in answer.conditionalAccess where !idle.contains(result.document) {
      let policy = conditionalAccess[result.document]
      lines.append("  \(policy.displayName) (\(cite(policy.file, policy.position.line)))")
      for one in accessCases(result, of: answer.user) {
        lines.append(
          "    \(one.clause)\(one.condition)" + demands(of: policy, one.alternatives[0].answer))
        let lockOut = PolicyDemand(
          one.alternatives.flatMap { lockOuts(by: result.document, $0, answer).cases })
        lines += lockOut.lockOut.map { ["    \($0): no app protection policy applies"] } ?? []
      }
      if blocks(result, on: answer.device) {
        lines.append("    blocked: \(answer.device.text) cannot meet the policy")
      }
      lines += undecided(result, .access(result.document), answer)
    }
    lines += others(idle.map { conditionalAccess[$0].displayName }, "for other users")
    if answer.conditionalAccess.isEmpty { lines.append("  none in the export") }
    lines += gaps(in: answer)
    return lines.map { $0.escapingUnprintable() + "\n" }.joined()
  }

  /// The maximum number of similar entries that an answer lists one by one: documents for other apps or users, or apps
  /// with the same answer. A larger number is summarised in one line.
  private static let listed = 5

  /// Returns the documents that an answer summarises in one line, by their indices: all documents whose result meets
  /// `isIdle`. Empty if there are at most ``listed``, because so few are listed one by one.
  private func folded<Answer>(
    _ results: [TenantAnswer.Result<Answer>], _ isIdle: (TenantAnswer.Result<Answer>) -> Bool
  ) -> [Int] {
    let idle = results.filter(isIdle).map(\.document)
    return idle.count > Self.listed ? idle : []
  }

  private func others(_ names: [String], _ reason: String) -> [String] {
    names.isEmpty
      ? [] : ["  \(names.count) others, \(reason): \(ListFormat.first(3, of: names))"]
  }

  /// Returns the judgement as a clause. If the policy does not apply to the user, the clause states the reason.
  func clause(
    of policy: ConditionalAccessPolicy, _ judgement: ConditionalAccessPolicy.Judgement, _ user: Int
  ) -> String {
    guard judgement == .spared(.users) else { return policy.clause(of: judgement) }
    let names = directory.users[user].names
    if policy.users.excluded.contains(where: { names.contains($0.lowercased()) }) {
      return "does not apply: it excludes \(directory.users[user].upn)"
    }
    let groups = policy.principals.excluded.flatMap(\.members).compactMap(\.group)
    guard let group = groups.first(where: { isMember(user, of: $0) }) else {
      return policy.clause(of: judgement)
    }
    return "does not apply: excluded, because \(membership(of: user, in: group))"
  }

  /// The alternatives with the same clause about a conditional access policy. `condition` states when the clause is
  /// true; empty if it is always true.
  typealias AccessCase = (
    clause: String, condition: String,
    alternatives: [Assumptions.Alternative<ConditionalAccessPolicy.Judgement>]
  )

  /// Returns the distinct judgements of a conditional access policy, with their conditions. For a policy that never
  /// applies, returns one judgement without a condition: if possible, one whose reason is not specific to the user.
  func accessCases(
    _ result: TenantAnswer.Result<ConditionalAccessPolicy.Judgement>, of user: Int
  ) -> [AccessCase] {
    let policy = conditionalAccess[result.document]
    let alternatives = result.alternatives ?? []
    guard alternatives.contains(where: { $0.answer.applies != false }) else {
      guard
        let main = alternatives.first(where: { $0.answer != .spared(.users) })
          ?? alternatives.first
      else { return [] }
      return [
        (clause: clause(of: policy, main.answer, user), condition: "", alternatives: [main])
      ]
    }
    let clauses = alternatives.map { clause(of: policy, $0.answer, user) }
    return clauses.unique.map { clause in
      let same = zip(clauses, alternatives).filter { $0.0 == clause }.map(\.1)
      let cases = TenantCondition.simplified(same.map { conditions($0.facts) })
      let words = cases.map { ListFormat.all(of: $0.map(\.text)) }
      let isAlways = cases.contains(where: \.isEmpty)
      return (
        clause: clause, condition: isAlways ? "" : ", if " + words.joined(separator: ", or if "),
        alternatives: same
      )
    }
  }

  private func isMember(_ user: Int, of reference: GroupReference) -> Bool {
    guard let group = directory.group(reference) else { return false }
    switch directory.membership(of: user, in: group) {
    case .member: return true
    case .notMember, .unknown: return false
    }
  }

  func demands(
    of policy: ConditionalAccessPolicy, _ judgement: ConditionalAccessPolicy.Judgement
  ) -> String {
    guard judgement.applies != false, let controls = grantControls(of: policy) else { return "" }
    return "; grant controls: \(controls)"
  }

  /// Returns the grant controls in words; nil if there are none.
  func grantControls(of policy: ConditionalAccessPolicy) -> String? {
    policy.controls.isEmpty
      ? nil
      : policy.controls.map(\.label).joined(separator: policy.operator == .or ? " or " : " and ")
  }

  private func effectiveSettings(_ answer: TenantAnswer) -> [String] {
    guard let alternatives = answer.effective else {
      let facts = facts(
        deciding: .effective, for: answer.user, app: answer.app, on: answer.device)
      return ["", "Settings: \(undecided(by: facts))"]
    }
    let demand = demand(in: answer)
    return alternatives.flatMap { alternative -> [String] in
      let heading = "Settings\(condition(alternative.facts))"
      guard !alternative.answer.isEmpty else {
        return ["", heading + ": " + demand.given(conditions(alternative.facts)).withoutPolicy]
      }
      return ["", heading]
        + settings(of: alternative.answer).map { row in
          let stated = { (row: PolicyView.Row) in
            "\(row.words) (\(row.places.map { cite($0.file, $0.line) }.joined(separator: ", ")))"
          }
          let overruled = row.overruled.map { ", not \(stated($0))" }.joined()
          return "  \(row.setting.label): \(stated(row.setting))\(overruled)"
        }
    }
  }

  func deliveries(
    _ alternatives: [Assumptions.Alternative<TenantAnswer.Delivery>]?, _ assignments: [Assignment],
    _ file: String, of user: Int
  ) -> [String] {
    (alternatives ?? []).map { alternative in
      "    " + text(of: alternative.answer, assignments, file, user, given: alternative.facts)
    }
  }

  /// Returns a text that states whether a configuration reaches a user, and why.
  ///
  /// - Parameter facts: Facts that the export does not state, as conditions of the answer.
  func text(
    of delivery: TenantAnswer.Delivery, in document: AppConfigurationDocument, _ user: Int,
    given facts: [(fact: UnknownFact, holds: Bool)] = []
  ) -> String {
    let unresolved = document.mobileApps.filter { !$0.contains(".") }
    guard delivery == .notTargeted(.otherApp), !unresolved.isEmpty else {
      return text(of: delivery, document.assignments ?? [], document.file, user, given: facts)
    }
    return "does not apply: the export does not contain its apps "
      + ListFormat.first(3, of: unresolved.map { "`\($0)`" })
  }

  /// Returns a text that states whether a document with these assignments reaches a user, and why.
  ///
  /// - Parameter facts: Facts that the export does not state, as conditions of the answer.
  func text(
    of delivery: TenantAnswer.Delivery, _ assignments: [Assignment], _ file: String, _ user: Int,
    given facts: [(fact: UnknownFact, holds: Bool)] = []
  ) -> String {
    let reason = reason(for: delivery, assignments, file, user, given: facts)
    return (delivery.applies ? "applies" : "does not apply")
      + (facts.isEmpty ? "" : " if \(list(facts))") + (reason.isEmpty ? "" : ": \(reason)")
  }

  /// Returns the reason why a document reaches or does not reach a user. Leaves out filters with a result in `facts`.
  /// Empty if there is no other reason.
  private func reason(
    for delivery: TenantAnswer.Delivery, _ assignments: [Assignment], _ file: String, _ user: Int,
    given facts: [(fact: UnknownFact, holds: Bool)]
  ) -> String {
    let upn = directory.users[user].upn
    let isStated = { (filter: Assignment.Filter) in
      facts.contains { fact, _ in
        guard case .filter(let name, _) = fact else { return false }
        return filterName(name) == filterName(filter.name)
      }
    }
    let cited = { (index: Int) in
      let assignment = assignments[index]
      let filter = assignment.filter.flatMap { isStated($0) ? nil : $0 }
      return reason(assignment, user)
        + (filter.map { ", and " + result(of: $0, applying: true) } ?? "")
        + " (\(cite(file, assignment.position.line)))"
    }
    switch delivery {
    case .notTargeted(let result): return result.text
    case .unassigned: return "the export states no assignments"
    case .assigned(.applies(let indices)): return ListFormat.all(of: indices.map(cited))
    case .assigned(.excluded(let index)): return "excluded, because \(cited(index))"
    case .assigned(.filtered(let indices)):
      let filters = indices.compactMap { assignments[$0].filter }.filter { !isStated($0) }
      return ListFormat.all(of: filters.map { result(of: $0, applying: false) }.unique)
    case .assigned(.unlicensed(let indices)):
      let assigned = indices.map(cited)
      return "\(upn) has no licence"
        + (assigned.isEmpty ? "" : ", although \(ListFormat.all(of: assigned))")
    case .assigned(.notAssigned):
      let groups = assignments.compactMap { assignment in
        if case .group(let group) = assignment.target { groupName(group) } else { nil }
      }
      let absence = "not in \(ListFormat.any(of: groups.map { "`\($0)`" }))"
      // All users with a licence are reached, so this one has none.
      if assignments.contains(where: { $0.target == .allLicensedUsers }) {
        return "\(upn) has no licence" + (groups.isEmpty ? "" : ", and is \(absence)")
      }
      return groups.isEmpty ? "assigned to no user" : absence
    }
  }

  /// Returns a clause with the result of a filter. It is the result with which the assignment applies or, if `applies`
  /// is false, does not apply.
  func result(of filter: Assignment.Filter, applying applies: Bool) -> String {
    "the filter `\(filterName(filter.name))` is \((filter.mode == .include) == applies)"
  }

  /// Returns the reason why the target of an assignment contains a user.
  private func reason(_ assignment: Assignment, _ user: Int) -> String {
    switch assignment.target {
    case .allLicensedUsers: "all users with a licence"
    case .allDevices: "all devices"
    case .other(let name): name
    case .group(let reference), .exclusion(let reference): membership(of: user, in: reference)
    }
  }

  private func membership(of user: Int, in reference: GroupReference) -> String {
    let upn = directory.users[user].upn
    guard let group = directory.group(reference),
      case .member(let path) = directory.membership(of: user, in: group)
    else { return "\(upn) is in `\(groupName(reference))`" }
    let names = path.map { "`\(directory.groups[$0].displayName)`" }
    let source = directory.groups[path[0]].source
    return "\(upn) is in " + names.joined(separator: ", which is in ")
      + " (\(cite(source.file, source.position.line)))"
  }

  /// Returns the location, relative to the tenant's folder: `Groups/sales.json:4`.
  func cite(_ file: String, _ line: Int) -> String { "\(relative(file)):\(line)" }

  func relative(_ file: String) -> String {
    let prefix = folder + "/"
    return file.hasPrefix(prefix) ? String(file.dropFirst(prefix.count)) : file
  }

  // MARK: Facts

  /// Returns lines about missing data on groups and filters. If the export contained the data, the answer would not
  /// depend on unknown memberships and filter results.
  private func gaps(in answer: TenantAnswer) -> [String] {
    var asked: [UnknownFact] = []
    for result in answer.policies {
      asked += facts(in: result, .policy(result.document), answer)
    }
    for result in answer.configurations {
      asked += facts(in: result, .configuration(result.document), answer)
    }
    for result in answer.conditionalAccess {
      asked += facts(in: result, .access(result.document), answer)
    }
    var groups: Set<Int> = []
    var filters: [String] = []
    for fact in asked {
      switch fact {
      case .membership(let group): groups.insert(group)
      case .filter(let name, _): filters.append(name.lowercased())
      case .deviceMembership, .absentGroup, .roles, .guest, .licence, .managedDevice: break
      }
    }
    var lines: [String] = []
    for group in groups.sorted() {
      guard case .unknown(let gaps) = directory.membership(of: answer.user, in: group) else {
        continue
      }
      let name = directory.groups[group].displayName
      lines += gaps.map { gap in
        switch gap {
        case .members(let inner) where inner == group: "  all members of `\(name)`"
        case .members(let inner):
          "  all members of `\(directory.groups[inner].displayName)`, which is in `\(name)`"
        case .attribute(let attribute): "  the user's `\(attribute)`, for `\(name)`"
        }
      }.sorted()
    }
    let device = answer.device.running(answer.app)
    lines += filters.unique.sorted().flatMap { gaps(inFilter: $0, on: device) }
    return lines.isEmpty ? [] : ["", "Not in the export"] + lines.unique
  }

  /// Returns lines with the device's properties that a filter's result depends on, and with the options that state
  /// them.
  ///
  /// - Parameter name: The lowercase name or id.
  private func gaps(inFilter name: String, on device: TenantDevice) -> [String] {
    let filter = "the filter `\(filterName(name))`"
    guard let rule = judge.filters[name]?.rule else { return ["  the rule of \(filter)"] }
    guard case .unknown(let attributes) = rule.result(for: device.filtered) else { return [] }
    return attributes.sorted().map { attribute in
      let (words, option): (String, String?) =
        switch attribute {
        case "appVersion": ("the app's version", "app=4.2")
        case "operatingSystemVersion", "osVersion": ("the version of iOS", "os=17.2")
        case "deviceModel", "model": ("the device's model", "model=iPhone15,2")
        default:  // open: names of attributes
          ("the device's `\(attribute)`", nil)
        }
      return "  \(words), for \(filter)" + (option.map { "; state it as in --device \($0)" } ?? "")
    }
  }

  private func facts<Answer>(
    in result: TenantAnswer.Result<Answer>, _ part: AnswerPart, _ answer: TenantAnswer
  ) -> [UnknownFact] {
    result.alternatives?.flatMap(\.facts).map(\.fact)
      ?? facts(deciding: part, for: answer.user, app: answer.app, on: answer.device)
  }

  /// A part of the answer for a user in an app on a device: the policies that apply together, or a single document, by
  /// its index.
  enum AnswerPart {
    case effective
    case policy(Int)
    case configuration(Int)
    case access(Int)
  }

  /// Returns the unknown facts on which a part of an answer depends.
  func facts(
    deciding part: AnswerPart, for user: Int, app: String, on device: TenantDevice
  ) -> [UnknownFact] {
    let question = TenantQuestion(
      tenant: self, user: TenantUser(user, of: self), app: app, device: device)
    return switch part {
    case .effective: Assumptions.facts { question.effective(&$0) }
    case .policy(let index): Assumptions.facts { question.policy(index, &$0) }
    case .configuration(let index): Assumptions.facts { question.configuration(index, &$0) }
    case .access(let index): Assumptions.facts { question.judgement(index, &$0) }
    }
  }

  /// Returns a line with the unknown facts on which a result depends; empty if the result has alternatives.
  private func undecided<Answer>(
    _ result: TenantAnswer.Result<Answer>, _ part: AnswerPart, _ answer: TenantAnswer
  ) -> [String] {
    guard result.alternatives == nil else { return [] }
    let facts = facts(deciding: part, for: answer.user, app: answer.app, on: answer.device)
    return ["    " + undecided(by: facts)]
  }

  func undecided(by facts: [UnknownFact]) -> String {
    "unknown, because it depends on \(facts.count) facts that the export does not state: "
      + ListFormat.all(of: facts.map { text(of: $0, holds: true) })
  }

  func condition(_ facts: [(fact: UnknownFact, holds: Bool)]) -> String {
    facts.isEmpty ? "" : ", if \(list(facts))"
  }

  private func list(_ facts: [(fact: UnknownFact, holds: Bool)]) -> String {
    ListFormat.all(of: facts.map { text(of: $0.fact, holds: $0.holds) })
  }

  /// Returns the fact as a clause.
  ///
  /// - Parameter subject: The user's name; nil for `the user`.
  func text(of fact: UnknownFact, holds: Bool, for subject: String? = nil) -> String {
    let not = holds ? "" : "not "
    let user = subject ?? "the user"
    return switch fact {
    case .membership(let group): "\(user) is \(not)in `\(directory.groups[group].displayName)`"
    case .deviceMembership(let group):
      "the device is \(not)in `\(directory.groups[group].displayName)`"
    case .absentGroup(let reference): "\(user) is \(not)in `\(reference.text)`"
    case .roles(let ids): "\(user) \(text(ofRoles: ids, holds: holds))"
    case .guest: "\(user) is \(not)a guest"
    case .licence: "\(user) \(holds ? "has a" : "has no") licence"
    case .filter(let name, let app):
      "the filter `\(filterName(name))` is \(holds ? "true" : "false")"
        + (app.map { " in `\($0)`" } ?? "")
    case .managedDevice: "the device is \(not)managed"
    }
  }

  private func text(ofRoles ids: [String], holds: Bool) -> String {
    let names = DirectoryRole.names(of: ids).map { "`\($0)`" }
    guard names.count > 1 else {
      return "\(holds ? "has" : "does not have") the role \(names.joined())"
    }
    return "has \(holds ? "one" : "none") of the roles \(ListFormat.first(3, of: names))"
  }

  func groupName(_ reference: GroupReference) -> String {
    directory.group(reference).map { directory.groups[$0].displayName } ?? reference.text
  }

  func filterName(_ name: String) -> String {
    judge.filters[name.lowercased()]?.displayName ?? name
  }
}
