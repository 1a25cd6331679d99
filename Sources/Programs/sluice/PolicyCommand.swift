internal import Analysis
internal import ArgumentParser
internal import Encodings
internal import Foundation
internal import GraphDocuments
internal import JSON
internal import Output
internal import Policy
internal import Simulation

struct PolicyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "policy",
    abstract: "Inspect app protection policies, without running anything.",
    discussion: "docs/policy-commands.md shows what each prints.",
    subcommands: [
      PolicyShow.self, PolicyLint.self, PolicyDiff.self, PolicyCompareLog.self,
    ])
}

// MARK: - Show

private struct PolicyShow: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show what policies amount to, in the admin centre's words, and where it is stated.",
    discussion: """
      Every setting is listed: with file and line where a policy states it, else as `default`. Warnings about \
      policies go to standard error.

      Exit status: 0 shown, 2 a policy is invalid, 64 usage.
      """)

  /// The view of a policy to show.
  enum Perspective: String, CaseIterable, ExpressibleByArgument {
    case adminCentre = "admin-centre"
    case deviceLog = "device-log"
  }

  @Argument(
    help: "Policies as Microsoft Graph exports them, or folders of them.", completion: .file())
  var paths: [String]

  @Flag(help: "Show one policy: of each setting the most restrictive value.")
  var merged = false

  @Option(
    name: .customLong("as"),
    help: "What to show: the admin centre's pages, or what the SDK writes into a device's log.")
  var perspective = Perspective.adminCentre

  @Option(help: "Format of the admin centre's pages; a device's log has its own.")
  var format = TextFormat.text

  func perform() throws(RunError) {
    let documents = try PolicyArguments.documents(paths)
    switch perspective {
    case .adminCentre: show(documents)
    case .deviceLog: for one in settings(of: documents) { log(one) }
    }
  }

  private func show(_ documents: [PolicyDocument]) {
    let views =
      merged ? [PolicyView(merging: documents)] : documents.map { PolicyView(of: $0) }
    switch format {
    case .text: print(views.map(\.text).joined(separator: "\n"), terminator: "")
    case .json:
      var writer = JSONWriter()
      for view in views {
        view.write(to: &writer)
        writer.endLine()
      }
      print(writer.text, terminator: "")
    }
  }

  private func settings(of documents: [PolicyDocument]) -> [Settings] {
    merged ? [EffectivePolicy.merging(documents).settings] : documents.map(\.settings)
  }

  private func log(_ settings: Settings) {
    print(DeviceLog.text(of: settings), terminator: "")
  }
}

// MARK: - Lint

private struct PolicyLint: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Look for mistakes in policies: omissions, contradictions, settings without effect.",
    discussion: """
      A file that cannot be used is a finding, too, and the other files are looked into all the same; so is a \
      folder that holds no policy for iOS.

      Exit status: 0 nothing as bad as --fail-on, 1 a finding as bad, 2 a file or folder cannot be used, 64 \
      usage.
      """)

  @Argument(
    help: "Policies as Microsoft Graph exports them, or folders of them.", completion: .file())
  var paths: [String]

  @OptionGroup var options: LintOptions

  func run() throws {
    let report = LintReport(paths.flatMap { Self.findings(in: $0) })
    print(options.format.render(report), terminator: "")
    if report.hasUnreadableFile { throw Failure.input }
    try options.failOn.check(report)
  }

  private static func findings(inFile file: String) -> [LintFinding] {
    do throws(RunError) {
      let bytes = try InputFile.document(file)
      if let mistake = PolicyFiles.mistake(bytes, file: file) { throw mistake }
      return Linter.lint(bytes, file: file)
    } catch {
      return [.unreadable(file: file, reason: error.reason)]
    }
  }

  private static func findings(in path: String) -> [LintFinding] {
    guard let input = InputFolder(path) else { return findings(inFile: path) }
    let folder = ExportFolder(name: path)
    var unreadable: [LintFinding] = []
    var files: [ExportFolder.File] = []
    for name in folder.candidates(among: input.names) {
      do throws(RunError) {
        files.append(try input.read(name))
      } catch {
        let file = "\(folder.name)/\(name)"
        unreadable.append(.unreadable(file: file, reason: error.reason))
      }
    }
    return unreadable + Linter.lint(folder.survey(files, beside: input.scripts(of: folder)))
  }
}

// MARK: - Diff

private enum DiffFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json, html
}

private struct PolicyDiff: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show which flows become possible, and which impossible, from one policy to another.",
    discussion: """
      Each difference comes with the settings that make it and with a request of `sluice decide` that both \
      policies answer differently. Every managed account counts as under the policy, whatever it targets. \
      No process is started.

      Where a file or folder holds several policies, those of both sides are paired by id, then by display name, \
      and what is on one side only is added or removed.

      Exit status: 0 all flows are decided alike, 1 some are not, or a policy is added or removed, 2 a policy is \
      invalid, 64 usage.
      """)

  @Argument(
    help: "The current policy, as Microsoft Graph exports it, or a folder of policies.",
    completion: .file())
  var old: String

  @Argument(help: "The new policy.", completion: .file())
  var new: String

  @Option(help: "Compare the policy of this display name only.")
  var name: String?

  @Option(help: "Format of the comparison.")
  var format = DiffFormat.text

  func perform() throws(RunError) {
    let (before, after) = (try documents(old), try documents(new))
    guard before.count == 1, after.count == 1 else {
      let comparison = PolicySetComparison(before, after)
      print(render(comparison), terminator: "")
      return finish(comparison.isSameBehaviour)
    }
    let pair = PolicySetComparison.Pair(before[0], after[0])
    print(render(pair), terminator: "")
    finish(pair.comparison.isSameBehaviour)
  }

  private func finish(_ isSame: Bool) {
    if !isSame { PolicyDiff.exit(withError: Failure.expectation) }
  }

  private func render(_ comparison: PolicySetComparison) -> String {
    switch format {
    case .text: comparison.text(old: old, new: new)
    case .json: comparison.json(old: old, new: new)
    case .html: comparison.html(old: old, new: new)
    }
  }

  private func render(_ pair: PolicySetComparison.Pair) -> String {
    let names = [pair.old, pair.new].map { "\($0.displayName) (\($0.file))" }
    return switch format {
    case .text: pair.comparison.text(old: names[0], new: names[1])
    case .json: pair.comparison.json(old: pair.old.file, new: pair.new.file)
    case .html: pair.html()
    }
  }

  /// Loads all policies of a file or folder, or those with the given name.
  ///
  /// - Throws: ``RunError`` if a policy cannot be read, or if none has the name.
  private func documents(_ path: String) throws(RunError) -> [PolicyDocument] {
    let all = try PolicyFiles.load(path)
    let documents = name.map { name in all.filter { $0.displayName == name } } ?? all
    guard !documents.isEmpty else {
      let names = all.map { "`\($0.displayName)`" }.joined(separator: ", ")
      throw RunError(
        .file(path), "there is no policy `\(name ?? "")`; there are \(names)", rule: "name")
    }
    for warning in documents.flatMap(\.warnings) { Failure.print("\(warning)") }
    return documents
  }
}

// MARK: - Comparison with a log

private struct PolicyCompareLog: ReportingCommand {
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

  func perform() throws(RunError) {
    let comparison = try compare()
    let isIncomplete = comparison.missingNames > 0 && !allowMissing
    if isIncomplete { Failure.print(incompleteness(of: comparison)) }
    print(rendered(comparison), terminator: "")
    if comparison.hasDifferences || isIncomplete { Self.exit(withError: Failure.expectation) }
  }

  private func incompleteness(of comparison: LogComparison) -> String {
    let count = comparison.missingNames
    return Diagnostic(
      .path(log),
      "\(count.counting("setting")) of the policy could not be compared: the log lacks "
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

// MARK: - Arguments

/// The option of commands that decide under policies.
struct PolicyOption: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: "A policy as Microsoft Graph exports it, or a folder of exports; can be repeated.",
    completion: .file())
  var policy: [String]
}

/// Policies named on the command line.
enum PolicyArguments {
  /// Loads the policies of all files and prints their warnings to standard error.
  ///
  /// - Parameter codes: the warnings to omit.
  /// - Throws: ``RunError`` if a policy cannot be read.
  static func documents(
    _ paths: [String], besides codes: Set<PolicyWarningCode> = []
  ) throws(RunError) -> [PolicyDocument] {
    let documents = try PolicyFiles.load(paths)
    for warning in documents.flatMap(\.warnings) where !codes.contains(warning.code) {
      Failure.print("\(warning)")
    }
    return documents
  }
}
