internal import ArgumentParser
internal import Simulation

/// The options about the settings and rules that a run exercised.
struct CoverageOptions: ParsableArguments {
  @Flag(
    help: "Show which settings of the policies, and which rules, took part in a verdict.")
  var coverage = false

  @Option(help: "Write the coverage into this file, as JSON.", completion: .file())
  var coverageOutput: String?

  @Option(
    help: "Fail unless this share of the settings that the policies state took part, in percent.")
  var minCoverage: Int?

  /// Whether anything is asked about coverage.
  var isAsked: Bool { coverage || coverageOutput != nil || minCoverage != nil }

  func validate() throws {
    if let minCoverage, !(0...100).contains(minCoverage) {
      throw ValidationError("--min-coverage must be 0 to 100, found \(minCoverage)")
    }
  }

  /// Prints the coverage where it is asked for: after a text report, on standard error beside any other.
  ///
  /// - Throws: ``RunError`` where the file cannot be written.
  func print(_ covered: Coverage, beside format: ReportFormat) throws(RunError) {
    if coverage {
      if format == .text {
        Swift.print("\n" + covered.text, terminator: "")
      } else {
        Failure.print(String(covered.text.dropLast()))
      }
    }
    if let coverageOutput { try TextFile.write(covered.json, to: coverageOutput) }
  }

  /// Whether the run covered enough; prints an error where it did not.
  func isEnough(_ covered: Coverage) -> Bool {
    guard let minCoverage, covered.percent < minCoverage else { return true }
    Failure.print(
      "sluice: error: coverage is \(covered.percent) %, expected \(minCoverage) % [coverage]")
    return false
  }
}
