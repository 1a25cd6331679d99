internal import Analysis
internal import Directory
internal import Encodings
internal import GraphDocuments
internal import Model
internal import Output
internal import Replay
internal import Simulation
internal import Tenants

/// Decides requests for the users of a tenant. If the verdict may depend on facts that the export does not state, each
/// possible combination of these facts is decided.
///
/// A request's accounts are users of the tenant. An account that is not a user is unmanaged. If the export contains no
/// users, each account may be in any group.
struct TenantDecisions {
  let query: TenantQuery
  private(set) var decider: Decider
  /// A cache: for each account in a request, the users to whom it may belong, grouped by the policies that they get.
  private var known: [Party: [PolicyAudience]] = [:]
  private var toldStrangers: Set<String> = []
  /// The indices of the users whose accounts were already checked. A check prints a note if the account is disabled.
  private var toldDisabled: Set<Int>

  init(_ query: TenantQuery) {
    self.query = query
    toldDisabled = Set([query.user].compactMap(\.self))
    decider = Decider(
      query.tenant.policies,
      of: TenantAssignments(isMDMEnrolled: query.device.isManaged, user: nil))
  }

  /// The account for which a request about all users is decided if the export contains no users.
  private static let anyUser = Account(upn: "a user")

  /// A key of ``known``: an account in a request, or the accounts of all users, with the apps that use it and the
  /// device.
  private struct Party: Hashable {
    /// The account's name in the request; nil for the accounts of all users.
    var user: String?
    var apps: [String]
    var device: TenantDevice
  }

  /// One possible combination of users, policies and unknown facts with which a request is decided.
  private struct Case {
    var circumstance = Circumstance()
    /// The account of the acting app; nil if the request states it.
    var user: Account?
    var assigned: [Decider.Subject: TenantAssignments.Assigned] = [:]
  }

  /// The users to whom an answer applies, and the conditions that must all hold for them.
  struct Circumstance: Hashable {
    /// The users; nil if the request states its accounts.
    fileprivate var users: PolicyRecipients?
    fileprivate var conditions: [TenantCondition] = []

    var clauses: [String] { conditions.map(\.text) }

    fileprivate var text: String {
      guard var recipients = users else { return "if \(ListFormat.all(of: clauses))" }
      recipients.conditions = clauses
      return "for \(recipients.text)"
    }
  }

  /// An answer to a request, with the circumstances in which it applies.
  struct Answer<Value> {
    /// The circumstances; the answer applies in each of them. Empty if the answer always applies.
    var circumstances: [Circumstance]
    var value: Value

    /// A heading that states the circumstances; nil if the answer always applies.
    var heading: String? {
      guard !circumstances.isEmpty else { return nil }
      let text = circumstances.map(\.text).joined(separator: "; ").escapingUnprintable()
      return text.capitalizedStart + ":"
    }
  }

  /// Decides a request for each possible combination of users, policies and unknown facts, and merges equal answers.
  ///
  /// - Parameters:
  ///   - number: The number of the line, for messages.
  ///   - asksAll: Whether to decide for all classes of users if neither the request nor the command states the acting
  ///     app's account.
  ///   - key: Returns a text that is equal for equal answers.
  ///   - decide: Decides the request in `line` under the policies that the decider currently assigns.
  /// - Throws: ``RunError`` with the error's line and column, or if an answer depends on too many unknown facts.
  mutating func answers<Value>(
    to line: String, number: Int, forAll asksAll: Bool, by key: (Value) -> String,
    _ decide: (inout Decider) throws(RunError) -> Value
  ) throws(RunError) -> [Answer<Value>] {
    let cases = try cases(of: line, number: number, forAll: asksAll)
    var answers: [Answer<Value>] = []
    var places: [String: Int] = [:]
    for one in cases {
      decider.assign(one.assigned, to: one.user)
      let value = try decide(&decider)
      let key = key(value)
      let place = places[key] ?? answers.count
      if place == answers.count {
        places[key] = place
        answers.append(Answer(circumstances: [], value: value))
      }
      answers[place].circumstances.append(one.circumstance)
    }
    let all = Dictionary(grouping: cases.map(\.circumstance), by: \.users)
    for place in answers.indices {
      answers[place].circumstances = Self.withoutIdleConditions(
        answers[place].circumstances, among: all)
    }
    return answers
  }

  /// Shortens the circumstances of an answer. If some users get this answer in all their circumstances, removes the
  /// conditions from these circumstances. Then removes empty and duplicate circumstances.
  private static func withoutIdleConditions(
    _ circumstances: [Circumstance], among all: [PolicyRecipients?: [Circumstance]]
  ) -> [Circumstance] {
    let own = Dictionary(grouping: circumstances, by: \.users)
    var reported: Set<Circumstance> = []
    return circumstances.compactMap { circumstance in
      var circumstance = circumstance
      if own[circumstance.users]?.count == all[circumstance.users]?.count {
        circumstance.conditions = []
      }
      let isIdle = circumstance.users == nil && circumstance.conditions.isEmpty
      return isIdle || !reported.insert(circumstance).inserted ? nil : circumstance
    }
  }

  /// Decides a request of `sluice decide`, and returns the answer as a line of JSON.
  mutating func decisions(on line: String, number: Int) throws(RunError) -> [UInt8] {
    let answers = try answers(
      to: line, number: number, forAll: false, by: { String(decoding: $0.line, as: UTF8.self) }
    ) { (decider: inout Decider) throws(RunError) in
      try decider.decision(on: line, number: number)
    }
    guard let first = answers.first?.value else { return [] }
    guard answers.count > 1 else { return first.line }
    return first.line(
      of: answers.flatMap { answer in
        answer.circumstances.map { ($0.clauses, answer.value) }
      })
  }

  // MARK: Cases

  private mutating func cases(
    of line: String, number: Int, forAll asksAll: Bool
  ) throws(RunError) -> [Case] {
    let account = query.user.map { query.account(of: $0) }
    // An account with this name stands for all users.
    let everyone = asksAll && account == nil ? Account(upn: "\u{0}") : nil
    let subjects = try decider.subjects(of: line, number: number, for: account ?? everyone)
    var cases = [Case(user: account)]
    for name in subjects.map(\.user).unique {
      let own = subjects.filter { $0.user == name }
      let isEveryone = name == everyone?.upn
      guard let audiences = audiences(of: own, among: subjects, areAll: isEveryone) else {
        continue
      }
      var extended: [Case] = []
      for one in cases {
        for audience in audiences {
          extended += try extend(one, with: audience, own, areAll: isEveryone)
        }
      }
      cases = extended
    }
    return cases
  }

  /// Returns the users to whom one of the request's accounts may belong, grouped by their policies. Returns nil if the
  /// account is not that of a user.
  ///
  /// - Parameters:
  ///   - subjects: The places in the request that have this account.
  ///   - all: The places in the request that have any account.
  ///   - areAll: Whether the account stands for all users.
  private mutating func audiences(
    of subjects: [Decider.Subject], among all: [Decider.Subject], areAll: Bool
  ) -> [PolicyAudience]? {
    guard let first = subjects.first else { return nil }
    let tenant = query.tenant
    var device = query.device
    device.isManaged = first.device.isMDMEnrolled
    device.osVersion = first.device.osVersion ?? device.osVersion
    device.model = first.device.model ?? device.model
    if let version = first.device.appVersion { device.appVersions[first.app] = version }
    device.hasSeveralApps = all.contains { $0.app != first.app }
    let party = Party(
      user: areAll ? nil : first.user, apps: subjects.map(\.app).unique.sorted(), device: device)
    if let audiences = known[party] { return audiences }
    var users: [UserClass]?
    if !areAll, !tenant.directory.users.isEmpty {
      guard let user = tenant.directory.user(first.user) ?? tenant.directory.user(first.upn) else {
        note(stranger: first.upn)
        return nil
      }
      if toldDisabled.insert(user).inserted { tenant.noteDisabledAccount(of: user) }
      users = [UserClass(users: [user])]
    }
    let audiences = tenant.audiences(
      of: users, called: areAll ? nil : first.upn, in: party.apps, on: device)
    known[party] = audiences
    return audiences
  }

  private mutating func note(stranger name: String) {
    guard toldStrangers.insert(name).inserted else { return }
    Failure.print(
      Diagnostic(
        .command,
        "`\(name)` is not a user of the export, so no policy applies to the account"
          + (query.tenant.directory.upn(ofAlias: name).map { Suggestion.text($0) }
            ?? Suggestion.nearest(to: name, among: query.tenant.directory.users.map(\.upn))),
        rule: "user", severity: .note
      ).description)
  }

  /// Adds the policies of `audience` to the case `one`. Returns a case for each member of the audience whose conditions
  /// are compatible with those of `one`.
  private func extend(
    _ one: Case, with audience: PolicyAudience, _ subjects: [Decider.Subject], areAll: Bool
  ) throws(RunError) -> [Case] {
    let recipients = query.tenant.recipients(audience)
    guard let policies = audience.policies else {
      throw query.tooManyFacts(about: recipients, audience.unknownFacts)
    }
    var extended = one
    if areAll {
      extended.user = audience.representative.map(query.account) ?? Self.anyUser
    }
    for subject in subjects {
      guard let part = policies[subject.app] else { continue }
      var subject = subject
      if areAll, let account = extended.user {
        (subject.user, subject.upn) = (account.upn, account.upn)
      }
      extended.assigned[subject] = TenantAssignments.Assigned(
        policies: part.policies, hasEnrolledUPN: part.state == .enrolled)
    }
    return zip(audience.members, recipients).compactMap { member, recipient in
      // Two accounts may depend on one fact, such as a filter.
      let known = one.circumstance.conditions
      let conditions = known + member.conditions.filter { !known.contains($0) }
      guard TenantCondition.areCompatible(conditions) else { return nil }
      var extended = extended
      extended.circumstance.conditions = conditions
      if areAll {
        var users = recipient
        users.conditions = []
        extended.circumstance.users = users
      }
      return extended
    }
  }
}
