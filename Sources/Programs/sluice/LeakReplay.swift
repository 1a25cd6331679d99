internal import Diagnostics
internal import Scenario
internal import Sharding
internal import Simulation

/// The leaks that were replayed on real processes, of one shard or of all.
struct LeakReplay {
  private let report: Report
  private let count: Int

  /// The replays that one shard has made.
  ///
  /// - Parameter recordings: one for each piece of the plan; nil where it is another shard's.
  init(_ plan: Plan, _ recordings: [CaseRecording?]) {
    var builder = ReportBuilder()
    for (piece, recording) in zip(plan.pieces, recordings) {
      if let recording { builder.add(recording, file: piece.file) }
    }
    report = builder.report
    count = recordings.count { $0 != nil }
  }

  /// Checks that real processes have each leak, and says how many.
  ///
  /// - Parameter world: the file of the world that was searched.
  /// - Throws: ``RunError`` where they do not have one.
  func check(_ world: String) throws(RunError) {
    guard !report.isPassed else {
      return Failure.print(
        "leaks that were replayed on real processes, which have all of them: \(count)")
    }
    print(report.text(), terminator: "")
    throw RunError(
      .file(world), "real processes do not have each leak that was found", rule: "leaks",
      fault: .own)
  }
}
