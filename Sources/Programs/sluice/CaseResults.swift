internal import Distribution
internal import Encodings
internal import Model
internal import Output
internal import Replay
internal import Reports
internal import Scenario
internal import Simulation
internal import Synchronization

// MARK: - Running

/// The cases of several scenarios that are ready to run. Each case runs on its own device.
struct CaseBatch {
  let scenarios: [PreparedScenario]

  init(_ scenarios: [PreparedScenario]) { self.scenarios = scenarios }

  /// The cases in the order of the report, each with its scenario.
  var cases: [(scenario: PreparedScenario, test: Case)] {
    scenarios.flatMap { scenario in scenario.cases.map { (scenario, $0) } }
  }

  func facts(title: String, without left: [CaseNotRun]) -> CaseFacts {
    var facts = CaseFacts(
      title: title, stated: scenarios.reduce(into: []) { $0.formUnion($1.statedSettings) },
      policies: scenarios.reduce(into: []) { $0.formUnion($1.policyNames) })
    facts.notRun = left
    for case let notice? in scenarios.map(\.notice) where !facts.notices.contains(notice) {
      facts.notices.append(notice)
    }
    // `sluice tenant run` prepares each scenario once for each class of users.
    for scenario in scenarios where !scenario.warnings.isEmpty {
      facts.warnings[scenario.file, default: []] += scenario.warnings
    }
    facts.warnings = facts.warnings.mapValues(\.unique)
    return facts
  }

  /// Runs the cases. Prints the problems in declarations that devices apply before the first step.
  ///
  /// - Parameters:
  ///   - work: The cases to run: those of this shard, or all.
  ///   - jobs: The number of cases to run at the same time.
  ///   - maxFailures: The number of failed cases after which the run stops; nil for no limit.
  ///   - folder: The folder in which the devices are kept; nil if they are not kept.
  /// - Returns: A recording per case, nil for cases that did not run; and the cases that did not run because
  ///   `maxFailures` was reached.
  /// - Throws: ``RunError`` if a device cannot start or the folder cannot be written.
  func perform(
    _ work: ShardWork, _ settings: RunSettings, jobs: Int, maxFailures: Int?, into folder: String?
  ) throws(RunError) -> (recordings: [CaseRecording?], skipped: [CaseNotRun]) {
    let runner = ScenarioRun(settings)
    let cases = cases
    var index = RunIndex(cases.map { ($0.scenario.scenario, $0.test) })
    if let folder { try index.write(to: folder) }
    let limit = FailureLimit(maxFailures)
    let recordings = try work.perform(by: ThreadPool(of: jobs), until: { limit.isReached }) {
      number throws(RunError) in
      let (scenario, test) = cases[number]
      let recording = try runner.run(test, of: scenario, number: number + 1)
      limit.count(recording)
      return recording
    }
    if let folder {
      index.add(recordings.map { $0?.duration })
      try index.write(to: folder)
    }
    var reported = Set(scenarios.flatMap(\.warnings))
    for problem in recordings.compactMap(\.self).flatMap(\.events.firstProblems)
    where reported.insert(problem).inserted {
      Failure.print(problem)
    }
    let skipped = zip(cases, recordings).compactMap { pair, recording in
      limit.reason.flatMap { why in
        recording == nil ? CaseNotRun(pair.test, of: pair.scenario.scenario, because: why) : nil
      }
    }
    return (recordings, skipped)
  }
}

extension [JournalEvent] {
  /// The problems in the declarations that the device applied before the first step.
  fileprivate var firstProblems: [String] {
    let beginning = prefix { event in
      if case .stepBegan = event.kind { false } else { true }
    }
    return beginning.flatMap { event -> [String] in
      if case .declarationsApplied(_, let problems) = event.kind { problems } else { [] }
    }
  }
}

/// A counter of failed cases. It stops the run when the number of failures reaches a maximum.
final class FailureLimit: Sendable {
  /// The maximum number of failed cases; nil for no limit.
  private let most: Int?
  private let failed = Atomic(0)

  init(_ most: Int?) { self.most = most }

  /// Adds the case to the failed cases if it did not pass.
  func count(_ recording: CaseRecording) {
    if most != nil, !recording.isPassed { failed.add(1, ordering: .relaxed) }
  }

  /// Whether the limit is reached, so no further case may begin.
  var isReached: Bool { most.map { failed.load(ordering: .relaxed) >= $0 } ?? false }

  /// The reason why the remaining cases do not run; nil if the limit is not reached.
  var reason: String? {
    guard let most, isReached else { return nil }
    return "the run stopped after \(most.counting("failed case"))"
  }
}

extension CaseRecording {
  var isPassed: Bool {
    var builder = ReportBuilder()
    builder.add(self, file: nil)
    return builder.report.isPassed
  }
}

// MARK: - Results

/// The results of one shard's cases, or of all cases, and the reports made from them.
struct CaseResults {
  private let cases: [(piece: Piece, recording: CaseRecording)]
  private let facts: CaseFacts
  /// Returns the text of a file to which the results refer; nil if reports may not show the file.
  private let text: (String) -> String?

  /// Creates the results of one shard.
  ///
  /// - Parameters:
  ///   - recordings: A recording per case of the plan; nil for the cases of other shards.
  ///   - skipped: The cases of the plan that did not run because the limit of failed cases was reached.
  init(
    _ plan: Plan, _ recordings: [CaseRecording?], skipped: [CaseNotRun] = [],
    reading text: @escaping (String) -> String?
  ) {
    cases = zip(plan.pieces, recordings).compactMap { piece, recording in
      recording.map { (piece, $0) }
    }
    var facts = CaseFacts(of: plan)
    facts.notRun += skipped
    self.facts = facts
    self.text = text
  }

  var report: Report {
    var builder = ReportBuilder()
    for (piece, recording) in cases { builder.add(recording, file: piece.file) }
    return facts.complete(builder.report)
  }

  var coverage: Coverage {
    var coverage = Coverage(of: facts.policies, by: facts.code)
    coverage.add(stated: facts.stated)
    for (_, recording) in cases { coverage.add(recording.events) }
    return coverage
  }

  /// Returns the data of the HTML report.
  ///
  /// - Parameter minimum: The lowest standing of a rule that a passed case may depend on; nil for no minimum.
  func picture(requiring minimum: Standing.Minimum? = nil) -> Picture {
    var picture = Picture(.scenario(otherwise: facts.title), reading: text)
    for (piece, recording) in cases {
      picture.add(recording, named: piece.name, of: piece.file, requiring: minimum)
    }
    for note in facts.notices { picture.add(note: note) }
    for test in facts.notRun { picture.add(notRun: test.result, of: test.suite) }
    return picture
  }

  /// Writes the report and the coverage to their destinations. Returns true if the report has no failure and the
  /// coverage meets the options.
  ///
  /// - Parameter coverageOptions: The coverage options; nil if the command has none.
  /// - Throws: ``RunError`` if a file cannot be written.
  func print(
    to targets: OutputTargets<ReportFormat>, _ color: ColorChoice, _ extent: TextExtent,
    _ coverageOptions: CoverageOptions? = nil
  ) throws(RunError) -> Bool {
    let coverage = coverage
    var report = report
    coverageOptions?.checkEvidence(of: &report)
    try targets.write { format, destination in
      format.render(
        report, { picture(requiring: coverageOptions?.minEvidence) },
        color.palette(for: destination), extent)
    }
    guard let coverageOptions else { return report.isPassed }
    try coverageOptions.print(coverage, beside: targets.printed)
    return report.isPassed && coverageOptions.isEnough(coverage)
  }
}

// MARK: - Facts

/// The parts of a report that do not come from a case's recording.
struct CaseFacts {
  var title: String
  /// The settings that the policies contain.
  var stated: Set<Setting>
  /// The names of the policies that the scenarios, their steps or their tenants assign.
  var policies: Set<String>
  /// The code coverage; nil if it is not measured.
  var code: CodeCoverage?
  var notRun: [CaseNotRun] = []
  /// Warnings about the files that a scenario uses. Keys are the scenarios' files.
  var warnings: [String: [String]] = [:]
  /// Notes about the parts of the policies that were not read, without duplicates.
  var notices: [String] = []

  init(title: String, stated: Set<Setting>, policies: Set<String>) {
    self.title = title
    self.stated = stated
    self.policies = policies
  }

  init(of plan: Plan) {
    let facts = try? JSONReader.read(plan.facts)
    title = facts?["title"]?.string ?? ""
    stated = Set(
      (facts?["stated"]?.array ?? []).compactMap { $0.string.flatMap(Setting.init(rawValue:)) })
    policies = Set((facts?["policies"]?.array ?? []).compactMap(\.string))
    code = (facts?["code"]).map(CodeCoverage.init)
    notRun = (facts?["notRun"]?.array ?? []).map(CaseNotRun.init)
    notices = (facts?["notices"]?.array ?? []).compactMap(\.string)
    for member in facts?["warnings"]?.members ?? [] {
      warnings[member.name] = member.value.array?.compactMap(\.string)
    }
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("title", title)
    writer.strings("stated", stated.map(\.rawValue).sorted())
    writer.strings("policies", policies.sorted())
    if let code { writer.object("code") { code.writeMembers(to: &$0) } }
    if !notices.isEmpty { writer.strings("notices", notices) }
    writer.array("notRun", of: notRun) { $1.write(to: &$0) }
    writer.object("warnings") { writer in
      for (file, lines) in warnings.sorted(by: { $0.key < $1.key }) {
        writer.member(named: file) { writer in
          writer.array { writer in for line in lines { writer.string(line) } }
        }
      }
    }
  }

  /// Returns `report` with the notices, the cases that did not run, and the warnings about the files of failed cases.
  func complete(_ report: Report) -> Report {
    var report = report
    report.notices = notices
    for test in notRun {
      report.add(
        notRun: test.name, criterion: test.criterion, of: test.suite, in: test.file,
        because: test.why)
    }
    for (file, lines) in warnings { report.cite(lines, of: file) }
    return report
  }
}

/// A case that did not run, because the installation lacks a program or the limit of failed cases was reached.
struct CaseNotRun {
  var file: String
  var suite: String
  var name: String
  var criterion: String?
  var why: String

  init(_ test: Case, of scenario: Scenario, because why: String) {
    file = scenario.file
    suite = scenario.name
    name = test.name
    criterion = test.criterion
    self.why = why
  }

  var result: CaseResult {
    var result = CaseResult(name: name, criterion: criterion)
    result.reasonNotRun = why
    return result
  }

  fileprivate init(_ value: JSONValue) {
    file = value["file"]?.string ?? ""
    suite = value["suite"]?.string ?? ""
    name = value["name"]?.string ?? ""
    criterion = value["criterion"]?.string
    why = value["why"]?.string ?? ""
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("file", file)
      writer.member("suite", suite)
      writer.member("name", name)
      writer.member("criterion", criterion)
      writer.member("why", why)
    }
  }
}

extension Picture {
  /// Adds a recorded case with the output of its guests. Each device of the case has its own journal.
  mutating func add(
    _ recording: CaseRecording, named name: String, of file: String?,
    requiring minimum: Standing.Minimum? = nil
  ) {
    let place = file.map { "\($0): " } ?? ""
    guard let parts = recording.byDevice else {
      let journal = RecordedJournal(
        recording.events, name: place + name, file: file, output: recording.output)
      return add(RecordedGroup([journal], lasting: recording.duration), requiring: minimum)
    }
    let journals = parts.map { device, events in
      let output = recording.output.filter { $0.guest.hasPrefix("\(device)/") }
        .map { $0.named(String($0.guest.dropFirst(device.count + 1))) }
      return RecordedJournal(
        Array(events), name: "\(place)\(name), \(device)", file: file, output: output)
    }
    add(RecordedGroup(journals, lasting: recording.duration), requiring: minimum)
  }
}
