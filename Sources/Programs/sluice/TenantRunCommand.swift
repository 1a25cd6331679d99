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

      Without scenarios, the cases are those of the exit criteria. Indistinguishable users form a class; one of \
      them replaces the scenario's managed account, and has the policies that the tenant assigns instead of the \
      scenario's. Apps that only the scenario's policies manage are replaced by --app.

      A case is skipped if it changes the scenario's own policies, or depends on facts that the export does not \
      state. Assignment filters see the scenarios' own device, by default an unmanaged iPhone with iOS 26, or that of \
      --device.

      Exit status: 0 all cases passed for all classes, 1 an expectation failed, 2 a file is invalid, 64 usage, 70 a \
      fault of Sluice itself.
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
      var session = ClassSession(
        tenant: tenant, app: bundleID, device: stated, settings: settings)
      let included = try includedScenarios(settings)
      for users in classes { session.prepare(included, for: users) }
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
        outcome, { results.cases.picture }, detail.color.palette(for: destination), extent)
      return format == .text ? results.table.text + "\n" + text : text
    }
    if !outcome.isPassed { Self.exit(withError: Failure.expectation) }
  }

  private func classes(of tenant: Tenant) throws(RunError) -> [UserClass] {
    if let user { return [UserClass(users: [try tenant.user(named: user)])] }
    let classes = tenant.classes()
    guard !classes.isEmpty else { throw tenant.noUsers }
    return classes
  }

  /// Returns the scenarios with the cases to run.
  private func includedScenarios(_ settings: RunSettings) throws(RunError) -> [Scenario] {
    let all =
      scenarios.isEmpty
      ? try ShippedScenarios.withCriteria(
        in: ShippedScenarios.folder(for: settings.programs.folder))
      : try ScenarioFiles.load(scenarios)
    let included = all.compactMap { scenario -> Scenario? in
      var scenario = scenario
      scenario.cases.removeAll { !isIncluded($0) }
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

/// A run of scenarios' cases for the classes of a tenant's users.
private struct ClassSession {
  let tenant: Tenant
  /// The lower-case bundle id of the app that the scenarios' managed apps represent; nil for the
  /// app with the most policies.
  let app: String?
  /// The device; nil for the device of each scenario.
  let device: TenantDevice?
  let settings: RunSettings
  private var classes: [String] = []
  private var prepared: [PreparedScenario] = []
  private var left: [CaseNotRun] = []
  /// The class for each suite, keyed by the suite's name and file.
  private var suites: [Suite: Int] = [:]

  /// A scenario as it runs for one class.
  struct Suite: Hashable {
    var name: String
    var file: String?
  }

  init(tenant: Tenant, app: String?, device: TenantDevice?, settings: RunSettings) {
    self.tenant = tenant
    self.app = app
    self.device = device
    self.settings = settings
  }

  /// Prepares the scenarios for one class. Scenarios that cannot run for the class are left out.
  mutating func prepare(_ scenarios: [Scenario], for users: UserClass) {
    let name = tenant.name(users)
    classes.append(name)
    let user = TenantStandIn(tenant, users: users.users, app: app, device: device)
    for scenario in scenarios {
      var scenario = scenario
      scenario.name += ", as \(name)"
      suites[Suite(name: scenario.name, file: scenario.file)] = classes.count - 1
      do throws(RunError) {
        try prepare(scenario, as: user)
      } catch {
        left += scenario.cases.map { CaseNotRun($0, of: scenario, because: error.reason) }
      }
    }
  }

  private mutating func prepare(
    _ scenario: Scenario, as user: TenantStandIn
  ) throws(RunError) {
    let runner = ScenarioRun(settings)
    var stand = try user.standing(in: scenario, programs: settings.programs)
    let lacks = zip(stand.scenario.cases, runner.lacks(ofCasesIn: stand.scenario))
    let misfits = stand.misfits + lacks.compactMap { test, why in why.map { (test, $0) } }
    stand.scenario.cases = lacks.filter { $1 == nil }.map(\.0)
    let ready = try runner.prepare(stand.scenario, for: stand.tenants)
    left += misfits.map { CaseNotRun($0.test, of: scenario, because: $0.why) }
    if !ready.cases.isEmpty { prepared.append(ready) }
  }

  /// Runs all cases for all classes.
  ///
  /// - Parameters:
  ///   - jobs: The number of cases to run at the same time.
  ///   - maxFailures: The number of failed cases after which the run stops; nil for no limit.
  ///   - folder: The folder in which the devices are kept; nil if they are not kept.
  func run(
    title: String, jobs: Int, maxFailures: Int?, into folder: String?
  ) throws(RunError) -> (cases: CaseResults, table: ClassTable) {
    let batch = CaseBatch(prepared)
    let plan = Plan(
      "tenant run", version: Version.text, options: [], files: [:],
      pieces: batch.cases.map {
        Piece(file: $0.scenario.file, name: $0.test.name, steps: $0.test.steps.count)
      }, facts: batch.facts(title: title, without: left).writeMembers)
    let (recordings, skipped) = try batch.perform(
      ShardWork(plan, blob: nil), settings, jobs: jobs, maxFailures: maxFailures, into: folder)
    let results = CaseResults(
      plan, recordings, skipped: skipped, reading: CitedFiles(.anywhere).text)
    return (results, ClassTable(results.report, classes, suites))
  }
}

/// The outcome of each case for each class of users.
private struct ClassTable {
  private let classes: [String]
  private let rows: [Row]

  private struct Row {
    var title: String
    /// The outcome for each class; nil if the class does not have the case.
    var outcomes: [CaseOutcome?]

    var isTheSame: Bool { Set(outcomes).count == 1 }
  }

  init(_ report: Report, _ classes: [String], _ suites: [ClassSession.Suite: Int]) {
    self.classes = classes
    var rows: [Row] = []
    var places: [[String?]: Int] = [:]
    for suite in report.suites {
      let name = ClassSession.Suite(name: suite.name, file: suite.file)
      guard let column = suites[name] else { continue }
      for result in suite.cases {
        let key = [suite.file, result.title]
        let place = places[key] ?? rows.count
        if place == rows.count {
          places[key] = place
          rows.append(Row(title: result.title, outcomes: classes.map { _ in nil }))
        }
        rows[place].outcomes[column] = result.outcome
      }
    }
    self.rows = rows
  }

  /// The table as text: the classes with their letters, the cases with different outcomes, and the
  /// other cases.
  var text: String {
    let letters = classes.indices.map { "\($0 + 1)" }
    var lines = ["Users"] + TextColumns.lines(zip(letters, classes).map { [$0, $1] }, indent: 2)
    let differing = rows.filter { !$0.isTheSame }
    if !differing.isEmpty {
      lines += ["", "Differs between users"]
      lines += TextColumns.lines(
        [letters + ["case"]]
          + differing.map { $0.outcomes.map { $0?.words ?? "-" } + [$0.title] }, indent: 2)
    }
    let equal = rows.filter(\.isTheSame)
    if !equal.isEmpty {
      lines += ["", classes.count == 1 ? "Cases" : "The same for all users"]
      lines += TextColumns.lines(
        equal.map { [$0.outcomes.first??.words ?? "-", $0.title] }, indent: 2)
    }
    return lines.map { $0.escapingUnprintable() + "\n" }.joined()
  }
}
