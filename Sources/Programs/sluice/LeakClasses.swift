internal import Analysis
internal import Directory
internal import Encodings
internal import GraphDocuments
internal import Leaks
internal import Output
internal import Simulation
internal import Tenants

/// The leaks on the devices of all users of a tenant, by classes of users.
struct LeakClasses {
  /// The result of a search.
  private enum Result {
    case report(LeakReport)
    /// The device cannot be searched, such as that of a user without a policy.
    case refusal(RunError)
  }

  /// Users with one result, except for their names.
  private struct Group {
    var users: [Int]
    var result: Result
  }

  private var groups: [Group] = []
  /// The indices of groups, by the text of the result without the user's name.
  private var places: [String: Int] = [:]

  var isEmpty: Bool { groups.isEmpty }

  /// Whether no searched device has a leak.
  var isClean: Bool {
    groups.allSatisfy { group in
      switch group.result {
      case .report(let report): report.isClean
      case .refusal: true
      }
    }
  }

  /// The error if no device can be searched; nil if one can.
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

  /// Adds the leaks of users whom nothing tells apart.
  ///
  /// - Parameter name: The user principal name of the user who was asked about.
  mutating func add(_ report: LeakReport, of users: UserClass, like name: String) {
    add(.report(report), report.text, users, name)
  }

  /// Adds users whose device cannot be searched.
  mutating func add(_ error: RunError, of users: UserClass, like name: String) {
    add(.refusal(error), error.reason, users, name)
  }

  private mutating func add(
    _ result: Result, _ text: String, _ users: UserClass, _ name: String
  ) {
    let key = text.replacing(name, with: "\u{0}")
    if let place = places[key] {
      groups[place].users += users.users
    } else {
      places[key] = groups.count
      groups.append(Group(users: users.users, result: result))
    }
  }

  // MARK: Output

  private func recipients(_ group: Group, of tenant: Tenant) -> PolicyRecipients {
    PolicyRecipients(
      count: group.users.count, like: tenant.directory.users[group.users[0]].upn, conditions: [],
      apps: [])
  }

  /// The leaks of each class, below a heading with the users.
  func text(of tenant: Tenant) -> String {
    groups.map { group in
      let heading = "For \(recipients(group, of: tenant).text):"
      switch group.result {
      case .report(let report): return "\(heading)\n\n\(report.text)"
      case .refusal(let error): return "\(heading) \(error.reason)\n"
      }
    }.joined(separator: "\n")
  }

  /// The leaks of each class as one JSON object; see docs/schema/tenant-leaks.schema.json.
  func json(of tenant: Tenant) -> String {
    JSONWriter.objectLine { writer in
      writer.objects("classes", of: groups) { writer, group in
        writer.strings("users", group.users.sorted().map { tenant.directory.users[$0].upn })
        switch group.result {
        case .report(let report):
          writer.member("report", json: report.json.trimmed.utf8)
        case .refusal(let error): writer.member("reason", error.reason)
        }
      }
    }
  }
}
