internal import ArgumentParser
internal import Diagnostics
internal import Inspection
internal import JSON
internal import Policy
internal import Simulation

struct PolicyCompareLog: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare-log",
    abstract: "Compare a policy with the diagnostic log of a device.",
    discussion: """
      The log may be pasted with anything around: the names that the Intune App SDK logs are found in it. Where \
      it holds several policies, one after another, each is compared. Several policies in the policy's file count \
      as one with the most restrictive values.

      A log that lacks names is compared in part. SDKs of other versions log other names: --allow-missing takes \
      what is there.

      Exit status: 0 no value differs, 1 a value differs or is missing from the log, 2 the policy or the log is \
      invalid, 64 usage.
      """)

  @Argument(help: "A policy as Microsoft Graph exports it.", completion: .file())
  var policy: String

  @Argument(help: "The device's log, or - for standard input.", completion: .file())
  var log: String

  @Flag(help: "Names that are missing from the log do not fail the comparison.")
  var allowMissing = false

  @Option(help: "Format of the comparison.")
  var format = TextFormat.text

  func run() throws {
    do throws(RunError) {
      let comparison = try compare()
      let isIncomplete = comparison.missingNames > 0 && !allowMissing
      if isIncomplete { Failure.print(incompleteness(of: comparison)) }
      print(rendered(comparison), terminator: "")
      if comparison.hasDifferences || isIncomplete { Self.exit(withError: Failure.expectation) }
    } catch {
      throw Failure.report(error)
    }
  }

  private func incompleteness(of comparison: LogComparison) -> String {
    let count = comparison.missingNames
    return Diagnostic(
      .path(log),
      "\(count) setting\(count == 1 ? "" : "s") of the policy could not be compared: the log lacks "
        + "\(count == 1 ? "its name" : "their names"); get the whole log, or accept that with `--allow-missing`",
      rule: "log", severity: .warning
    ).description
  }

  private func compare() throws(RunError) -> LogComparison {
    let documents = try PolicyArguments.documents([policy])
    let text = log == "-" ? Array(try InputFile.standardInput().utf8) : try InputFile.document(log)
    guard let comparison = LogComparison(of: effective(documents), with: text) else {
      throw RunError(
        .file(log),
        "the log has none of the names that the Intune App SDK logs, such as `AppSharingToLevel` with `=` or `:` "
          + "and a number", rule: "log")
    }
    return comparison
  }

  private func effective(_ documents: [PolicyDocument]) -> EffectivePolicy {
    guard let document = documents.first, documents.count == 1 else {
      return EffectivePolicy.merging(documents)
    }
    return EffectivePolicy(settings: document.settings, origins: document.origins)
  }

  private func rendered(_ comparison: LogComparison) -> String {
    switch format {
    case .text: return comparison.text(logFile: log)
    case .json: return JSONWriter.line { comparison.write(to: &$0) }
    }
  }
}
