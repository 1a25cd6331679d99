internal import ArgumentParser
internal import Bundle
internal import Diagnostics

struct BundleLint: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Look for what keeps Open-In, sharing and the SDK from working.",
    discussion: """
      A file that cannot be used is a finding, too, and the other files are looked into all the same.

      Exit status: 0 nothing as bad as --fail-on, 1 a finding as bad, 2 a file cannot be used, 64 usage.
      """)

  @OptionGroup var options: BundleOptions

  @OptionGroup var lint: LintOptions

  func run() throws {
    let inputs = try options.inputs()
    let report = BundleReport(
      inputs.flatMap { input in
        switch input {
        case .success(let input): BundleReport.findings(about: input)
        case .failure(let error): [BundleFinding(error)]
        }
      })
    print(lint.format.render(report), terminator: "")
    if report.hasUnreadableFile { throw Failure.input }
    try lint.failOn.check(report)
  }
}
