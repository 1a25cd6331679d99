internal import ArgumentParser
internal import Foundation
internal import Picture
@preconcurrency internal import Rainbow
internal import Scenario
internal import Simulation

/// The format in which a report is printed.
enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json, junit, tap, html, durations
}

/// The choice of coloured or plain text.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
  case auto, always, never
}

struct ReportOptions: ParsableArguments {
  @Option(help: "Format of the report on standard output.")
  var format = ReportFormat.text

  @Option(
    help: ArgumentHelp(
      "A report into a file too; without FORMAT the extension tells it. Can be repeated.",
      valueName: "format=path"),
    transform: { try FileOutput<ReportFormat>($0) })
  var output: [FileOutput<ReportFormat>] = []

  @Option(help: "Whether text is coloured.")
  var color = ColorChoice.auto

  @Flag(name: .shortAndLong, help: "Show the steps and reasons of passing cases too.")
  var verbose = false

  /// Prints the report, and writes it to the other outputs.
  ///
  /// - Parameter picture: the same as a page.
  /// - Throws: ``RunError`` where a file cannot be written.
  func print(_ report: Report, _ picture: () -> Picture) throws(RunError) {
    let detail = verbose ? ReportDetail.everything : .titles
    Swift.print(format.render(report, picture, color.palette, detail), terminator: "")
    for output in output { try output.write(output.format.render(report, picture, .plain, detail)) }
  }
}

extension ReportFormat {
  func render(
    _ report: Report, _ picture: () -> Picture, _ palette: Palette, _ detail: ReportDetail
  ) -> String {
    switch self {
    case .text: report.text(palette: palette, detail: detail)
    case .json: report.json()
    case .junit: report.junit()
    case .tap: report.tap()
    case .html: picture().page()
    case .durations: report.durations()
    }
  }
}

extension ColorChoice {
  /// The colours of text on standard output.
  var palette: Palette {
    switch self {
    case .always: .colored
    case .never: .plain
    case .auto: isatty(STDOUT_FILENO) == 1 && !Self.isUnwanted ? .colored : .plain
    }
  }

  /// Whether `NO_COLOR` has any value but an empty one (no-color.org).
  private static var isUnwanted: Bool {
    ProcessInfo.processInfo.environment["NO_COLOR"].map { !$0.isEmpty } ?? false
  }
}

extension Palette {
  fileprivate static var colored: Palette {
    Rainbow.enabled = true
    Rainbow.outputTarget = .console
    return Palette(good: { $0.green }, bad: { $0.red }, strong: { $0.bold }, faint: { $0.dim })
  }
}
