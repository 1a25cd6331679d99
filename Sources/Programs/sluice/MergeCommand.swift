internal import ArgumentParser
internal import Conformance
internal import Distribution
internal import Output
internal import Replay
internal import Scenario
internal import Simulation

struct MergeCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge the results of shards into reports.",
    discussion: """
      sluice merge 1.blob 2.blob --output html=report.html

      Reads the blobs of all shards, written by `--shard I/N --blob FILE`, in any order. Except for times, the \
      reports equal those of a run without shards. Nothing is run.

      --resume waits for a job of `--executor` whose submitter has exited. Unfinished shards of ssh are restarted.

      Exit status: 0 all as expected, 1 an expectation failed, or the coverage or evidence is too low, 2 a blob is missing, \
      duplicated, truncated or of another run, 64 usage, 70 real processes do not reproduce a leak.
      """)

  @Argument(help: "The blobs of all shards, or folders of them.", completion: .file())
  var blobs: [String] = []

  @Option(
    help: ArgumentHelp(
      "Wait for a job that was submitted in this folder, and merge its blobs. Ctrl-C cancels the job.",
      valueName: "job"))
  var resume: String?

  @OptionGroup var report: ReportOptions<MergeFormat>
  @OptionGroup var detail: DetailOptions

  @OptionGroup var coverage: CoverageOptions

  func perform() throws(RunError) {
    try report.files.check(isNoneOf: blobs)
    let merge =
      if let resume {
        try JobWait.merge { () throws(RunError) in
          try JobResumption.job(named: resume, program: CommandWords.program)
        }
      } else {
        try Merge(of: BlobFiles.read(blobs))
      }
    let merged = MergedReport(merge, to: report.targets, detail.color, detail.extent, coverage)
    if try !merged.show() { Self.exit(withError: Failure.expectation) }
  }

  func validate() throws {
    guard blobs.isEmpty != (resume == nil) else {
      throw ValidationError("name the blobs of the shards, or name a job with --resume")
    }
  }
}

// MARK: - Formats

/// The formats of a merged report. Each command supports some of them.
enum MergeFormat: String, OutputFormat {
  case text, json, junit, tap, sarif, html, durations

  /// Creates the format with the same name as `format`, which belongs to a command that can run in shards.
  init(_ format: some OutputFormat) {
    guard let known = Self(rawValue: format.rawValue) else {
      preconditionFailure("`merge` must support every format of the commands whose blobs it merges")
    }
    self = known
  }
}

// MARK: - Reports

/// The report of a run that was divided into shards.
struct MergedReport {
  private let merge: Merge
  private let targets: OutputTargets<MergeFormat>
  private let color: ColorChoice
  private let extent: TextExtent
  /// The coverage options; nil if the command has none.
  private let coverage: CoverageOptions?

  init(
    _ merge: Merge, to targets: OutputTargets<MergeFormat>, _ color: ColorChoice = .auto,
    _ extent: TextExtent = TextExtent(), _ coverage: CoverageOptions? = nil
  ) {
    self.merge = merge
    self.targets = targets
    self.color = color
    self.extent = extent
    self.coverage = coverage
  }

  /// Writes the merged report. Returns true if all results are as expected.
  ///
  /// - Throws: ``RunError``, for example if blobs of this command cannot be merged, or if coverage is requested of a
  ///   command without coverage.
  func show() throws(RunError) -> Bool {
    guard merge.plan.command == "run" || coverage?.isAsked != true else {
      throw RunError(
        .command, "only `sluice run` has coverage; leave out the coverage options", rule: "coverage"
      )
    }
    switch merge.plan.command {
    case "run": return try showCases()
    case "criteria": return try showCriteria()
    case "walk": return try showWalk()
    case "replay": return try showReplay()
    case "leaks": return try showLeaks()
    default:  // open: a command in another version
      throw RunError(
        .command, "this version cannot merge blobs of `sluice \(merge.plan.command)`",
        rule: "merge")
    }
  }

  private func showCases() throws(RunError) -> Bool {
    let results = CaseResults(merge.plan, try merge.values(of: CaseRecording.self)) {
      merge.texts[$0]
    }
    return try results.print(to: known(), color, extent, coverage)
  }

  private func showCriteria() throws(RunError) -> Bool {
    let checks = try merge.values(of: CriteriaCertificate.Check.self)
    let certificate = CriteriaResults(merge.plan, checks).certificate
    try known().write { (format: CertificateFormat, destination) in
      format.render(certificate, color.palette(for: destination), extent.detail) {
        merge.texts[$0]
      }
    }
    return certificate.holds
  }

  private func showWalk() throws(RunError) -> Bool {
    let results = try WalkResults(
      WalkFacts(of: merge.plan), whole: merge.values(of: RoundOutcome.self))
    try known().write { (format: TextFormat, _) in results.text(format, extent.detail) }
    return results.holds
  }

  /// Writes the report of a merged replay. Reads the policies again, and throws an error if they have changed since the
  /// shards ran.
  private func showReplay() throws(RunError) -> Bool {
    let facts = ReplayFacts(of: merge.plan)
    try merge.plan.check(paths: facts.policies)
    let results = try ReplayResults(facts, merge.values(of: JournalExtract.self))
    try known().write { (format: TextFormat, _) in results.text(format) }
    return results.report.isSame
  }

  private func showLeaks() throws(RunError) -> Bool {
    let facts = LeakFacts(of: merge.plan, reading: merge.texts)
    try LeakReplay(merge.plan, merge.values(of: CaseRecording.self)).check(facts.world)
    let isClean = try facts.found().isEmpty
    try known().write { (format: LeakFormat, _) throws(RunError) in try facts.rendered(format) }
    return isClean
  }

  /// Returns the destinations of the output, each with a format of the command that ran in shards. Throws an error for
  /// a format that the command does not support.
  private func known<Format: OutputFormat>() throws(RunError) -> OutputTargets<Format> {
    try targets.map { format throws(RunError) in
      guard let known = Format(rawValue: format.rawValue) else {
        let formats = Format.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        throw RunError(
          .command,
          "this report cannot be written as `\(format.rawValue)`; its formats are \(formats)",
          rule: "format")
      }
      return known
    }
  }
}
