internal import ArgumentParser
internal import Bundle
internal import JSON

struct BundleLint: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Look for what keeps Open-In, sharing and the SDK from working.",
    discussion: """
      A file that cannot be used is a finding, too, and the other files are looked into all the same.

      Exit status: 0 nothing as bad as --fail-on, 1 a finding as bad, 2 a file cannot be used, 64 usage.
      """)

  @OptionGroup var options: BundleOptions

  @Option(help: "Format of the findings.")
  var format = PolicyLint.Format.text

  @Option(help: "The least severity that exits with status 1.")
  var failOn = PolicyLint.Threshold.error

  func run() throws {
    let inputs: [Result<BundleInput, BundleError>]
    do throws(BundleError) {
      inputs = try options.inputs()
    } catch {
      throw Failure.report(error)
    }
    let report = BundleReport(
      inputs.flatMap { input in
        switch input {
        case .success(let input): BundleReport.findings(about: input)
        case .failure(let error): [BundleFinding(error)]
        }
      })
    print(rendered(report), terminator: "")
    if report.hasUnreadableFile { throw Failure.input }
    if let severity = BundleSeverity(rawValue: failOn.rawValue), report.hasFindings(from: severity)
    {
      throw Failure.expectation
    }
  }

  private func rendered(_ report: BundleReport) -> String {
    var writer = JSONWriter()
    switch format {
    case .text: return report.text
    case .json: report.writeJSON(to: &writer)
    case .sarif: report.writeSARIF(to: &writer)
    }
    writer.endLine()
    return writer.text
  }
}
