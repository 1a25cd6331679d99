internal import Model
internal import Picture
internal import Scenario
internal import Sharding
internal import Simulation

/// The results of cases, of one shard or of all, and what reports say of them.
struct CaseResults {
  private let cases: [(piece: Piece, recording: CaseRecording)]
  private let facts: CaseFacts
  /// The text of a file that results name; nil where it may not be shown.
  private let text: (String) -> String?

  /// The results that one shard has.
  ///
  /// - Parameter recordings: one for each piece of the plan; nil where it is another shard's.
  init(
    _ plan: Plan, _ recordings: [CaseRecording?], reading text: @escaping (String) -> String?
  ) {
    cases = zip(plan.pieces, recordings).compactMap { piece, recording in
      recording.map { (piece, $0) }
    }
    facts = CaseFacts(of: plan)
    self.text = text
  }

  var report: Report {
    var builder = ReportBuilder()
    for (piece, recording) in cases { builder.add(recording, file: piece.file) }
    return facts.complete(builder.report)
  }

  var coverage: Coverage {
    var coverage = Coverage()
    coverage.add(stated: facts.stated)
    for (_, recording) in cases { coverage.add(recording.events) }
    return coverage
  }

  var picture: Picture {
    var picture = Picture(title: facts.title, reading: text)
    for (piece, recording) in cases { picture.add(recording, named: piece.name, of: piece.file) }
    for notice in facts.notices { picture.add(note: notice) }
    for test in facts.notRun { picture.add(notRun: test.result, of: test.suite) }
    return picture
  }

  /// Prints the report, and writes it to the other outputs.
  ///
  /// - Returns: whether all is as expected.
  /// - Throws: ``RunError`` where a file cannot be written.
  func print(by options: ReportOptions) throws(RunError) -> Bool {
    let report = report
    try options.print(report) { picture }
    return report.isPassed
  }

  /// Prints the report and the coverage, and writes them to the other outputs.
  ///
  /// - Returns: whether all is as expected.
  /// - Throws: ``RunError`` where a file cannot be written.
  func print(
    by options: ReportOptions, _ coverageOptions: CoverageOptions
  ) throws(RunError) -> Bool {
    let (report, coverage) = (report, coverage)
    try options.print(report) { picture }
    try coverageOptions.print(coverage, beside: options.format)
    return report.isPassed && coverageOptions.isEnough(coverage)
  }
}
