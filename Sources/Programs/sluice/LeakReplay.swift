internal import Diagnostics
internal import JSON
internal import Leaks
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

/// What a search found, which every shard finds alike.
struct LeakFacts {
  /// The file of the world that was searched.
  var world: String
  var isClean: Bool
  /// The report in each format.
  var reports: [LeakFormat: String]

  init(_ report: LeakReport, of world: String) {
    self.world = world
    isClean = report.isClean
    reports = Dictionary(
      uniqueKeysWithValues: LeakFormat.allCases.map { ($0, $0.render(report, of: world)) })
  }

  /// The facts in a plan.
  init(of plan: Plan) {
    let facts = try? JSONReader.read(plan.facts)
    world = facts?["world"]?.string ?? ""
    isClean = facts?["clean"]?.bool ?? false
    reports = [:]
    for format in LeakFormat.allCases {
      reports[format] = facts?["reports"]?[format.rawValue]?.string
    }
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("world", world)
    writer.member("clean", isClean)
    writer.object("reports") { writer in
      for format in LeakFormat.allCases {
        writer.member(named: format.rawValue) { $0.string(reports[format] ?? "") }
      }
    }
  }
}
