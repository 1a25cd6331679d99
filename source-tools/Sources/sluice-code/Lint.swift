internal import ArgumentParser
internal import Encodings
internal import IntuneLint
internal import Output
internal import SwiftSources

struct Lint: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Find code that the SDK never calls, removed APIs, and missing calls.",
    discussion: """
      sluice code lint Sources/ --sdk 19.7.14..21.7.1

      A file that is nested too deeply, or exceeds its time limit, is an error; the other files are still checked. \
      Once a run exceeds its time limit, each remaining file is an error.

      Exit status: 0 no finding reaches --fail-on, 1 a finding does, 2 a file is not Swift, or a file cannot be read \
      or written, 64 usage.
      """)

  @Argument(help: "Swift files, or folders of them.", completion: .file())
  var source: [String]

  @Option(
    help: ArgumentHelp(
      "The SDK release that the app is built with, or FROM..TO to find code that an upgrade affects. "
        + "(default: \(APITable.builtIn.newest))",
      valueName: "version"),
    transform: { try SDKChoice($0) })
  var sdk = SDKChoice.pinned(APITable.builtIn.newest)

  @Option(help: "Format of the findings.")
  var format = ReportFormat.text

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "Also write the findings to this file. Can be repeated.", valueName: "format=path"))
  var outputs: [ReportFile] = []

  /// A value of `--fail-on`.
  enum Threshold: String, CaseIterable, ExpressibleByArgument {
    case note, warning, error, never
  }

  @Option(help: "The lowest severity that fails with status 1.")
  var failOn = Threshold.error

  func run() throws {
    let command = self
    try SourceTrial.withStack { try command.lint() }
  }

  private func lint() throws {
    if let caution = APITable.builtIn.caution(about: sdk.version) {
      StandardError.print("warning: --sdk \(caution)")
    }
    do {
      let reading = SourceReading(try SourceList(source), trying: Try.trial(for: .lint))
      let report = CodeLint(sdk: sdk).findings(in: reading.sources.map(\.source))
      for output in outputs { try output.write(report) }
      print(format.render(report), terminator: "")
      reading.faults.forEach(StandardError.print)
      if !reading.faults.isEmpty { throw Status.input }
      if let severity = Severity(rawValue: failOn.rawValue), report.hasFindings(from: severity) {
        throw Status.findings
      }
    } catch let error as SourceError {
      StandardError.print(error.diagnostic)
      throw Status.input
    }
  }
}

/// The hidden subcommand that `sluice run --code` runs to list the handled calls.
struct Handled: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "handled",
    abstract: "Print as JSON the places at which the code handles calls of the SDK.",
    shouldDisplay: false)

  @Argument(help: "Swift files, or folders of them.", completion: .file())
  var source: [String]

  func run() throws {
    let source = source
    try SourceTrial.withStack {
      do {
        let reading = SourceReading(try SourceList(source), trying: Try.trial(for: .lint))
        reading.faults.forEach(StandardError.print)
        guard reading.faults.isEmpty else { throw Status.input }
        var writer = JSONWriter()
        HandledCalls(in: reading.sources.map(\.source)).writeJSON(to: &writer)
        writer.endLine()
        print(writer.text, terminator: "")
      } catch let error as SourceError {
        StandardError.print(error.diagnostic)
        throw Status.input
      }
    }
  }
}
