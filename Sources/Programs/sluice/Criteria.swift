internal import ArgumentParser
internal import Conformance
internal import Distribution
internal import Encodings
internal import Reports
internal import Scenario
internal import Simulation

struct Criteria: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "criteria",
    abstract: "Check the exit criteria on real processes, and print the certificate.",
    discussion: """
      sluice criteria --for Notes.app --filter SEND-1 COPY-1

      With --for, your app's bundle replaces each app in the criteria: its declarations count, and a built-in \
      program carries out the steps. An error in the bundle fails the criteria that depend on it; each lists the checks \
      that were skipped.

      Exit status: 0 all that ran passed, 1 a criterion failed or none ran, 2 a bundle or scenario is invalid, 64 \
      usage, 70 an error of Sluice itself.
      """)

  @Option(parsing: .upToNextOption, help: "Run only these criteria, such as SEND-1.")
  var filter: [String] = []

  @Option(
    name: .customLong("for"), help: "The bundle of your app (Foo.app).",
    completion: .file())
  var bundle: String?

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "The value of a build variable in the bundle of --for.", valueName: "name=value"))
  var variables: [NamedValue] = []

  @Option(
    help: "The folder with the criteria's scenarios. Default: the installed ones.",
    completion: .directory)
  var scenarios: String?

  @OptionGroup var report: ReportOptions<CertificateFormat>
  @OptionGroup var quiet: QuietOption

  @Option(help: "Whether text is coloured.")
  var color = ColorChoice.auto

  @OptionGroup var shards: ShardOptions
  @OptionGroup var device: DeviceOptions

  func validate() throws { try shards.check(device) }

  func perform() throws(RunError) {
    let app = try bundle.map { path throws(RunError) in
      try OwnApp(path, variables: Dictionary(variables.map { ($0.name, $0.value) }) { $1 })
    }
    if let target = shards.cluster.executor {
      return try shards.cluster.run(on: target) { merge in
        MergedReport(
          merge, to: report.targets.map(MergeFormat.init), color,
          TextExtent(detail: quiet.detail))
      }
    }
    let certificate = try Workshop.use(device) { settings throws(RunError) in
      let run = try CriteriaRun(settings, only: filter, app: app)
      let folder =
        if let scenarios { scenarios } else {
          try ShippedScenarios.folder(for: settings.programs.folder)
        }
      return try check(run, run.jobs(scenariosIn: folder), for: app)
    }
    let text = CitedFiles(.anywhere).text
    try report.targets.write { format, destination in
      format.render(
        certificate, color.palette(for: destination), quiet.detail, reading: text)
    }
    if !certificate.holds, !isIdle(certificate) { Self.exit(withError: Failure.expectation) }
  }

  private func isIdle(_ certificate: CriteriaCertificate) -> Bool {
    shards.shard != nil && certificate.entries.allSatisfy(\.checks.isEmpty)
  }

  private func check(
    _ run: CriteriaRun, _ jobs: [CriterionJob], for app: OwnApp?
  ) throws(RunError) -> CriteriaCertificate {
    let start = ContinuousClock.now
    let work = try shards.work(plan(jobs, of: run.criteria, for: app))
    // The pool has two threads per core, because a device waits for its guests half of the time.
    let pool = ThreadPool(of: 2 * ThreadPool.ofAllCores.size)
    let checks = try work.perform(by: pool) { number throws(RunError) in
      try run.perform(jobs[number], number: number)
    }
    let results = CriteriaResults(work.plan, checks, duration: ContinuousClock.now - start)
    if shards.blob != nil {
      try work.end(results.certificate.picture(reading: CitedFiles(.anywhere).text).texts)
    }
    return results.certificate
  }

  private func plan(
    _ jobs: [CriterionJob], of criteria: [Criterion], for app: OwnApp?
  ) throws(RunError) -> Plan {
    let facts = CriteriaFacts(
      criteria: Set(criteria.map(\.id)), checked: jobs.map(\.criterion.id),
      bundle: app?.identifier)
    let seed = device.seed.map { ["--seed", "\($0)"] } ?? []
    let own =
      (bundle.map { ["--for", $0] } ?? [])
      + variables.flatMap { ["--set", "\($0.name)=\($0.value)"] }
    let files =
      jobs.compactMap(\.scenario).flatMap(\.inputFiles)
      + (bundle.map(InputFolder.files(at:)) ?? [])
    return Plan(
      "criteria", version: Version.text, options: seed + device.reproducing + own,
      files: shards.blob == nil ? [:] : try InputDigests.of(files: files),
      pieces: jobs.map { job in
        Piece(file: job.scenario?.file ?? "", name: job.title, steps: job.size)
      }, facts: facts.writeMembers)
  }
}

// MARK: - Results

/// The parts of a certificate that do not come from a single check.
private struct CriteriaFacts {
  var criteria: Set<String>
  /// For each piece of the plan, the id of the criterion that it checks.
  var checked: [String]
  /// The bundle id of the app under test; nil if Sluice's own apps are tested.
  var bundle: String?

  init(criteria: Set<String>, checked: [String], bundle: String?) {
    self.criteria = criteria
    self.checked = checked
    self.bundle = bundle
  }

  init(of plan: Plan) {
    let facts = try? JSONReader.read(plan.facts)
    criteria = Set((facts?["criteria"]?.array ?? []).compactMap(\.string))
    checked = (facts?["checked"]?.array ?? []).compactMap(\.string)
    bundle = facts?["bundle"]?.string
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.strings("criteria", criteria.sorted())
    writer.strings("checked", checked)
    writer.member("bundle", bundle)
  }
}

/// The results of one shard's checks, or of all checks, as a certificate.
struct CriteriaResults {
  let certificate: CriteriaCertificate

  /// Creates the results of one shard.
  ///
  /// - Parameter checks: A check per piece of the plan; nil for the pieces of other shards.
  init(_ plan: Plan, _ checks: [CriteriaCertificate.Check?], duration: Duration) {
    let facts = CriteriaFacts(of: plan)
    let checked = zip(facts.checked, checks).compactMap { criterion, check in
      check.map { (criterion, $0) }
    }
    // Criteria that only other shards check are omitted.
    let others = Set(facts.checked).subtracting(checked.map(\.0))
    certificate = CriteriaCertificate(
      of: Criterion.all.filter { facts.criteria.contains($0.id) && !others.contains($0.id) },
      for: facts.bundle, checked, duration: duration)
  }

  /// Creates the results of all shards. The duration is the sum of the checks' durations.
  init(_ plan: Plan, _ checks: [CriteriaCertificate.Check]) {
    self.init(plan, checks, duration: checks.reduce(.zero) { $0 + $1.duration })
  }
}

// MARK: - The certificate

enum CertificateFormat: String, OutputFormat {
  case text, json, junit, html

  /// Returns the certificate in this format.
  ///
  /// - Parameter text: Returns the text of a file that a verdict cites; nil if the page may not show the file.
  func render(
    _ certificate: CriteriaCertificate, _ palette: Palette, _ detail: ReportDetail,
    reading text: @escaping (String) -> String?
  ) -> String {
    switch self {
    case .text: certificate.text(palette, detail)
    case .json: certificate.json
    case .junit: certificate.junit
    case .html: certificate.picture(reading: text).page()
    }
  }
}

extension CriteriaCertificate {
  func picture(reading text: @escaping (String) -> String?) -> Picture {
    var picture = Picture(.fixed("Exit criteria"), reading: text)
    for check in entries.flatMap(\.checks) {
      guard let recording = check.recording else { continue }
      picture.add(recording, named: check.title ?? "", of: check.file)
    }
    return picture
  }
}
