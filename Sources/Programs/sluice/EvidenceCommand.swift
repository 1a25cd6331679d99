internal import Analysis
internal import ArgumentParser
internal import Encodings
internal import Foundation
internal import Output
internal import Policy
internal import Simulation

struct EvidenceCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "evidence",
    abstract: "Show how well public statements support a rule, a setting or a policy.",
    discussion: """
      sluice evidence printingBlocked

      Shows the public statements about a rule, a setting, a channel or a status, with their sources and the versions \
      that they are about. For a policy's file, shows the number of statements about each setting that it states. \
      Without an argument, shows the standing of every rule, and what no statement covers. docs/evidence.md explains \
      standings.

      Exit status: 0 shown, 2 there is no such subject, or the policy is invalid, 64 usage.
      """)

  @Argument(
    help: ArgumentHelp(
      "A rule, setting, channel or status, a file in evidence, or a policy. Default: all rules.",
      valueName: "subject"), completion: .file())
  var subject: String?

  @Option(help: "Format of the report.")
  var format = TextFormat.text

  @OptionGroup var output: OutputOptions<TextFormat>

  func perform() throws(RunError) {
    guard let subject else { return try write(EvidenceCoverage()) }
    if let topic = EvidenceTopic(named: subject) {
      return try output.write(format) { format, _ in
        switch format {
        case .text: topic.text
        case .json: topic.json
        }
      }
    }
    guard FileManager.default.fileExists(atPath: subject) else {
      throw RunError(
        .command,
        "no rule, setting, channel, status or file is called `\(subject)`"
          + Suggestion.nearest(to: subject, among: EvidenceTopic.names), rule: "subject")
    }
    try write(EvidenceCoverage(), of: try PolicyArguments.documents([subject]))
  }

  private func write(_ coverage: EvidenceCoverage) throws(RunError) {
    try output.write(format) { format, _ in
      switch format {
      case .text: coverage.text
      case .json: coverage.json
      }
    }
  }

  private func write(
    _ coverage: EvidenceCoverage, of policies: [PolicyDocument]
  ) throws(RunError) {
    try output.check(isNoneOf: policies.map(\.file))
    try output.write(format) { format, _ in
      switch format {
      case .text: policies.map(coverage.text).joined(separator: "\n")
      case .json:
        JSONWriter.objectLine { writer in
          writer.objects("policies", of: policies) { coverage.writeMembers(of: $1, to: &$0) }
        }
      }
    }
  }
}
