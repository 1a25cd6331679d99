internal import Analysis
internal import Directory
internal import Encodings
internal import GraphDocuments
internal import Leaks
internal import Output
internal import Simulation
internal import Tenants

/// The leaks on the devices of a tenant's users, by user class and by facts that the export does not state.
struct LeakClasses {
  enum Result {
    case report(LeakReport)
    /// The device cannot be searched, for example because its user has no policy.
    case refusal(RunError)

    fileprivate var text: String {
      switch self {
      case .report(let report): report.text
      case .refusal(let error): error.reason
      }
    }
  }

  /// A result, and the cases in which a user has the result. A case is a list of conditions that all hold.
  struct Outcome {
    var result: Result
    var cases: [[TenantCondition]]
  }

  /// Users, and the conditions under which they have a result.
  private struct Member {
    var users: [Int]
    var conditions: [TenantCondition]
  }

  /// Users with results that differ only in the users' names.
  private struct Group {
    var members: [Member]
    var result: Result
  }

  private var groups: [Group] = []
  /// The indices of the groups, keyed by the text of the result without the user's name.
  private var places: [String: Int] = [:]

  var isEmpty: Bool { groups.isEmpty }

  /// Whether no leak was found on the searched devices.
  var isClean: Bool {
    groups.allSatisfy { group in
      switch group.result {
      case .report(let report): report.isClean
      case .refusal: true
      }
    }
  }

  /// The error if none of the devices can be searched; nil if at least one can.
  var error: RunError? {
    var first: RunError?
    for group in groups {
      switch group.result {
      case .report: return nil
      case .refusal(let error): first = first ?? error
      }
    }
    return first
  }

  /// Adds the results of indistinguishable users.
  ///
  /// - Parameter outcomes: One outcome per combination of unknown facts; at least one outcome.
  mutating func add(_ outcomes: [Outcome], of users: UserClass, _ tenant: Tenant) {
    let name = tenant.directory.users[users.representative].upn
    let keys = outcomes.map { $0.result.text.replacing(name, with: "\u{0}") }
    // Facts that change nothing are not conditions.
    let isDecided = Set(keys).count == 1
    for (key, outcome) in zip(keys, isDecided ? Array(outcomes.prefix(1)) : outcomes) {
      let place = places[key] ?? groups.count
      if place == groups.count {
        places[key] = place
        groups.append(Group(members: [], result: outcome.result))
      }
      for conditions in isDecided ? [[]] : outcome.cases {
        add(users.users, if: conditions, at: place)
      }
    }
  }

  private mutating func add(_ users: [Int], if conditions: [TenantCondition], at place: Int) {
    let members = groups[place].members
    if let known = members.firstIndex(where: { $0.conditions == conditions }) {
      groups[place].members[known].users += users
    } else {
      groups[place].members.append(Member(users: users, conditions: conditions))
    }
  }

  // MARK: Output

  private func recipients(_ member: Member, of tenant: Tenant) -> PolicyRecipients {
    PolicyRecipients(
      count: member.users.count, like: tenant.directory.users[member.users[0]].upn,
      conditions: member.conditions.map(\.text), apps: [])
  }

  /// Returns the leaks of each class, below a heading with the users and the conditions.
  func text(of tenant: Tenant) -> String {
    groups.map { group in
      let heading =
        "For "
        + group.members.map { recipients($0, of: tenant).text }.joined(separator: "; for ")
      switch group.result {
      case .report(let report): return "\(heading):\n\n\(report.text)"
      case .refusal(let error): return "\(heading): \(error.reason)\n"
      }
    }.joined(separator: "\n")
  }

  /// Returns the leaks of each class as one JSON object; see docs/schema/tenant-leaks.schema.json.
  func json(of tenant: Tenant) -> String {
    let classes = groups.flatMap { group in group.members.map { (group.result, $0) } }
    return JSONWriter.objectLine { writer in
      writer.objects("classes", of: classes) { writer, element in
        let (result, member) = element
        writer.strings("users", member.users.sorted().map { tenant.directory.users[$0].upn })
        if !member.conditions.isEmpty { writer.strings("if", member.conditions.map(\.text)) }
        switch result {
        case .report(let report): writer.member("report", json: report.json.trimmed.utf8)
        case .refusal(let error): writer.member("reason", error.reason)
        }
      }
    }
  }
}
