internal import Diagnostics
internal import Scenario
internal import Sharding
internal import Simulation

/// The report of a run whose parts ran apart.
struct MergedReport {
  private let merge: Merge
  private let format: MergeFormat
  private let output: [FileOutput<MergeFormat>]
  private let color: ColorChoice
  private let detail: ReportDetail
  /// What is asked about coverage; nil: nothing.
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

  /// Prints the report, and writes it to the other outputs.
  ///
  /// - Returns: whether all is as expected.
  /// - Throws: ``RunError`` where the run has no such report, or a file cannot be written.
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

  /// Reads the policies again, which must be those that the shards were given.
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

  /// Prints a report in the formats that were asked for.
  ///
  /// - Throws: ``RunError`` where the report is not printed in one of them, or a file cannot be written.
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
