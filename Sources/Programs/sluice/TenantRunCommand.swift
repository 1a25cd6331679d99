internal import ArgumentParser
internal import Conformance
internal import Distribution
internal import Encodings
internal import Output
internal import Scenario
internal import Simulation
internal import Tenants

struct TenantRunCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run the exit criteria, or scenarios, for each class of users, on real processes.",
    discussion: """
      sluice tenant run exports/
      sluice tenant run exports/ story.yaml --user anna@contoso.com --device managed,os=17.2

      Without scenarios, the cases are those of the exit criteria. Only their outcomes are expected, not the deciding \
      rules. Indistinguishable users form a class; one of them replaces the scenario's managed account, and has \
      the policies that the tenant assigns instead of the scenario's. Apps that only the scenario's policies manage \
      are replaced by --app. If what the users get depends on facts that the export does not state, each alternative \
      is run.

      A case is skipped if it changes the scenario's own policies, reads its app configurations, or needs more users \
      than the class has. Assignment filters see the scenarios' own device, by default an unmanaged iPhone with iOS \
      26, or that of --device.

      Exit status: 0 all cases passed for all classes, 1 an expectation failed, 2 a file is invalid, 64 usage, 70 an \
      error of Sluice itself.
      """)

  @Argument(
    help: "A folder with everything that the tenant exports: policies, groups, users, filters.",
    completion: .directory)
  var folder: String

  @Argument(
    help: "Scenario files, or folders of them. Default: the scenarios of the exit criteria.",
    completion: .file())
  var scenarios: [String] = []

  @Option(help: "Only this user, by user principal name or object id.")
  var user: String?

  @Option(
    help:
      "The app that replaces managed apps without a policy in the tenant. Default: the app with the most policies."
  )
  var app: String?

  @OptionGroup var place: TenantDeviceOption
  @OptionGroup var whatIf: WhatIfOptions

  @Option(help: "Run only the cases whose name or criterion contains this text, ignoring case.")
  var filter: String?

  @Option(
    help: ArgumentHelp(
      "The number of cases to run at the same time. Default: the number of processors.",
      valueName: "n"))
  var jobs: Int?

  @OptionGroup var report: ReportOptions<ReportFormat>
  @OptionGroup var detail: DetailOptions

  @OptionGroup var device: DeviceOptions

  func validate() throws {
    guard (1...64).contains(jobs ?? 1) else {
      throw ValidationError("--jobs must be 1 to 64, found \(jobs ?? 1)")
    }
  }

  func perform() throws(RunError) {
    let export = try Tenant.load(folder)
    let bundleID = try app.map { name throws(RunError) in try export.bundleID(of: name) }
    let tenant = try whatIf.changed(
      export, user: user.map { name throws(RunError) in try export.user(named: name) },
      on: place.value(in: export))
    let classes = try classes(of: tenant)
    let stated = try place.stated(in: export)
    let results = try Workshop.use(device) { settings throws(RunError) in
      var session = ClassSession(settings, printed: Set(export.diagnostics.map(\.description)))
      let included = try includedScenarios(settings)
      for users in classes {
        let user = TenantStandIn(tenant, users: users.users, app: bundleID, device: stated)
        session.prepare(
          included, for: user, called: tenant.name(users.named),
          lockOuts: tenant.lockOuts(of: [users.named], in: user.app, on: user.usualDevice))
      }
      try report.files.check(isNoneOf: included.flatMap(\.inputFiles))
      return try session.run(
        title: folder, jobs: jobs ?? ThreadPool.ofAllCores.size, maxFailures: detail.maxFailures,
        into: device.outputFolder)
    }
    let outcome = results.cases.report
    // The titles of passed cases are omitted, because the table states which cases passed.
    var extent = detail.extent
    if extent.detail == .titles { extent.detail = .failures }
    try report.targets.write { format, destination in
      let text = format.render(
        outcome, { results.cases.picture() }, detail.color.palette(for: destination), extent)
      return format == .text ? results.table.text + "\n" + text : text
    }
    if !outcome.isPassed { Self.exit(withError: Failure.expectation) }
  }

  /// Returns the classes of users to run the cases for. In each result, `users` are the users who replace the
  /// scenario's accounts, in order, and `named` is the class that reports show.
  private func classes(
    of tenant: Tenant
  ) throws(RunError) -> [(users: [Int], named: UserClass)] {
    let classes = tenant.classes()
    if let user {
      let index = try tenant.user(named: user)
      tenant.noteDisabledAccount(of: index)
      let others = classes.first { $0.users.contains(index) }?.users.filter { $0 != index } ?? []
      return [([index] + others, UserClass(users: [index]))]
    }
    guard !classes.isEmpty else { throw tenant.noUsers }
    return classes.map { ($0.users, $0) }
  }

  private func includedScenarios(_ settings: RunSettings) throws(RunError) -> [Scenario] {
    let all =
      scenarios.isEmpty
      ? try ShippedScenarios.withCriteria(
        in: ShippedScenarios.folder(for: settings.programs.folder))
      : try ScenarioFiles.load(scenarios)
    let included = all.compactMap { scenario -> Scenario? in
      var scenario = scenario
      scenario.cases.removeAll { !isIncluded($0) }
      // The criteria name rules of their own policies, and a tenant's policies may have the same effect by others.
      if scenarios.isEmpty {
        for index in scenario.cases.indices {
          scenario.cases[index].steps = scenario.cases[index].steps.map(\.withoutExpectedRules)
        }
      }
      return scenario.cases.isEmpty ? nil : scenario
    }
    guard !included.isEmpty else {
      throw RunError(.command, "no case matches `\(filter ?? "")`", rule: "filter")
    }
    return included
  }

  private func isIncluded(_ test: Case) -> Bool {
    guard !scenarios.isEmpty || test.criterion != nil else { return false }
    guard let filter = filter?.lowercased() else { return true }
    return [test.name, test.criterion ?? ""].contains { $0.lowercased().contains(filter) }
  }
}

// MARK: - Classes

/// Runs the cases of scenarios once for each class of a tenant's users.
private struct ClassSession {
  let settings: RunSettings
  /// The warnings about the tenant's files that were already printed. Reports of failed cases do not repeat them.
  private let printed: Set<String>
  private var columns = ClassColumns()
  private var prepared: [PreparedScenario] = []
  private var left: [CaseNotRun] = []

  init(_ settings: RunSettings, printed: Set<String>) {
    self.settings = settings
    self.printed = printed
  }

  /// Prepares the scenarios for one class of users. A scenario that cannot run for the class is recorded as not run.
  ///
  /// - Parameter lockOuts: Sentences about the users of the class whom conditional access locks out.
  mutating func prepare(
    _ scenarios: [Scenario], for user: TenantStandIn, called name: String, lockOuts: [String]
  ) {
    columns.add(name, user, lockOuts)
    for scenario in scenarios {
      do throws(RunError) {
        try prepare(scenario, as: user, called: name)
      } catch {
        leave(scenario.cases.map { ($0, error.reason) }, of: scenario, for: name)
      }
    }
  }

  private mutating func prepare(
    _ scenario: Scenario, as user: TenantStandIn, called name: String
  ) throws(RunError) {
    let runner = ScenarioRun(settings)
    var stand = try user.standing(in: scenario, programs: settings.programs)
    let lacks = zip(stand.scenario.cases, runner.lacks(ofCasesIn: stand.scenario))
    let misfits = stand.misfits + lacks.compactMap { test, why in why.map { (test, $0) } }
    stand.scenario.cases = lacks.filter { $1 == nil }.map(\.0)
    leave(misfits, of: scenario, for: name)
    guard !stand.scenario.cases.isEmpty else { return }
    columns.replacedApps.formUnion(stand.replacedApps)
    let suppositions = try stand.tenants.suppositions(
      about: stand.scenario, and: stand.scenario.devices, programs: settings.programs)
    for supposition in suppositions.isEmpty ? [nil] : suppositions.map(Optional.some) {
      let condition = suppositions.count > 1 ? supposition?.condition : nil
      let suite = columns.suite(of: scenario, for: name, if: condition)
      columns.add(suite, user.policies(supposing: supposition))
      var alternative = stand.scenario
      alternative.name = suite.name
      do throws(RunError) {
        let tenants = supposition.map(stand.tenants.supposing) ?? stand.tenants
        let ready = try runner.prepare(alternative, for: tenants)
        if !ready.cases.isEmpty { prepared.append(ready) }
      } catch {
        left += alternative.cases.map { CaseNotRun($0, of: alternative, because: error.reason) }
      }
    }
  }

  /// Records that cases cannot run for a class of users, in all columns of the class.
  private mutating func leave(
    _ cases: [(test: Case, why: String)], of scenario: Scenario, for name: String
  ) {
    guard !cases.isEmpty else { return }
    var scenario = scenario
    scenario.name = columns.suite(of: scenario, for: name, if: nil).name
    left += cases.map { CaseNotRun($0.test, of: scenario, because: $0.why) }
  }

  /// Runs all cases of all prepared classes.
  ///
  /// - Parameters:
  ///   - jobs: The number of cases to run at the same time.
  ///   - maxFailures: The number of failed cases after which the run stops; nil for no limit.
  ///   - folder: The folder in which the devices are kept; nil if they are not kept.
  func run(
    title: String, jobs: Int, maxFailures: Int?, into folder: String?
  ) throws(RunError) -> (cases: CaseResults, table: ClassTable) {
    let batch = CaseBatch(prepared)
    var facts = batch.facts(title: title, without: left)
    facts.warnings = facts.warnings.mapValues { $0.filter { !printed.contains($0) } }
    let plan = Plan(
      "tenant run", version: Version.text, options: [], files: [:],
      pieces: batch.cases.map {
        Piece(file: $0.scenario.file, name: $0.test.name, steps: $0.test.steps.count)
      }, facts: facts.writeMembers)
    let (recordings, skipped) = try batch.perform(
      ShardWork(plan, blob: nil), settings, jobs: jobs, maxFailures: maxFailures, into: folder)
    let results = CaseResults(
      plan, recordings, skipped: skipped, reading: CitedFiles(.anywhere).text)
    return (results, ClassTable(results.report, columns))
  }
}

extension DeliverySupposition {
  /// The supposition as a clause: at least one of its cases holds. A case holds if all of its conditions hold.
  fileprivate var condition: String {
    cases.map { ListFormat.all(of: $0.map(\.text)) }.joined(separator: "; or if ")
  }
}

/// The columns of the table. Each class of users has one column or, if conditions change the policies that its users
/// get, one column for each condition.
private struct ClassColumns {
  /// A scenario as it runs for a class of users. It belongs to the column of one condition, or to all columns of the
  /// class.
  struct Suite: Hashable {
    var name: String
    var file: String?
  }

  struct Column {
    var users: String
    /// The condition as a clause; nil if the class has only one column.
    var condition: String?
    /// The names of the policies that the users get in ``app``; nil if they are unknown.
    var policies: [String]?

    var title: String { condition.map { "\(users), if \($0)" } ?? users }
  }

  /// The app whose policies the table lists, as an example of the scenarios' managed apps.
  private(set) var app = ""
  private(set) var device = TenantDevice()
  var replacedApps: Set<String> = []
  /// Sentences about the users whom conditional access locks out. Their cases run as if they could sign in.
  private(set) var lockOuts: [String] = []
  private(set) var all: [Column] = []
  private var places: [Suite: (users: String, condition: String?)] = [:]

  mutating func add(_ name: String, _ user: TenantStandIn, _ lockOuts: [String]) {
    (app, device) = (user.app, user.usualDevice)
    all.append(Column(users: name, policies: user.policies(supposing: nil)))
    self.lockOuts += lockOuts
  }

  /// Returns the suite of a scenario for a class of users. `condition` is a clause; nil if the suite belongs to all
  /// columns of the class.
  mutating func suite(of scenario: Scenario, for users: String, if condition: String?) -> Suite {
    let suite = Suite(
      name: "\(scenario.name), as \(Column(users: users, condition: condition).title)",
      file: scenario.file)
    places[suite] = (users, condition)
    return suite
  }

  /// Adds the column of the suite's condition. Does nothing if the suite has no condition, or if the table already has
  /// the column.
  mutating func add(_ suite: Suite, _ policies: [String]?) {
    guard let (users, condition) = places[suite], let condition,
      let last = all.lastIndex(where: { $0.users == users })
    else { return }
    let column = Column(users: users, condition: condition, policies: policies)
    guard let first = all[last].condition else { return all[last] = column }
    guard first != condition, !all.contains(where: { $0.title == column.title }) else { return }
    all.insert(column, at: last + 1)
  }

  /// Returns the indices of the suite's columns. If the suite has no condition, they are all columns of its class.
  func columns(of suite: Suite) -> [Int] {
    guard let (users, condition) = places[suite] else { return [] }
    return all.indices.filter {
      all[$0].users == users && (condition == nil || all[$0].condition == condition)
    }
  }
}

/// A table with the outcome of each case for each class of users.
private struct ClassTable {
  private let columns: ClassColumns
  private let rows: [Row]
  private let reasons: [Reason]

  private struct Reason {
    var why: String
    var columns: Set<Int> = []
    var cases: Set<String> = []
  }

  private struct Row {
    var title: String
    /// The outcome in each column; nil if the case was not selected for it.
    var outcomes: [CaseOutcome?]

    var isTheSame: Bool { Set(outcomes).count == 1 }
  }

  init(_ report: Report, _ columns: ClassColumns) {
    self.columns = columns
    var rows: [Row] = []
    var reasons: [Reason] = []
    var places: [[String?]: Int] = [:]
    for suite in report.suites {
      let own = columns.columns(of: .init(name: suite.name, file: suite.file))
      for result in suite.cases {
        let key = [suite.file, result.title]
        let place = places[key] ?? rows.count
        if place == rows.count {
          places[key] = place
          rows.append(Row(title: result.title, outcomes: columns.all.map { _ in nil }))
        }
        for column in own { rows[place].outcomes[column] = result.outcome }
        guard let why = result.reasonNotRun else { continue }
        let index = reasons.firstIndex { $0.why == why } ?? reasons.count
        if index == reasons.count { reasons.append(Reason(why: why)) }
        reasons[index].columns.formUnion(own)
        reasons[index].cases.insert(result.title)
      }
    }
    (self.rows, self.reasons) = (rows, reasons)
  }

  /// The table as text. First, it lists the classes with their numbers and policies. Then follow the cases whose
  /// outcomes differ, the other cases, and the reasons why cases did not run.
  var text: String {
    let numbers = columns.all.indices.map { "\($0 + 1)" }
    let policies = columns.all.map { column in
      column.policies.map { $0.isEmpty ? "none" : $0.joined(separator: " + ") } ?? "unknown"
    }
    var lines = ["Users, and their policies in \(columns.app) on \(columns.device.text)"]
    lines += TextColumns.lines(
      columns.all.indices.map { [numbers[$0], columns.all[$0].title, policies[$0]] }, indent: 2)
    if !columns.replacedApps.isEmpty {
      let names = ListFormat.all(of: columns.replacedApps.sorted())
      lines.append(
        "\(names) of the scenarios \(columns.replacedApps.count == 1 ? "is" : "are") treated as \(columns.app)"
      )
    }
    lines += columns.lockOuts
    let differing = rows.filter { !$0.isTheSame }
    if !differing.isEmpty {
      lines += ["", "Differs between users"]
      lines += TextColumns.lines(
        [numbers + ["case"]]
          + differing.map { $0.outcomes.map { $0?.words ?? "-" } + [$0.title] }, indent: 2)
    }
    let equal = rows.filter(\.isTheSame)
    if !equal.isEmpty {
      lines += ["", columns.all.count == 1 ? "Cases" : "The same for all users"]
      lines += TextColumns.lines(
        equal.map { [$0.outcomes.first??.words ?? "-", $0.title] }, indent: 2)
    }
    if !reasons.isEmpty {
      lines += ["", "Not run"]
      lines += TextColumns.lines(
        reasons.map { reason in
          let users = reason.columns.count == columns.all.count ? [] : reason.columns
          return [
            users.sorted().map { numbers[$0] }.joined(separator: ", "),
            reason.cases.count.counting("case"), reason.why,
          ]
        }, indent: 2)
    }
    return lines.map { $0.escapingUnprintable() + "\n" }.joined()
  }
}
