internal import Analysis
internal import Directory
internal import Encodings
internal import GraphDocuments
internal import Leaks
internal import Output
internal import Simulation
internal import Tenants

/// The leaks on the devices of a tenant's users. Users with the same leaks form a group. If the export does not state
/// all facts, a class of users can be in several groups, each under different conditions.
struct LeakClasses {
  enum Result {
    case report(LeakReport)
    /// The device could not be searched, for example because its user has no policy.
    case refusal(RunError)

    fileprivate var text: String {
      switch self {
      case .report(let report): report.text
      case .refusal(let error): error.reason
      }
    }
  }

  /// A search result for a class of users, and the cases in which the result applies. A case is a list of conditions
  /// that must all hold.
  struct Outcome {
    var result: Result
    var cases: [[TenantCondition]]
  }

  /// Users, and the conditions under which the result of their group applies to them.
  private struct Member {
    var users: [Int]
    var conditions: [TenantCondition]
  }

  /// Users whose results are equal apart from the users' names.
  private struct Group {
    var members: [Member]
    var result: Result
  }

  private var groups: [Group] = []
  /// The index of the group for each result. Keys are the results' texts without the user's name.
  private var places: [String: Int] = [:]

  var isEmpty: Bool { groups.isEmpty }

  /// Whether none of the searched devices has a leak.
  var isClean: Bool {
    groups.allSatisfy { group in
      switch group.result {
      case .report(let report): report.isClean
      case .refusal: true
      }
    }
  }

  /// The first error, if no device could be searched; nil if at least one could.
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

  /// Adds the search results of a class of users.
  ///
  /// - Parameter outcomes: A result for each combination of unknown facts; at least one.
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

  /// Returns a text with the leaks of each group. A heading states the group's users and conditions.
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

  /// Returns a JSON object with the leaks of each class; see docs/schema/tenant-leaks.schema.json.
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
