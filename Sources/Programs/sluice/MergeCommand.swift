internal import ArgumentParser
internal import Distribution
internal import Output
internal import Scenario
internal import Simulation

struct MergeCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Make the reports of a run whose parts ran apart.",
    discussion: """
      Takes the blobs that `--shard I/N --blob FILE` left, of all parts and in any order. The reports are those of a \
      run in one go, but for times. Nothing is run.

      With --resume, a job that `--on` submitted here goes on to be waited for, where its submitter has ended; parts by ssh that are not done are begun anew.

      Exit status: 0 all as expected, 1 an expectation failed or too little was covered, 2 a blob is missing, twice \
      there, cut off or of another run, 64 usage, 70 real processes do not have a leak that was found.
      """)

  @Argument(help: "The blobs of all parts, or folders of them.", completion: .file())
  var blobs: [String] = []

  @Option(
    help: ArgumentHelp(
      "Wait for the parts of a job that was submitted here, in place of blobs, and cancel it on Ctrl-C.",
      valueName: "job"))
  var resume: String?

  @Option(help: "Format of the report on standard output, which the run must have.")
  var format = MergeFormat.text

  @Option(help: .outputs("A report"), transform: { try FileOutput<MergeFormat>($0) })
  var output: [FileOutput<MergeFormat>] = []

  @Option(help: "Whether text is coloured.")
  var color = ColorChoice.auto

  @Flag(name: .shortAndLong, help: "Show the steps and reasons of passing cases too.")
  var verbose = false

  @OptionGroup var coverage: CoverageOptions

  func perform() throws(RunError) {
    for file in output { try TextFile.check(file.path, isNoneOf: blobs) }
    let merge =
      if let resume {
        try JobWait.merge { () throws(RunError) in
          try JobResumption.job(named: resume, program: CommandWords.program)
        }
      } else {
        try Merge(of: BlobFiles.read(blobs))
      }
    let report = MergedReport(
      merge, format, output, color, verbose ? .everything : .titles, coverage)
    if try !report.show() { Self.exit(withError: Failure.expectation) }
  }

  func validate() throws {
    guard blobs.isEmpty != (resume == nil) else {
      throw ValidationError("expected blobs, or --resume with the name of a job.")
    }
  }
}

// MARK: - Formats

/// The formats of merged reports. Each command supports some of them.
enum MergeFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json, junit, tap, sarif, html, durations

  init(_ format: ReportFormat) {
    switch format {
    case .text: self = .text
    case .json: self = .json
    case .junit: self = .junit
    case .tap: self = .tap
    case .html: self = .html
    case .durations: self = .durations
    }
  }

  init(_ format: CertificateFormat) {
    switch format {
    case .text: self = .text
    case .json: self = .json
    case .junit: self = .junit
    case .html: self = .html
    }
  }

  init(_ format: LeakFormat) {
    switch format {
    case .text: self = .text
    case .json: self = .json
    case .sarif: self = .sarif
    case .junit: self = .junit
    case .html: self = .html
    }
  }

  init(_ format: TextFormat) {
    switch format {
    case .text: self = .text
    case .json: self = .json
    }
  }
}

// MARK: - Reports

/// The report of a run whose shards ran separately.
struct MergedReport {
  private let merge: Merge
  private let format: MergeFormat
  private let output: [FileOutput<MergeFormat>]
  private let color: ColorChoice
  private let detail: ReportDetail
  /// The coverage options; nil if the command has none.
  private let coverage: CoverageOptions?

  init(
    _ merge: Merge, _ format: MergeFormat, _ output: [FileOutput<MergeFormat>] = [],
    _ color: ColorChoice = .auto, _ detail: ReportDetail = .titles,
    _ coverage: CoverageOptions? = nil
  ) {
    self.merge = merge
    self.format = format
    self.output = output
    self.color = color
    self.detail = detail
    self.coverage = coverage
  }

  /// Prints the report and writes the other outputs; returns true if all results are as expected.
  ///
  /// - Throws: ``RunError`` if the run does not have such a report, or if a file cannot be written.
  func show() throws(RunError) -> Bool {
    guard merge.plan.command == "run" || coverage?.isAsked != true else {
      throw RunError(.command, "runs of cases alone have a coverage", rule: "coverage")
    }
    switch merge.plan.command {
    case "run": return try showCases()
    case "criteria": return try showCriteria()
    case "walk": return try showWalk()
    case "replay": return try showReplay()
    case "leaks": return try showLeaks()
    default:  // open: a command of another version
      throw RunError(
        .command, "blobs of `sluice \(merge.plan.command)` are not known to this version",
        rule: "merge")
    }
  }

  private func showCases() throws(RunError) -> Bool {
    let results = CaseResults(merge.plan, try merge.values(of: CaseRecording.self)) {
      merge.texts[$0]
    }
    let (report, covered) = (results.report, results.coverage)
    try print { (format: ReportFormat, palette) in
      format.render(report, { results.picture }, palette, detail)
    }
    try coverage?.print(covered, beside: format == .text ? .text : .json)
    return report.isPassed && (coverage?.isEnough(covered) ?? true)
  }

  private func showCriteria() throws(RunError) -> Bool {
    let checks = try merge.values(of: CriteriaCertificate.Check.self)
    let certificate = CriteriaResults(merge.plan, checks).certificate
    try print { (format: CertificateFormat, palette) in
      format.render(certificate, palette) { merge.texts[$0] }
    }
    return certificate.holds
  }

  private func showWalk() throws(RunError) -> Bool {
    let facts = WalkFacts(of: merge.plan)
    if facts.world == nil {
      let results = try WalkResults(facts, whole: merge.values(of: RoundOutcome<WalkReport>.self))
      try print { (format: TextFormat, _) in results.text(format) }
      return results.holds
    }
    let results = try WalkResults(
      facts, whole: merge.values(of: RoundOutcome<WorldWalkReport>.self))
    try print { (format: TextFormat, _) in results.text(format) }
    return results.holds
  }

  /// Reads the policies again; they must be the ones that the shards used.
  private func showReplay() throws(RunError) -> Bool {
    let facts = ReplayFacts(of: merge.plan)
    try merge.plan.check(paths: facts.policies)
    let results = try ReplayResults(facts, merge.values(of: JournalExtract.self))
    try print { (format: TextFormat, _) in results.text(format) }
    return results.report.isSame
  }

  private func showLeaks() throws(RunError) -> Bool {
    let facts = LeakFacts(of: merge.plan, reading: merge.texts)
    try LeakReplay(merge.plan, merge.values(of: CaseRecording.self)).check(facts.world)
    let isClean = try facts.found().isEmpty
    try print { (format: LeakFormat, _) throws(RunError) in try facts.rendered(format) }
    return isClean
  }

  /// Prints a report in the requested formats.
  ///
  /// - Throws: ``RunError`` if a format is not supported, or if a file cannot be written.
  private func print<Format: RawRepresentable<String> & CaseIterable>(
    _ render: (Format, Palette) throws(RunError) -> String
  ) throws(RunError) {
    let format: Format = try known(self.format)
    for output in output { let _: Format = try known(output.format) }
    Swift.print(try render(format, color.palette), terminator: "")
    for output in output { try output.write(render(known(output.format), .plain)) }
  }

  private func known<Format: RawRepresentable<String> & CaseIterable>(
    _ format: MergeFormat
  ) throws(RunError) -> Format {
    guard let known = Format(rawValue: format.rawValue) else {
      let formats = Format.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
      throw RunError(
        .command, "this report is not printed as `\(format.rawValue)`, but as \(formats)",
        rule: "format")
    }
    return known
  }
}
