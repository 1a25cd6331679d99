internal import Analysis
internal import ArgumentParser
internal import Encodings
internal import FieldKit
internal import Foundation
internal import Model
internal import Output
internal import Policy
internal import Simulation

struct EvidenceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evidence",
    abstract: "Show how well public statements support a rule, a setting or a policy.",
    discussion: """
      sluice evidence printingBlocked

      Without a subcommand, a subject is shown; `sluice evidence show --help` lists the options.
      """,
    subcommands: [EvidenceShow.self, EvidenceAdd.self], defaultSubcommand: EvidenceShow.self)
}

// MARK: - Showing

private struct EvidenceShow: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the public statements about a rule, a setting or a policy.",
    discussion: """
      sluice evidence show printingBlocked

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
      return try output.write(format, text: topic.text, json: topic.json)
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
    try output.write(format, text: coverage.text, json: coverage.json)
  }

  private func write(
    _ coverage: EvidenceCoverage, of policies: [PolicyDocument]
  ) throws(RunError) {
    try output.check(isNoneOf: policies.map(\.file))
    try output.write(
      format, text: policies.map(coverage.text).joined(separator: "\n"),
      json: JSONWriter.objectLine { writer in
        writer.objects("policies", of: policies) { coverage.writeMembers(of: $1, to: &$0) }
      })
  }
}

// MARK: - Field kit

extension Experiment.Need: ExpressibleByArgument {}

struct FieldKitCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "field-kit",
    abstract: "Choose the experiments on a phone that settle contested and assumed rules.",
    discussion: """
      sluice field-kit -o kit.html -o form.yaml --policy-dir policies

      The kit is the smallest set of experiments that distinguishes Sluice from all known alternatives to open rules. \
      The page has the steps and the meaning of each observation, the form a place for each observation, and the \
      folder the policies to import with Microsoft Graph. `sluice evidence add` reads the completed form. \
      docs/evidence.md explains the kit.

      Exit status: 0 written, 2 no experiment settles the rules, or a file cannot be written, 64 usage.
      """)

  private enum Format: String, OutputFormat {
    case text, html, yaml
  }

  @Argument(help: "The rules to settle. Default: all open rules.")
  var rules: [String] = []

  @Option(
    help: ArgumentHelp(
      "Leave out experiments that need this. Can be repeated.", valueName: "need"))
  var without: [Experiment.Need] = []

  @Option(
    help: ArgumentHelp("Write the policies to this folder, which may exist.", valueName: "folder"),
    completion: .directory)
  var policyDir: String?

  @Option(help: "Format of the kit: a list, the page or the form.")
  private var format = Format.text

  @OptionGroup private var output: OutputOptions<Format>

  func perform() throws(RunError) {
    let kit = try kit()
    if let policyDir { try write(kit.policies, to: policyDir) }
    try output.write(format) { format, _ in
      switch format {
      case .text: kit.text
      case .html: kit.html
      case .yaml: kit.form
      }
    }
  }

  private func kit() throws(RunError) -> FieldKit {
    var known: Set<Rule> = []
    for name in rules {
      guard let rule = Rule(rawValue: name) else {
        throw RunError(
          .command,
          "no rule is called `\(name)`"
            + Suggestion.nearest(to: name, among: Rule.allCases.map(\.rawValue)), rule: "rule")
      }
      known.insert(rule)
    }
    let kit = FieldKit(about: known.isEmpty ? nil : known, without: Set(without))
    guard !kit.experiments.isEmpty else {
      throw RunError(
        .command, "no experiment settles these rules; `sluice field-kit` lists all experiments",
        rule: "rule")
    }
    return kit
  }

  private func write(_ policies: [KitPolicy], to folder: String) throws(RunError) {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw RunError(.path(folder), "cannot create the folder", rule: "folder")
    }
    for policy in policies { try TextFile.write(policy.json, to: "\(folder)/\(policy.name).json") }
  }
}

private struct EvidenceAdd: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Write the statements that follow from a completed form of the field kit.",
    discussion: """
      sluice evidence add form.yaml

      Shows the rules that the observations confirm or refute, and writes a file for each observation: to \
      evidence/field if Sluice decides as observed, otherwise to evidence-open/field. If a file exists, nothing is \
      written.

      With diagnostic logs of the phone, the policy of each experiment must be in force in one of them. The \
      command then also writes a statement for each policy, with the logged values of its settings and nothing else \
      from the log.

      Exit status: 0 written, 2 the form is invalid or a file cannot be written, 64 usage.
      """)

  @Argument(help: "The completed form.", completion: .file(extensions: ["yaml"]))
  var form: String

  @Option(
    help: ArgumentHelp(
      "A diagnostic log of the phone. Can be repeated.", valueName: "file"),
    completion: .file())
  var log: [String] = []

  @Option(help: "The folder that contains evidence and evidence-open.", completion: .directory)
  var folder = "."

  func perform() throws(RunError) {
    let completed: CompletedForm
    let text = try InputFile.documentText(form)
    var logs: [DiagnosticLog] = []
    for file in log { logs.append(DiagnosticLog(try InputFile.document(file), file: file)) }
    do throws(FormErrors) {
      completed = try CompletedForm(text, file: form, logs: logs)
    } catch {
      throw RunError(error.diagnostics)
    }
    let statements = completed.statements
    let prefix = folder == "." ? "" : "\(folder)/"
    var files = NewFiles(prefix: prefix)
    try files.begin(statements.map { Scaffold.File(path: $0.path, text: $0.text) })
    print(completed.text)
    for statement in statements { print(prefix + statement.path) }
  }
}
