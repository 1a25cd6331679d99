internal import ArgumentParser
internal import Diagnostics
internal import Simulation
internal import Specification

struct ConfigLint: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Check configurations of a managed app against the specification that it ships.",
    discussion: """
      What looks wrong in the specification is said first. A configuration that cannot be used is a finding, \
      too, and the others are looked into all the same.

      Exit status: 0 nothing as bad as --fail-on, 1 a finding as bad, 2 a file cannot be used, 64 usage.
      """)

  @Argument(help: "Configurations: property lists, XML or binary, or JSON.", completion: .file())
  var files: [String]

  @Option(help: "The app's specification.", completion: .file())
  var against: String

  @OptionGroup var options: LintOptions

  func run() throws {
    let specification: AppSpecification
    do throws(RunError) {
      specification = try SpecificationFile.read(against)
    } catch {
      throw Failure.report(error)
    }
    let report = SpecificationReport(
      specification.findings + files.flatMap { findings(in: $0, against: specification) })
    print(options.format.render(report), terminator: "")
    if report.hasUnreadableFile { throw Failure.input }
    try options.failOn.check(report)
  }

  private func findings(
    in file: String, against specification: AppSpecification
  ) -> [SpecificationFinding] {
    do throws(RunError) {
      return ConfigurationLinter.lint(
        try InputFile.document(file), file: file, against: specification)
    } catch {
      return [.unreadable(file: file, reason: error.reason)]
    }
  }
}
