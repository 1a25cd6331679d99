internal import ArgumentParser
internal import Conformance
internal import Directory
internal import Distribution
internal import Encodings
internal import Leaks
internal import Model
internal import Output
internal import Replay
internal import Reports
internal import Scenario
internal import Simulation
internal import Tenants

/// The language in which `--emit` writes the search as a model for a model checker.
enum ModelLanguage: String, CaseIterable, ExpressibleByArgument {
  case promela, murphi
}

struct Leaks: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "leaks",
    abstract: "Find every path by which managed accounts' data can leak, over any number of hops.",
    discussion: """
      sluice leaks policies/ --apps apps.txt

      sluice leaks --tenant exports/ --user anna@contoso.com --apps apps.txt

      Without --user, each class of users of the tenant is searched. If what a user gets depends on facts that the \
      export does not state, each alternative is searched, and its leaks are listed after `if`. --device states the \
      device. With --set, --assign, --exclude, --unassign or --member, the search applies the proposed change.

      sluice leaks --scenario story.yaml --verify

      Searches all states that data can reach under the policies: in a scenario's world (its apps, accounts and \
      policies, without its cases), or on the device of one user with the listed apps and the given policies, or \
      those of a tenant. For each app, account and location without a policy that data can reach, it shows the \
      shortest path, the rules that allow it, and the changes that would prevent it. The search ends where data \
      leaves; with --to APP, it continues through apps and locations without a policy. No process is started, \
      except by --verify. Without --to, the report also has the ways out: the kinds of transfers to an end without a \
      policy, as in `sluice matrix`, by the change that closes them, and the apps that they assume.

      Exit status: 0 no leak, or no app of --to is reached, 1 there is a leak, or an app is reached, 2 the scenario \
      or a file that it names is invalid or cannot be read, or no policy targets an account in any of its apps, 64 \
      usage, 70 real processes do not reproduce a leak, which is an error of Sluice.
      """)

  @Argument(
    help:
      "Policies as Microsoft Graph exports them, or folders of exports, for the apps of --apps.",
    completion: .file())
  var policies: [String] = []

  @Option(
    help: ArgumentHelp(
      "A file with the apps of one user's device, one a line, such as `com.contoso.mail: managed`. An app is `managed`, `multiIdentity` (with a personal account as well) or `unmanaged`; the path of a bundle, or the name of an app that a policy targets, can replace the bundle id.",
      valueName: "file"), completion: .file())
  var apps: String?

  @OptionGroup var tenant: TenantOptions

  @OptionGroup var whatIf: WhatIfOptions

  @Option(
    help:
      "The scenario to search, or the results folder of its run, instead of policies and --apps; - for standard input.",
    completion: .file())
  var scenario: String?

  @Option(
    help:
      "The apps' handling of received data. Honest apps pass it on under its tag; users of careless apps also retype it; hostile apps also use remembered data of an account that has signed out."
  )
  var behaviour = LeakSearch.Behaviour.careless

  @Option(
    help:
      "The accounts that sign in to and out of apps: any that the apps' configurations allow, or only the stated ones."
  )
  var signIns = SignInChoice.any

  @Option(
    help: ArgumentHelp(
      "The devices to search: the stated one, or any that differs from it in MDM enrollment, network or SDK release. With --tenant, also the properties that filters read: managed or unmanaged, os=, model= and app= (the version of apps), as in any,os=17.2. (default: stated)",
      valueName: "device"), transform: { try SearchedDevices($0) })
  var device = SearchedDevices()

  @Option(
    help: ArgumentHelp(
      "Check whether data can reach this app, also by way of unprotected apps and places: REACHED or NOT REACHED. Can be repeated.",
      valueName: "app"))
  var to: [String] = []

  @Option(
    help: ArgumentHelp(
      "With --to: the app in which the data starts. Can be repeated. Default: every other app.",
      valueName: "app"))
  var from: [String] = []

  @Flag(help: "Replay each path on real processes, with a unique text.")
  var verify = false

  @Option(
    help: ArgumentHelp(
      "Write a scenario with a case for each path on the stated device to this file.",
      valueName: "file"), completion: .file())
  var witness: String?

  @Option(
    help: ArgumentHelp(
      "A share that the proposed changes must leave possible, such as mail:notes. Can be repeated.",
      valueName: "from:to"))
  var preserve: [String] = []

  @Option(
    help: ArgumentHelp(
      "Compare with this scenario or, with --apps, these policies: only new leaks affect the exit status.",
      valueName: "path"), completion: .file())
  var baseline: String?

  @Option(
    help:
      "Print the unreduced states and transitions of the search for a model checker: promela for SPIN, murphi for Rumur."
  )
  var emit: ModelLanguage?

  @Option(
    help:
      "Format of the leaks. sarif has the line of the setting that lets data out; junit has a failing case for each; html is a page."
  )
  var format = LeakFormat.text

  @OptionGroup var output: OutputOptions<LeakFormat>

  @OptionGroup var wanted: CaseOption

  @OptionGroup var shards: ShardOptions

  func validate() throws {
    try validateWorld()
    if shards.isSplit {
      guard verify else {
        throw ValidationError(
          "--shard and --blob need --verify: only its replays are divided"
        )
      }
      guard baseline == nil, scenario != "-" else {
        throw ValidationError(
          "shards support neither --baseline nor a scenario from standard input; leave --baseline out, and name a file"
        )
      }
    }
    for flow in preserve where flow.split(separator: ":").count != 2 {
      throw ValidationError("--preserve needs two apps, as in mail:notes, found `\(flow)`")
    }
    if to.isEmpty, !from.isEmpty {
      throw ValidationError("--from needs --to")
    }
    if !to.isEmpty { try validateQuery() }
    let isText = output.formats(format).allSatisfy { $0 == .text }
    if baseline != nil, !isText { throw ValidationError("--baseline needs --format text") }
    if emit != nil, device.choice == .any {
      throw ValidationError("--emit prints the model of the stated device: leave out --device")
    }
    if emit != nil, verify || witness != nil || baseline != nil || !isText {
      throw ValidationError(
        "--emit prints only the model: leave out --verify, --witness, --baseline and --format")
    }
  }

  /// Checks that the options specify what to search: a scenario, or apps together with policies or a tenant.
  private func validateWorld() throws {
    if scenario != nil {
      guard policies.isEmpty, apps == nil, tenant.tenant == nil, tenant.user == nil,
        whatIf.changes.isEmpty
      else {
        throw ValidationError(
          "--scenario states its own policies and apps: leave out \(apps != nil ? "--apps" : policies.first.map { "`\($0)`" } ?? "--tenant and --user")"
        )
      }
      guard device.properties == nil else {
        throw ValidationError(
          "--scenario states its own device: --device is `stated` or `any`, found `\(device.text)`")
      }
    } else if let folder = tenant.tenant {
      guard policies.isEmpty else {
        throw ValidationError(
          "--tenant \(folder) states the policies: leave out `\(policies[0])`; apps belong in the file of --apps"
        )
      }
      guard apps != nil else {
        throw ValidationError(
          "--tenant needs --apps, a file that lists the apps of the device, one on each line, such as "
            + "`com.microsoft.office.outlook: managed` and `net.whatsapp.whatsapp: unmanaged`")
      }
      try validateTenant()
    } else if let option = tenantOption {
      throw ValidationError("\(option) needs --tenant with the folder of an export")
    } else if policies.isEmpty || apps == nil {
      throw ValidationError(
        policies.isEmpty
          ? "name policies and the file of --apps, or a scenario with --scenario"
          : "policies need a list of apps; name it with --apps")
    }
  }

  /// The first option on the command line that needs `--tenant`; nil if there is none.
  private var tenantOption: String? {
    if tenant.user != nil { return "--user" }
    if device.properties != nil { return "--device \(device.text)" }
    return whatIf.changes.first.map { String($0.text.prefix { $0 != " " }) }
  }

  /// Rejects options that need `--user` if it is missing. Also rejects `--witness` if the options propose changes to
  /// the tenant.
  private func validateTenant() throws {
    if tenant.user == nil {
      guard !verify, witness == nil, emit == nil, baseline == nil else {
        throw ValidationError(
          "--verify, --witness, --emit and --baseline need --user, because they are about the device of one user"
        )
      }
      guard hasFormatOfAlternatives else {
        throw ValidationError(
          "--format \(format.rawValue) needs --user; text and json list all users")
      }
    }
    if !whatIf.changes.isEmpty, witness != nil {
      throw ValidationError(
        "--witness writes a scenario about the export as it is: leave out "
          + "\(tenantOption ?? "the changes"), or name the folder of --write-exports as --tenant")
    }
  }

  /// The name, for reports, of the searched scenario, tenant or policies. For a tenant, it states the tenant's folder,
  /// the changes and the user.
  private var world: String {
    scenario
      ?? tenant.tenant.map { folder in
        (whatIf.changes.isEmpty ? folder : whatIf.title(of: folder))
          + (tenant.user.map { " for \($0)" } ?? "")
      }
      ?? policies.joined(separator: ", ")
  }

  /// Rejects options that have no meaning together with `--to`, because they need a search for all leaks.
  private func validateQuery() throws {
    if baseline != nil {
      throw ValidationError(
        "--baseline compares all leaks: leave it out, and run --to for each world")
    }
    if emit != nil {
      throw ValidationError(
        "--emit prints the search for all leaks: leave out --to")
    }
    if !preserve.isEmpty {
      throw ValidationError(
        "--preserve limits the proposed changes, and --to proposes none: leave it out")
    }
  }

  func perform() throws(RunError) {
    var command = self
    if let scenario { command.scenario = try wanted.scenario(scenario) }
    if let baseline, apps == nil {
      command.baseline = try RunIndex.scenario(of: baseline, nil) ?? baseline
    }
    try command.search()
  }

  private func search() throws(RunError) {
    let targets = try output.targets(format)
    if let target = shards.cluster.executor {
      return try shards.cluster.run(on: target) {
        MergedReport($0, to: targets.map(MergeFormat.init))
      }
    }
    let isClean = try Workshop.use { settings throws(RunError) in
      let run = ScenarioRun(settings)
      let study: LeakStudy
      if let folder = tenant.tenant {
        switch try studyTenant(in: folder, by: run) {
        case .device(let only): study = only
        case .alternatives(let classes, let tenant):
          return try show(classes, of: tenant, to: targets)
        }
      } else {
        study = try self.study(of: scenario.map { [$0] } ?? policies, keeping: flows, by: run)
      }
      try output.check(isNoneOf: study.inputFiles)
      if let emit {
        let model = emit == .promela ? study.model.promela : study.model.murphi
        try targets.write { _, _ in model }
        return true
      }
      if let witness, let text = try study.witnesses(for: witness) {
        try TextFile.write(text, to: witness)
      }
      if verify { try replay(study, by: run) }
      return try show(study, to: targets, by: run)
    }
    if !isClean { Self.exit(withError: Failure.expectation) }
  }

  private var flows: [LeakSearch.Flow] {
    preserve.map { $0.split(separator: ":").map(String.init) }
      .map { LeakSearch.Flow(from: $0[0], to: $0[1]) }
  }

  /// Searches for leaks in a scenario or, with `--apps`, on a device with the listed apps.
  ///
  /// - Parameter paths: The scenario's path or, with `--apps`, the policies' paths.
  private func study(
    of paths: [String], keeping flows: [LeakSearch.Flow], by run: ScenarioRun
  ) throws(RunError) -> LeakStudy {
    let question = question(keeping: flows)
    guard let apps else { return try LeakStudy(of: paths[0], question, by: run) }
    return try LeakStudy(of: apps, under: .files(paths), question, by: run)
  }

  private func question(keeping flows: [LeakSearch.Flow]) -> LeakQuestion {
    let query = to.isEmpty ? nil : LeakQuery(from: from, to: to)
    return LeakQuestion(behaviour, signIns, device.choice, keeping: flows, asking: query)
  }

  // MARK: Tenants

  /// The result of a search on the devices of a tenant's users.
  private enum TenantStudy {
    /// The result for one user. The export states all facts that determine the user's policies.
    case device(LeakStudy)
    case alternatives(LeakClasses, Tenant)
  }

  /// Searches for leaks on the device of the user in `--user` or, without this option, of each class of users. Each
  /// combination of facts that the export does not state is a separate search.
  private func studyTenant(
    in folder: String, by run: ScenarioRun
  ) throws(RunError) -> TenantStudy {
    let export = try Tenant.load(folder)
    let selected = try tenant.user.map { name throws(RunError) in try export.user(named: name) }
    let device = try device.value(in: export)
    let tenant = try whatIf.changed(export, user: selected, on: device)
    tenant.noteDisabledAccount(of: selected)
    let classes = selected.map { [UserClass(users: [$0])] } ?? tenant.classes()
    tenant.noteBlocks(of: classes, on: device)
    let apps = apps ?? ""
    let question = question(keeping: flows)
    if let selected {
      var user = user(selected, of: tenant, on: device)
      let suppositions = try LeakStudy.suppositions(about: user, with: apps, question, by: run)
      if suppositions.count <= 1 {
        user.supposition = suppositions.first
        return .device(try LeakStudy(of: apps, under: .tenant(user), question, by: run))
      }
      try checkAlternatives(suppositions, of: selected, tenant)
    } else {
      try output.check(isNoneOf: [apps])
    }
    var found = LeakClasses()
    for users in classes {
      let user = user(users.representative, of: tenant, on: device)
      found.add(outcomes(for: user, with: apps, question, by: run), of: users, tenant)
    }
    guard !found.isEmpty else { throw tenant.noUsers }
    if let error = found.error { throw error }
    return .alternatives(found, tenant)
  }

  private func user(
    _ user: Int, of tenant: Tenant, on device: TenantDevice
  ) -> PoliciesOfApps.TenantUser {
    PoliciesOfApps.TenantUser(tenant.directory.users[user].upn, of: tenant, on: device)
  }

  /// Searches the user's device once for each combination of facts that the export does not state. Returns a result for
  /// each.
  private func outcomes(
    for user: PoliciesOfApps.TenantUser, with apps: String, _ question: LeakQuestion,
    by run: ScenarioRun
  ) -> [LeakClasses.Outcome] {
    var user = user
    let suppositions: [DeliverySupposition]
    do throws(RunError) {
      suppositions = try LeakStudy.suppositions(about: user, with: apps, question, by: run)
    } catch {
      return [LeakClasses.Outcome(result: .refusal(error), cases: [[]])]
    }
    return suppositions.map { supposition in
      user.supposition = supposition
      do throws(RunError) {
        let study = try LeakStudy(of: apps, under: .tenant(user), question, by: run)
        return LeakClasses.Outcome(result: .report(study.report), cases: supposition.cases)
      } catch {
        return LeakClasses.Outcome(result: .refusal(error), cases: supposition.cases)
      }
    }
  }

  /// Rejects options that require a single result, for a user with several results: one for each combination of unknown
  /// facts.
  ///
  /// - Throws: ``RunError`` that names such an option and the facts.
  private func checkAlternatives(
    _ suppositions: [DeliverySupposition], of user: Int, _ tenant: Tenant
  ) throws(RunError) {
    let options: [(String, isGiven: Bool)] = [
      ("--verify", verify), ("--witness", witness != nil), ("--emit", emit != nil),
      ("--baseline", baseline != nil),
      ("--format \(format.rawValue)", !hasFormatOfAlternatives),
    ]
    guard let option = options.first(where: \.isGiven)?.0 else { return }
    let facts = suppositions.flatMap(\.cases).joined().map(\.fact).unique
    throw RunError(
      .path(tenant.folder),
      "\(option) needs one device, but the device of \(tenant.directory.users[user].upn) depends on facts that the export "
        + "does not state: \(ListFormat.all(of: facts)); state the device with --device, as in "
        + "--device unmanaged,os=17.2, or a membership with --member",
      rule: "unknownFact")
  }

  /// Whether all outputs have a format that can contain several results: text or JSON.
  private var hasFormatOfAlternatives: Bool {
    output.formats(format).allSatisfy { [.text, .json].contains($0) }
  }

  /// Writes the leaks of each class of users. Returns true if there are no leaks.
  private func show(
    _ classes: LeakClasses, of tenant: Tenant, to targets: OutputTargets<LeakFormat>
  ) throws(RunError) -> Bool {
    try targets.write { format, _ in
      format == .json
        ? classes.json(of: tenant) : classes.text(of: tenant).escapingUnprintable(except: ["\n"])
    }
    return classes.isClean
  }

  /// Writes the leaks or, with `--baseline`, how they differ from the baseline's leaks. Returns true if there are no
  /// leaks or, with `--baseline`, no new ones.
  private func show(
    _ study: LeakStudy, to targets: OutputTargets<LeakFormat>, by run: ScenarioRun
  ) throws(RunError) -> Bool {
    let report = study.report
    guard let baseline else {
      let title = study.name ?? world
      try targets.write { format, _ in format.render(report, of: world, titled: title) }
      return report.isClean
    }
    let old = try self.study(of: [baseline], keeping: [], by: run).report
    let comparison = LeakComparison(report, against: old)
    try targets.write { _, _ in comparison.text }
    return comparison.new.isEmpty
  }

  /// Reproduces the leaks of this shard with real processes. Throws an error if a leak cannot be reproduced.
  private func replay(_ study: LeakStudy, by run: ScenarioRun) throws(RunError) {
    let witnesses = try study.witnesses(by: run)
    let facts = LeakFacts(study.report, of: world, titled: study.name ?? world)
    let plan = Plan(
      "leaks", version: Version.text, options: options,
      files: shards.blob == nil ? [:] : try InputDigests.of(files: study.inputFiles),
      pieces: witnesses.map { Piece(file: world, name: $0.name, steps: $0.steps) },
      facts: shards.blob == nil ? { _ in } : facts.writeMembers)
    let work = try shards.work(plan)
    let recordings = try work.perform(by: ThreadPool(of: 1)) { number throws(RunError) in
      try witnesses[number].replay(by: run, number: number + 1)
    }
    if shards.blob != nil { try work.end(facts.picture().texts) }
    try LeakReplay(plan, recordings).check(world)
  }

  /// The options that affect the results, as command-line words.
  private var options: [String] {
    var options = [
      "--behaviour", behaviour.rawValue, "--sign-ins", signIns.rawValue, "--device", device.text,
    ]
    options += preserve.flatMap { ["--preserve", $0] } + to.flatMap { ["--to", $0] }
    options += from.flatMap { ["--from", $0] }
    for (name, value) in [("--apps", apps), ("--user", tenant.user)] {
      if let value { options += [name, value] }
    }
    return options + whatIf.changes.map(\.text)
  }
}

// MARK: - Devices

/// The value of `--device`, such as `any,os=17.2`: the devices to search, and the device properties that a tenant's
/// filters read.
struct SearchedDevices: Sendable {
  private(set) var text = "stated"
  private(set) var choice = DeviceChoice.stated
  /// The device properties; nil if the value contains none.
  private(set) var properties: DeviceArgument?

  init() {}

  init(_ text: String) throws {
    self.text = text
    let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
    let first = DeviceChoice(rawValue: parts.first.map(String.init) ?? "")
    choice = first ?? .stated
    guard first == nil || parts.count > 1 else { return }
    properties = try DeviceArgument(first == nil ? text : String(parts[1]))
  }

  /// Returns a device with the given properties, or an unmanaged device if none are given.
  func value(in tenant: Tenant) throws(RunError) -> TenantDevice {
    try properties?.device(in: tenant) ?? TenantDevice()
  }
}

// MARK: - Reports

enum LeakFormat: String, OutputFormat {
  case text, json, sarif, junit, html

  /// Returns the report in this format.
  ///
  /// - Parameters:
  ///   - world: The file that findings refer to or, if no single file was searched, the name of the tenant or policies.
  ///   - name: The name of the searched scenario, tenant or policies, for headings.
  func render(_ report: LeakReport, of world: String, titled name: String) -> String {
    switch self {
    case .text: report.text.escapingUnprintable(except: ["\n"])
    case .json: report.json
    case .sarif: LintOptions.Format.sarif.render(report.findings(in: world))
    case .junit: report.junit(of: world)
    case .html: Self.picture(of: report, name).page()
    }
  }

  static func title(of name: String) -> String { "Leaks of org data: \(name)" }

  private static func picture(of report: LeakReport, _ name: String) -> Picture {
    var picture = Picture(.fixed(title(of: name)), reading: CitedFiles(.anywhere).text)
    let reasons = report.leaks.flatMap(\.hops).flatMap(\.verdicts).flatMap(\.reasons)
    picture.add(leaks: report.json, citing: reasons.compactMap(\.source))
    return picture
  }
}

/// The report of a leak search. It is the same in all shards of a run.
struct LeakFacts {
  /// The file that findings refer to or, if no single file was searched, the name of the tenant or policies.
  var world: String
  /// The name of the searched scenario, tenant or policies, for headings.
  private var name: String
  /// The rendered reports, by format. HTML pages are made from the JSON report.
  private var reports: [LeakFormat: String]
  /// Returns the text of a file to which the report refers; nil if the page must not show it.
  private var text: (String) -> String?

  private static let kept: [LeakFormat] = [.text, .json, .sarif, .junit]

  init(_ report: LeakReport, of world: String, titled name: String) {
    self.world = world
    self.name = name
    reports = Dictionary(
      uniqueKeysWithValues: Self.kept.map { ($0, $0.render(report, of: world, titled: name)) })
    text = CitedFiles(.anywhere).text
  }

  /// Reads the report from a plan. `texts` contains the texts of the files to which the report refers, by path.
  init(of plan: Plan, reading texts: [String: String]) {
    let facts = try? JSONReader.read(plan.facts)
    world = facts?["world"]?.string ?? ""
    name = facts?["name"]?.string ?? world
    reports = [:]
    for format in Self.kept { reports[format] = facts?["reports"]?[format.rawValue]?.string }
    text = { texts[$0] }
  }

  /// Returns the leaks, read from the JSON report.
  func found() throws(RunError) -> FoundLeaks { try FoundLeaks(reports[.json] ?? "", of: world) }

  func rendered(_ format: LeakFormat) throws(RunError) -> String {
    let report = reports[format] ?? ""
    switch format {
    case .text, .json, .sarif, .junit: return report
    case .html: return try picture().page()
    }
  }

  func picture() throws(RunError) -> Picture {
    var picture = Picture(.fixed(LeakFormat.title(of: name)), reading: text)
    try found().add(to: &picture)
    return picture
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("world", world)
    writer.member("name", name)
    writer.object("reports") { writer in
      for format in Self.kept {
        writer.member(named: format.rawValue) { $0.string(reports[format] ?? "") }
      }
    }
  }
}

/// The leaks in a JSON report of `sluice leaks`.
struct FoundLeaks {
  private let path: String
  private let json: String
  /// The places of the settings that permit the leaks, as `file:line`.
  private var places: [String] = []
  private(set) var isEmpty = true

  /// Reads a JSON report from a file; `-` is standard input.
  init(at path: String) throws(RunError) {
    try self.init(
      path == "-" ? try InputFile.standardInput() : try InputFile.documentText(path), of: path)
  }

  /// Parses a JSON report. `path` is the file that errors refer to.
  init(_ json: String, of path: String) throws(RunError) {
    self.path = path
    self.json = json
    let report: JSONValue
    do {
      report = try JSONReader.read(json)
    } catch {
      throw RunError(
        .file(path, error.position),
        "\(error.message); expected the output of `sluice leaks --format json`",
        rule: "json")
    }
    try check(report)
    isEmpty = report["leaks"]?.array?.isEmpty ?? true
    collectPlaces(in: report)
  }

  func add(to picture: inout Picture) { picture.add(leaks: json, citing: places) }

  // MARK: Checks

  private func check(_ report: JSONValue) throws(RunError) {
    guard let leaks = report["leaks"]?.array, report["search"]?.members != nil else {
      throw wrong(report, "no `leaks` and `search`")
    }
    for leak in leaks {
      guard leak["owner"]?.string != nil, leak["sink"]?.string != nil,
        let hops = leak["hops"]?.array, !hops.isEmpty
      else { throw wrong(leak, "a leak without `owner`, `sink` or `hops`") }
      for hop in hops where hop["app"]?.string == nil || hop["action"]?.string == nil {
        throw wrong(hop, "a hop without `app` or `action`")
      }
    }
  }

  private func wrong(_ value: JSONValue, _ found: String) -> RunError {
    RunError(
      .file(path, value.position),
      "found \(found); expected the output of `sluice leaks --format json`", rule: "leaks")
  }

  private mutating func collectPlaces(in value: JSONValue) {
    for element in value.array ?? [] { collectPlaces(in: element) }
    for member in value.members ?? [] {
      if member.name == "source", let place = member.value.string { places.append(place) }
      if member.name == "otherSources" { places += (member.value.array ?? []).compactMap(\.string) }
      collectPlaces(in: member.value)
    }
  }
}

// MARK: - Replay

/// The results of reproducing leaks with real processes, in one shard or in all.
struct LeakReplay {
  private let report: Report
  private let count: Int

  /// Creates the results of one shard.
  ///
  /// - Parameter recordings: A recording per piece of the plan; nil for the pieces of other shards.
  init(_ plan: Plan, _ recordings: [CaseRecording?]) {
    var builder = ReportBuilder()
    for (piece, recording) in zip(plan.pieces, recordings) {
      if let recording { builder.add(recording, file: piece.file) }
    }
    report = builder.report
    count = recordings.count { $0 != nil }
  }

  /// Prints the number of reproduced leaks. Throws an error if any leak was not reproduced.
  func check(_ world: String) throws(RunError) {
    guard !report.isPassed else {
      return Failure.print(
        "real processes reproduced all the leaks that the search found (\(count.counting("leak")))")
    }
    print(report.text(), terminator: "")
    throw RunError(
      .file(world), "real processes did not reproduce all the leaks that the search found",
      rule: "leaks",
      origin: .own)
  }
}
