internal import Directory
internal import Encodings
internal import Enrollment
internal import GraphDocuments
internal import Output
internal import Policy

extension Tenant {
  /// Groups users into classes, the largest class first. The users of a class have the same policies in all apps on all
  /// devices, and the same conditional access requirements.
  ///
  /// - Parameters:
  ///   - users: The users to group; nil for all.
  ///   - apps: Lowercase bundle ids.
  ///   - devices: At least one.
  package func classes(
    of users: [UserClass]? = nil, in apps: [String], on devices: [TenantDevice]
  ) -> [UserClass] {
    TenantOverview(self, users ?? classes(), apps, devices).rows.map(\.users)
  }
}

/// A table of policies and conditional access. It has a row for each class of users, and a column for apps in which
/// each user gets the same policies.
struct TenantOverview {
  /// A possible answer: the policies that apply together if `conditions` hold. The conditions are about facts that the
  /// export does not state.
  struct Case: Hashable {
    var conditions: [TenantCondition]
    var policies: [Int]
    var state: ManagementState
    /// The protection by the policies alone, regardless of conditional access.
    var protection: Protection
  }

  /// The answer for a class of users in one app. On each device, it has a case for each combination of unknown facts.
  struct Cell: Hashable {
    /// The cases on each device. Nil for a device on which the policies depend on too many unknown facts.
    var cases: [[Case]?]
    /// The demand of conditional access for an app protection policy on each device.
    var demands: [PolicyDemand]
    /// For each device, the indices of the conditional access policies that the users cannot meet there.
    var blocks: [[Int]]
    /// The combined protection of all devices.
    private(set) var protection = Protection.unknown
    /// Whether the policies on at least one device depend on too many unknown facts.
    let isUndecided: Bool

    init(cases: [[Case]?], demands: [PolicyDemand], blocks: [[Int]]) {
      self.cases = cases
      self.demands = demands
      self.blocks = blocks
      isUndecided = cases.contains { $0 == nil }
      protection = Protection(of: protections)
    }

    var protections: [Protection] {
      cases.indices.map { device in
        guard blocks[device].isEmpty else { return .noAccess }
        let demand = demands[device]
        guard let cases = cases[device] else { return .unknown }
        guard let first = cases.first, cases.allSatisfy({ $0.protection == first.protection })
        else { return .unknown }
        guard first.protection == .unprotected else { return first.protection }
        return cases.allSatisfy { demand.given($0.conditions).isUnconditional }
          ? .lockedOut : .unprotected
      }
    }
  }

  enum Protection: String, CaseIterable {
    case protected, noAccess, permissive, partial, unknown, lockedOut, unprotected

    /// Combines the protection on several devices, or in several apps. Parts with `noAccess` count only if all parts
    /// have it. If some parts are unprotected and all others are locked out, the result is unprotected.
    init(of parts: [Protection]) {
      let accessible = Set(parts).subtracting([.noAccess])
      let parts = accessible.isEmpty ? Set(parts) : accessible
      self =
        parts.count == 1
        ? parts.first ?? .unknown
        : parts.isSubset(of: [.unprotected, .lockedOut])
          ? .unprotected
          : parts.contains(.unknown) ? .unknown : .partial
    }

    var words: String {
      switch self {
      case .protected: "Protected"
      case .noAccess: "No access"
      case .permissive: "Policy, all open"
      case .partial: "Some devices only"
      case .unknown: "Depends"
      case .lockedOut: "Locked out"
      case .unprotected: "No policy"
      }
    }
  }

  /// Users with the same policies in every app and the same conditional access requirements.
  struct Row {
    var users: UserClass
    /// For each column, the index of the row's cell in ``TenantOverview/cells``.
    fileprivate(set) var cells: [Int]
    /// The conditional access policies that apply to the users, as lines of text.
    var demands: [String]
  }

  /// Apps in which each user gets the same policies.
  struct Column {
    var apps: [String]
    /// The name for readers: `Outlook, Teams`.
    var title: String {
      ListFormat.first(
        3, of: AppName.wellKnownFirst(apps).map { AppName.short($0).capitalizedStart })
    }
  }

  let tenant: Tenant
  let devices: [TenantDevice]
  private(set) var columns: [Column] = []
  /// The rows, by descending size of the class.
  private(set) var rows: [Row] = []
  /// The distinct cells of all rows.
  private(set) var cells: [Cell] = []

  init(_ tenant: Tenant, _ classes: [UserClass], _ apps: [String], _ devices: [TenantDevice]) {
    self.tenant = tenant
    self.devices = devices
    let survey = UserSurvey(tenant, users: classes.map(\.representative))
    let demands = Demands(self, survey)
    var table = CellTable()
    let columns = apps.map { app in
      devices.map { device in
        let answers = survey.answers(in: app, on: device)
        let cases = answers.alternatives.map { $0.map { Self.cases($0, of: tenant) } }
        return (labels: answers.labels, cases: table.identifiers(of: cases))
      }
    }
    var members: [[Int]] = []
    var places: [[Int]: Int] = [:]
    for (number, users) in classes.enumerated() {
      let demand = demands.labels[number]
      let numbers = columns.map { devices in
        table.cell(
          devices.map { $0.cases[Int($0.labels[number])] }, demands.ofPolicies[demand],
          demands.blocks[demand])
      }
      var key = numbers + [demands.words[demand].number]
      // Users whose answer depends on too many facts may differ in these facts.
      if numbers.contains(where: { table.cells[$0].isUndecided }) { key.append(number) }
      let place = places[key] ?? rows.count
      if place == rows.count {
        places[key] = place
        rows.append(Row(users: users, cells: numbers, demands: demands.words[demand].lines))
        members.append([])
      }
      members[place] += users.users
    }
    for place in rows.indices { rows[place].users = UserClass(users: members[place].sorted()) }
    rows.sort {
      ($1.users.users.count, $0.users.users[0]) < ($0.users.users.count, $1.users.users[0])
    }
    cells = table.cells
    uniteColumns(apps)
  }

  func cells(of row: Row) -> [Cell] { row.cells.map { cells[$0] } }

  private static func cases(
    _ alternatives: AppAnswers.Alternatives, of tenant: Tenant
  ) -> [Case] {
    Assumptions.united(alternatives).map { alternative in
      Case(
        conditions: tenant.conditions(alternative.facts),
        policies: alternative.answer.policies, state: alternative.answer.state,
        protection: protection(by: alternative.answer.policies.map { tenant.policies[$0] }))
    }
  }

  private static func protection(by policies: [PolicyDocument]) -> Protection {
    if policies.isEmpty { return .unprotected }
    return policies.allSatisfy { WayClass.areAllOpen(under: $0.settings) }
      ? .permissive : .protected
  }

  /// Stores each distinct cell once.
  private struct CellTable {
    private struct Key: Hashable {
      var cases: [Int]
      var demands: [PolicyDemand]
      var blocks: [[Int]]
    }

    private var identifiers: [[Case]?: Int] = [:]
    private var places: [Key: Int] = [:]
    /// The distinct lists of cases, indexed by identifier.
    private var cases: [[Case]?] = []
    private(set) var cells: [Cell] = []

    /// Returns an identifier for each element of `cases`. Equal elements have the same identifier.
    mutating func identifiers(of cases: [[Case]?]) -> [Int] {
      cases.map { entry in
        if let known = identifiers[entry] { return known }
        identifiers[entry] = self.cases.count
        self.cases.append(entry)
        return self.cases.count - 1
      }
    }

    /// Returns the index of the cell with this content, and adds the cell if it is new.
    ///
    /// - Parameter identifiers: For each device, the identifier of the list of cases.
    mutating func cell(
      _ identifiers: [Int], _ demands: [PolicyDemand], _ blocks: [[Int]]
    ) -> Int {
      let key = Key(cases: identifiers, demands: demands, blocks: blocks)
      if let place = places[key] { return place }
      places[key] = cells.count
      cells.append(
        Cell(cases: identifiers.map { cases[$0] }, demands: demands, blocks: blocks))
      return cells.count - 1
    }
  }

  private struct Demands {
    /// For each user of the survey, the index of the user's block in ``words``, ``ofPolicies`` and ``blocks``.
    /// Conditional access treats the users of a block equally.
    private(set) var labels: [Int]
    /// For each block of users, the conditional access policies as lines of text. Elements with equal lines have the
    /// same `number`.
    private(set) var words: [(number: Int, lines: [String])] = []
    /// For each block of users, the demand for an app protection policy on each device.
    private(set) var ofPolicies: [[PolicyDemand]] = []
    /// For each block of users, the conditional access policies that they cannot meet on each device, by their indices.
    private(set) var blocks: [[[Int]]] = []

    init(_ overview: TenantOverview, _ survey: UserSurvey) {
      let tenant = overview.tenant
      labels = Array(repeating: 0, count: survey.users.count)
      var partition = UserPartition(count: survey.users.count)
      let answers = overview.devices.map { device in
        tenant.conditionalAccess.indices.map { policy in
          let (blocks, results) = survey.judgements(of: policy, on: device)
          for users in blocks.blocks.dropFirst() { partition.split(users) }
          return (
            labels: blocks.labels,
            lines: results.map { Self.lines($0, of: tenant) },
            demands: results.map { tenant.demand(of: $0, on: device) },
            blocks: results.map { tenant.blocks($0, on: device) }
          )
        }
      }
      var numbers: [[String]: Int] = [:]
      for (index, users) in partition.blocks(of: labels.indices).enumerated() {
        for user in users { labels[user] = index }
        let lines = overview.devicesUnited(
          answers.map { policies in
            policies.flatMap { $0.lines[Int($0.labels[users[0]])] }
          })
        let number = numbers[lines] ?? numbers.count
        numbers[lines] = number
        words.append((number, lines))
        ofPolicies.append(
          answers.map { policies in
            PolicyDemand(policies.flatMap { $0.demands[Int($0.labels[users[0]])].cases })
          })
        blocks.append(
          answers.map { policies in
            policies.indices.filter { policies[$0].blocks[Int(policies[$0].labels[users[0]])] }
          })
      }
    }

    private static func lines(
      _ result: TenantAnswer.Result<ConditionalAccessPolicy.Judgement>, of tenant: Tenant
    ) -> [String] {
      let policy = tenant.conditionalAccess[result.document]
      let place = tenant.cite(policy.file, policy.position.line)
      return (result.alternatives ?? []).filter { $0.answer.applies != false }.map { alternative in
        "`\(policy.displayName)` \(policy.clause(of: alternative.answer))"
          + tenant.condition(alternative.facts) + tenant.demands(of: policy, alternative.answer)
          + " (\(place))"
      }
    }
  }

  /// Joins the lines of all devices. A line that does not apply to all devices names its devices.
  func devicesUnited(_ lines: [[String]]) -> [String] {
    lines.joined().unique.map { line in
      let among = zip(devices, lines).filter { $1.contains(line) }.map(\.0)
      return among.count == devices.count ? line : "on \(words(for: among)): \(line)"
    }
  }

  /// Returns the devices in words: `managed devices`.
  func words(for devices: [TenantDevice]) -> String {
    ListFormat.all(
      of: devices.map { device in
        (device.isManaged ? "managed" : "unmanaged") + " devices" + device.properties
      })
  }

  /// Combines apps whose cells are equal in every row into one column.
  private mutating func uniteColumns(_ apps: [String]) {
    var places: [[Int]: Int] = [:]
    var kept: [Int] = []
    for index in apps.indices {
      let cells = rows.map { $0.cells[index] }
      if let place = places[cells] {
        columns[place].apps.append(apps[index])
      } else {
        places[cells] = columns.count
        columns.append(Column(apps: [apps[index]]))
        kept.append(index)
      }
    }
    for place in rows.indices { rows[place].cells = kept.map { rows[place].cells[$0] } }
  }
}
