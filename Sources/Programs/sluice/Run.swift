internal import ArgumentParser
internal import Distribution
internal import Encodings
internal import Foundation
internal import Output
internal import Replay
internal import Reports
internal import Scenario
internal import Simulation

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run scenarios on simulated devices.",
    discussion: """
      sluice run story.yaml --output html=report.html

      Each case runs on a fresh device, with real processes. The report is made only from the devices' journals.

      With --device, all cases run on one persistent device (`sluice device create`). The scenario states apps and \
      policies; sign-ins, files, keychain, PINs and clock are the device's.

      A case found in a folder is skipped, with a note, if it needs a program of Sluice that is not built.

      Exit status: 0 all cases passed, 1 an expectation failed, or the coverage or evidence is too low, 2 a scenario, policy or bundle is invalid, \
      64 usage, 70 an error of Sluice itself.
      """)

  @Argument(help: "Scenario files, folders of them, or - for standard input.", completion: .file())
  var paths: [String]

  @OptionGroup var report: ReportOptions<ReportFormat>
  @OptionGroup var detail: DetailOptions

  @OptionGroup var device: DeviceOptions

  @Option(
    name: .customLong("device"),
    help: "Run all cases, one after the other, on the persistent device in this folder.",
    completion: .directory)
  var existing: String?

  @Option(help: "Run only the cases whose name or criterion contains this text, ignoring case.")
  var filter: String?

  @Option(
    name: .customLong("case"),
    help: ArgumentHelp(
      "Run only the case with this number in the folder of --output-dir, or with this text in its name, ignoring case.",
      valueName: "case"))
  var choice: String?

  @Option(
    name: .customLong("line"),
    help: ArgumentHelp(
      "Run only the case that begins at this line of its file, as --list shows. Can be repeated.",
      valueName: "n"))
  var lines: [Int] = []

  @Flag(help: "List the cases, with file, line and column, instead of running them.")
  var list = false

  @Flag(help: "Check the scenarios and all files that they name, without running them.")
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      "The number of cases to run at the same time, each on its own device.", valueName: "n"))
  var jobs = 1

  @Option(
    help: ArgumentHelp(
      "If cases fail, write a new folder that reproduces them on any machine: a script, the scenarios and the files that they name except secrets, seeds and journals.",
      valueName: "folder"), completion: .directory)
  var keepFailures: String?

  @Flag(
    help:
      "Show the values of app configurations in reports and journals, except scrubbed keys.")
  var showValues = false

  @OptionGroup var coverage: CoverageOptions

  @Option(
    help: ArgumentHelp(
      "With --coverage, also show the calls of the SDK that these Swift files, or folders of them, handle. Can be repeated.",
      valueName: "source"),
    completion: .file(extensions: ["swift"]))
  var code: [String] = []

  @OptionGroup var shards: ShardOptions

  @Flag(
    help: "Run again whenever a scenario or a file that it names changes.")
  var watch = false

  func run() throws {
    if watch { try Watch(paths: paths).run() }
    do throws(RunError) {
      if list { return try printList() }
      if let keepFailures, FileManager.default.fileExists(atPath: keepFailures) {
        throw RunError(
          .path(keepFailures), "the folder already exists; specify a new one for --keep-failures",
          rule: "file")
      }
      let (prepared, left) = try prepare()
      var printed: Set<String> = []
      for warning in prepared.flatMap(\.warnings) where printed.insert(warning).inserted {
        Failure.print(warning)
      }
      guard prepared.contains(where: { !$0.cases.isEmpty }) else {
        throw left.first.map {
          RunError(.file($0.file), $0.why, rule: "program", origin: .own)
        } ?? noCase
      }
      try checkOutput(of: prepared.map(\.scenario))
      if dryRun {
        let count = try shards.numbers(of: pieces(of: prepared.map { ($0.scenario, $0.cases) }))
          .count
        return print("\(count.counting("case")), not run")
      }
      if let target = shards.cluster.executor {
        return try shards.cluster.run(on: target) { merge in
          MergedReport(
            merge, to: report.targets.map(MergeFormat.init), detail.color, detail.extent, coverage)
        }
      }
      let results = try Workshop.use(device) { settings throws(RunError) in
        try run(prepared, without: left, self.settings(settings))
      }
      if try !results.print(to: report.targets, detail.color, detail.extent, coverage) {
        Self.exit(withError: Failure.expectation)
      }
    } catch {
      throw Failure.report(error)
    }
  }

  func validate() throws {
    try shards.check(device)
    if shards.cluster.executor != nil, keepFailures != nil {
      throw ValidationError(
        "--keep-failures would write on the machines of --executor: run the failed cases here")
    }
    if watch, shards.isSplit {
      throw ValidationError(
        "--watch runs all cases here: leave out --shard, --blob and --executor")
    }
    if watch, paths.contains("-") {
      throw ValidationError("--watch needs files; standard input cannot be read again")
    }
    if existing != nil, device.outputFolder != nil {
      throw ValidationError(
        "--device always keeps its device; --output-dir applies to fresh devices only")
    }
    if existing != nil, shards.isSplit {
      throw ValidationError(
        "--device runs all cases on one device, one after the other; --shard needs a fresh device for each case"
      )
    }
    if shards.isSplit, paths.contains("-") {
      throw ValidationError("shards cannot share standard input; name a file")
    }
    if keepFailures != nil {
      guard existing == nil else {
        throw ValidationError(
          "--keep-failures cannot reproduce the state of --device: use a fresh device")
      }
      guard !paths.contains("-") else {
        throw ValidationError("--keep-failures needs scenario files, not standard input")
      }
    }
    if detail.maxFailures != nil, shards.isSplit {
      throw ValidationError(
        "--max-failures stops a run here; shards do not know the failures of the others")
    }
    if !code.isEmpty, !coverage.isAsked, !shards.isSplit {
      throw ValidationError("--code needs --coverage or --coverage-output")
    }
    guard (1...64).contains(jobs) else {
      throw ValidationError("--jobs must be 1 to 64, found \(jobs)")
    }
    if existing != nil, jobs > 1 {
      throw ValidationError(
        "--device runs all cases on one device; --jobs needs a fresh device for each case")
    }
    if list, ![.text, .json].contains(report.format) {
      throw ValidationError("--list prints text or json, found \(report.format.rawValue)")
    }
  }

  private func printList() throws(RunError) {
    let included = try loadedScenarios().map { ($0, $0.cases.filter(isIncluded)) }
    guard included.contains(where: { !$1.isEmpty }) else { throw noCase }
    let mine = try shards.numbers(of: pieces(of: included))
    var number = 0
    let cases = CaseList(
      scenarios: included.map { scenario, cases in
        let kept = cases.enumerated().filter { mine.contains(number + $0.offset) }.map(\.element)
        number += cases.count
        return (scenario, kept)
      })
    print(report.format == .json ? cases.json : cases.text, terminator: "")
  }

  private var noCase: RunError {
    let wanted =
      lines.isEmpty
      ? "matches `\(filter ?? "")`"
      : "begins at line \(lines.map(String.init).joined(separator: " or "))"
        + (filter.map { " and matches `\($0)`" } ?? "")
    return RunError(.command, "no case \(wanted)", rule: "filter")
  }

  /// Reads the scenarios. With `--case`, the result contains only the selected case.
  private func loadedScenarios() throws(RunError) -> [Scenario] {
    let scenarios = try ScenarioFiles.load(paths)
    guard let choice else { return scenarios }
    let argument = paths.joined(separator: ", ")
    return [try CaseChoice(choice).scenario(among: scenarios, of: argument)]
  }

  /// Returns `settings` changed by this command's options.
  private func settings(_ settings: RunSettings) -> RunSettings {
    var settings = settings
    settings.device = existing
    settings.showsValues = showValues
    return settings
  }

  /// Returns the scenarios to run, and the cases that cannot run, for example because a program is missing.
  ///
  /// Cases are left out only if their scenario was found in a folder. A scenario that is itself an argument must run
  /// completely.
  private func prepare() throws(RunError) -> ([PreparedScenario], [CaseNotRun]) {
    let runner = ScenarioRun(settings(device.settings(folder: "")))
    var left: [CaseNotRun] = []
    let scenarios = try loadedScenarios().compactMap { scenario -> Scenario? in
      guard !paths.contains(scenario.file) else { return scenario }
      let lacks = zip(scenario.cases, runner.lacks(ofCasesIn: scenario))
      left += lacks.filter { isIncluded($0.0) }.compactMap { test, why in
        why.map { CaseNotRun(test, of: scenario, because: $0) }
      }
      var able = scenario
      able.cases = lacks.filter { $1 == nil }.map(\.0)
      return able.cases.isEmpty ? nil : able
    }
    let prepared = try RunError.collecting(scenarios) { scenario throws(RunError) in
      try runner.prepare(scenario) { isIncluded($0) }
    }
    return (prepared, left)
  }

  private func isIncluded(_ test: Case) -> Bool {
    guard lines.isEmpty || lines.contains(test.position.line) else { return false }
    guard let filter = filter?.lowercased() else { return true }
    return [test.name, test.criterion ?? ""].contains { $0.lowercased().contains(filter) }
  }

  private func run(
    _ prepared: [PreparedScenario], without left: [CaseNotRun], _ settings: RunSettings
  ) throws(RunError) -> CaseResults {
    let batch = CaseBatch(prepared)
    let work = try shards.work(plan(batch, without: left))
    let (recordings, skipped) = try batch.perform(
      work, settings, jobs: jobs, maxFailures: detail.maxFailures, into: device.outputFolder)
    let results = CaseResults(
      work.plan, recordings, skipped: skipped, reading: CitedFiles(.anywhere).text)
    if shards.blob != nil { try work.end(results.picture().texts) }
    if let keepFailures {
      try keep(
        zip(batch.cases, recordings).compactMap { pair, recording in
          recording.flatMap { $0.isPassed ? nil : (pair.0, pair.1, $0) }
        }, in: keepFailures)
    }
    return results
  }

  /// Checks that no output file is also an input file.
  private func checkOutput(of scenarios: [Scenario]) throws(RunError) {
    let inputs = scenarios.flatMap(\.inputFiles)
    try report.files.check(isNoneOf: inputs)
    for path in [shards.blob, coverage.coverageOutput] {
      try TextFile.check(path, isNoneOf: inputs)
    }
  }

  private func plan(_ batch: CaseBatch, without left: [CaseNotRun]) throws(RunError) -> Plan {
    var facts = batch.facts(title: paths.joined(separator: ", "), without: left)
    let prepared = batch.scenarios
    if !code.isEmpty {
      facts.code = CodeCoverage(
        of: prepared.flatMap(\.ownPrograms), handling: try SourceTool.handled(by: code))
    }
    let seed = device.seed.map { ["--seed", "\($0)"] } ?? []
    return Plan(
      "run", version: Version.text, options: seed + options,
      files: shards.blob == nil
        ? [:] : try InputDigests.of(files: prepared.flatMap(\.scenario.inputFiles)),
      pieces: pieces(of: prepared.map { ($0.scenario, $0.cases) }), facts: facts.writeMembers)
  }

  private func pieces(of scenarios: [(Scenario, [Case])]) -> [Piece] {
    scenarios.flatMap { scenario, cases in
      cases.map { Piece(file: scenario.file, name: $0.name, steps: $0.steps.count) }
    }
  }

  /// The options that affect results, apart from the seed, as command-line words.
  private var options: [String] { device.reproducing + (showValues ? ["--show-values"] : []) }

  /// Writes a folder with which the failed cases can be run again. Does nothing if no case failed.
  private func keep(
    _ failed: [(PreparedScenario, Case, CaseRecording)], in folder: String
  ) throws(RunError) {
    guard !failed.isEmpty else { return }
    let failures = failed.map { prepared, test, recording in
      Reproduction.Failure(test, of: prepared.scenario, recording, seed: device.seed)
    }
    let left = try Reproduction(of: failures, options: options, version: Version.current)
      .write(to: folder)
    for path in left { Failure.print("omitted from \(folder): \(path)") }
    Failure.print("\(folder)/reproduce.sh runs the failed cases again")
  }
}

// MARK: - Watching files

/// The option `--watch`: runs the scenarios again after each change of one of their files.
private struct Watch {
  let paths: [String]

  /// The time between two checks for changes, in microseconds.
  private static let pollInterval: UInt32 = 250_000

  /// Runs the scenarios repeatedly until a signal ends the process. Each run is a child process with the same arguments
  /// except `--watch`.
  func run() throws -> Never {
    while true {
      let before = WatchedFiles(of: paths)
      try runOnce()
      Failure.print("sluice: waiting for changes; Ctrl-C ends it")
      while WatchedFiles(of: paths) == before { usleep(Self.pollInterval) }
      // The pause is necessary because editors write a file in several steps.
      usleep(Self.pollInterval)
      let changes = WatchedFiles(of: paths).changes(since: before)
      Failure.print("sluice: changed: \(ListFormat.first(3, of: changes))".escapingUnprintable())
    }
  }

  private func runOnce() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = PresentSpelling.ofProcess.arguments.filter { $0 != "--watch" }
    try process.run()
    // The child has its own process group, so a terminal's signals do not reach it.
    Interruption.pass(on: process.processIdentifier)
    process.waitUntilExit()
    Interruption.pass(on: nil)
  }
}

// MARK: - The list of cases

/// The output of `--list`: the cases of scenarios, which are not run.
private struct CaseList {
  let scenarios: [(scenario: Scenario, cases: [Case])]

  /// The list as text. Each case is a line, such as `SEND.yaml:14:5: SEND-1 a managed account …`.
  var text: String {
    scenarios.flatMap { scenario, cases in
      cases.map { test in
        let title = [test.criterion, test.name].compactMap(\.self).joined(separator: " ")
        let place = "\(scenario.file):\(test.position.line):\(test.position.column)"
        return "\(place): \(title)".escapingUnprintable() + "\n"
      }
    }.joined()
  }

  /// The list as a JSON array. It ends with a line break.
  var json: String {
    var writer = JSONWriter()
    writer.array { writer in
      for (scenario, cases) in scenarios {
        for test in cases { Self.write(test, of: scenario, to: &writer) }
      }
    }
    writer.endLine()
    return writer.text
  }

  private static func write(_ test: Case, of scenario: Scenario, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("file", scenario.file)
      writer.member("line", test.position.line)
      writer.member("column", test.position.column)
      writer.member("suite", scenario.name)
      writer.member("name", test.name)
      writer.member("criterion", test.criterion)
      writer.member("steps", test.steps.count)
    }
  }
}
