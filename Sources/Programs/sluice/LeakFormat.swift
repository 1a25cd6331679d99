internal import ArgumentParser
internal import Leaks
internal import Model
internal import Picture
internal import Simulation

/// The format in which leaks are printed.
enum LeakFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json, sarif, junit, html

  /// - Parameter world: the file of the world that was searched.
  func render(_ report: LeakReport, of world: String) -> String {
    switch self {
    case .text: report.text
    case .json: report.json
    case .sarif: LintOptions.Format.sarif.render(report.findings(in: world))
    case .junit: report.junit(of: world)
    case .html: Self.picture(of: report, world).page()
    }
  }

  /// The title of a page.
  static func title(of world: String) -> String { "Ways out of \(world)" }

  private static func picture(of report: LeakReport, _ world: String) -> Picture {
    var picture = Picture(title: title(of: world), reading: CitedFiles(.anywhere).text)
    let reasons = report.leaks.flatMap(\.hops).flatMap(\.verdicts).flatMap(\.reasons)
    picture.add(leaks: report.json, citing: reasons.compactMap(\.source))
    return picture
  }
}
