internal import Encodings
internal import JSON
internal import Leaks
internal import Picture
internal import Sharding
internal import Simulation

/// What a search found, which every shard finds alike.
struct LeakFacts {
  /// The file of the world that was searched.
  var world: String
  /// The report in each format that is data; a page is made of them anew.
  private var reports: [LeakFormat: String]
  /// The text of a file that the report names; nil where it may not be shown.
  private var text: (String) -> String?

  private static let kept: [LeakFormat] = [.text, .json, .sarif, .junit]

  init(_ report: LeakReport, of world: String) {
    self.world = world
    reports = Dictionary(
      uniqueKeysWithValues: Self.kept.map { ($0, $0.render(report, of: world)) })
    text = CitedFiles(.anywhere).text
  }

  /// The facts in a plan.
  ///
  /// - Parameter texts: the texts of files that the report names, by path.
  init(of plan: Plan, reading texts: [String: String]) {
    let facts = try? JSONReader.read(plan.facts)
    world = facts?["world"]?.string ?? ""
    reports = [:]
    for format in Self.kept { reports[format] = facts?["reports"]?[format.rawValue]?.string }
    text = { texts[$0] }
  }

  /// The leaks as `sluice leaks --format json` prints them.
  ///
  /// - Throws: ``RunError`` where that is something else.
  func found() throws(RunError) -> FoundLeaks { try FoundLeaks(reports[.json] ?? "", of: world) }

  /// The report, in which nothing is more than text.
  func rendered(_ format: LeakFormat) throws(RunError) -> String {
    let report = reports[format] ?? ""
    switch format {
    case .text: return report.escapingUnprintable(except: ["\n"])
    case .json, .sarif, .junit: return report
    case .html: return try picture().page()
    }
  }

  /// The page of the leaks, without a run.
  func picture() throws(RunError) -> Picture {
    var picture = Picture(title: LeakFormat.title(of: world), reading: text)
    try found().add(to: &picture)
    return picture
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("world", world)
    writer.object("reports") { writer in
      for format in Self.kept {
        writer.member(named: format.rawValue) { $0.string(reports[format] ?? "") }
      }
    }
  }
}
