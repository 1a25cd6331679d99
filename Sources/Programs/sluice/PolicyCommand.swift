internal import Analysis
internal import ArgumentParser
internal import Directory
internal import Encodings
internal import GraphDocuments
internal import Output
internal import Policy
internal import Simulation
internal import Studio
internal import Tenants

struct PolicyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "policy",
    abstract: "Inspect app protection policies: show, lint, compare them with each other or a log.",
    discussion: "docs/policy-commands.md shows what each command prints. No process is started.",
    subcommands: [
      PolicyShow.self, PolicyLint.self, PolicyDiff.self, PolicyCompareLog.self,
    ])
}

// MARK: - Show

private struct PolicyShow: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract:
      "Show all settings of policies as the admin centre does, with the lines that state them.",
    discussion: """
      A setting that a policy does not state is marked `default`. Warnings about policies go to standard error.

      Exit status: 0 shown, 2 a policy is invalid, 64 usage.
      """)

  /// The form in which a policy is shown: the pages of the admin centre, or the log lines of the SDK.
  enum Perspective: String, CaseIterable, ExpressibleByArgument {
    case adminCentre = "admin-centre"
    case deviceLog = "device-log"
  }

  @Argument(
    help: "Policies as Microsoft Graph exports them, or folders of them.", completion: .file())
  var paths: [String]

  @Flag(help: "Show the policies as one, with the most restrictive value of each setting.")
  var merged = false

  @Option(
    name: .customLong("as"),
    help: "What to show: the admin centre's pages, or the lines that the SDK logs on a device.")
  var perspective = Perspective.adminCentre

  @Option(help: "Format of the admin centre's pages. A device's log has its own.")
  var format = TextFormat.text

  @OptionGroup var output: OutputOptions<TextFormat>

  func perform() throws(RunError) {
    let documents = try PolicyArguments.documents(paths)
    try output.check(isNoneOf: documents.map(\.file))
    try output.write(format) { format, _ in
      switch perspective {
      case .adminCentre: pages(of: documents, as: format)
      case .deviceLog: settings(of: documents).map(DeviceLog.text).joined()
      }
    }
  }

  private func pages(of documents: [PolicyDocument], as format: TextFormat) -> String {
    let views =
      merged ? [PolicyView(merging: documents)] : documents.map { PolicyView(of: $0) }
    switch format {
    case .text: return views.map(\.text).joined(separator: "\n")
    case .json: return views.map { view in JSONWriter.line { view.write(to: &$0) } }.joined()
    }
  }

  private func settings(of documents: [PolicyDocument]) -> [Settings] {
    merged ? [EffectivePolicy.merging(documents).settings] : documents.map(\.settings)
  }
}

// MARK: - Lint

private struct PolicyLint: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Find omissions, contradictions and settings without effect in policies.",
    discussion: """
      A file that cannot be read, or a folder without a policy for iOS, is a finding; the others are still \
      checked.

      Exit status: 0 no finding reaches --fail-on, 1 a finding does, 2 a file or folder cannot be used, 64 usage.
      """)

  @Argument(
    help: "Policies as Microsoft Graph exports them, or folders of them.", completion: .file())
  var paths: [String]

  @OptionGroup var options: LintOptions

  func run() throws {
    let report = LintReport(paths.flatMap { Self.findings(in: $0) })
    try options.write(report)
    if report.hasUnreadableFile { throw Failure.input }
    try options.check(report)
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

private struct PolicyDiff: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show which flows a new policy allows or blocks that the old one did not.",
    discussion: """
      sluice policy diff before.json after.json

      Each difference has the settings that cause it, and a request of `sluice decide` that the policies answer \
      differently. Every managed account counts as under the policy, whatever it targets. No process is started.

      The policies of two folders are paired by id, then by display name. A policy on one side only is added or \
      removed.

      sluice policy diff before/ after/ --user anna@contoso.com
      sluice policy diff --tenant exports/ --set 'Printing Org data=Block'

      If both folders are exports with users, or with an option about a tenant, the policies that each class of users \
      has are compared. The second tenant can be the first with proposed changes.

      Exit status: 0 all flows are decided alike, 1 some are not, a policy is added or removed, or a tenant has other \
      users, 2 a policy is invalid, 64 usage.
      """)

  @Argument(
    help: "The old policy, as Microsoft Graph exports it, or a folder of policies.",
    completion: .file())
  var old: String?

  @Argument(help: "The new policy, or a folder of policies.", completion: .file())
  var new: String?

  @OptionGroup var tenant: TenantOptions

  @OptionGroup var device: TenantDeviceOption

  @OptionGroup var whatIf: WhatIfOptions

  @Option(help: "Compare only the policies with this display name.")
  var name: String?

  @Option(help: "Format of the comparison.")
  var format = TextOrPageFormat.text

  @OptionGroup var output: OutputOptions<TextOrPageFormat>

  func validate() throws {
    if let folder = tenant.tenant {
      if let old {
        throw ValidationError("--tenant \(folder) states the policies: leave out `\(old)`")
      }
      guard !whatIf.changes.isEmpty else {
        throw ValidationError(
          "--tenant needs a proposed change, such as --set, to compare with; or name two folders instead"
        )
      }
    } else {
      guard old != nil else {
        throw ValidationError("Missing expected argument '<old>'")
      }
      guard new != nil || !whatIf.changes.isEmpty else {
        throw ValidationError("Missing expected argument '<new>'")
      }
      guard new == nil || whatIf.changes.isEmpty else {
        throw ValidationError(
          "`<new>` and proposed changes, such as --set, exclude each other: "
            + "name `<new>` to compare two policies, or propose changes to `<old>`")
      }
    }
    if name != nil, isAboutTenant {
      throw ValidationError(
        "--name selects policies of two folders: leave out the options about a tenant")
    }
  }

  /// Whether the command line has an option that needs a tenant.
  private var isAboutTenant: Bool {
    tenant.tenant != nil || tenant.user != nil || device.device != nil || !whatIf.changes.isEmpty
  }

  func perform() throws(RunError) {
    if isAboutTenant { return try compareTenants() }
    guard let old, let new else { return }
    if name == nil, Self.isExportWithUsers(old), Self.isExportWithUsers(new) {
      return try compareTenants()
    }
    try comparePolicies(old, new)
  }

  // MARK: Tenants

  /// Returns whether the folder at `path` contains users, and policies whose assignments use groups, exclusions or
  /// filters.
  private static func isExportWithUsers(_ path: String) -> Bool {
    guard InputFolder(path) != nil, let tenant = try? TenantFiles.load(path) else { return false }
    return !tenant.directory.users.isEmpty && tenant.policies.contains(where: \.dependsOnDirectory)
  }

  private func compareTenants() throws(RunError) {
    let export = try Tenant.load(tenant.tenant ?? old ?? "")
    let device = try device.stated(in: export)
    let changed: Tenant
    if let new {
      changed = try Tenant.load(new)
      if let user = tenant.user, export.directory.user(user) == nil {
        _ = try changed.user(named: user)
      }
    } else {
      let user = try tenant.user.map { name throws(RunError) in try export.user(named: name) }
      changed = try whatIf.changed(export, user: user, on: device ?? TenantDevice())
    }
    for tenant in [export, changed] where tenant.directory.users.isEmpty { throw tenant.noUsers }
    let difference = TenantDiff(
      export, changed, called: new == nil ? whatIf.title(of: export.folder) : nil,
      user: tenant.user, devices: device.map { [$0] }
    ).ofProtection
    if difference.disabledUsers.isEmpty {
      changed.noteDisabledAccount(of: tenant.user.flatMap { changed.directory.user($0) })
    }
    try output.check(isNoneOf: (export.policies + changed.policies).map(\.file))
    try output.write(format) { format, _ in
      switch format {
      case .text: difference.text
      case .json: difference.json
      case .html: difference.html
      }
    }
    finish(difference.isEmpty)
  }

  // MARK: Policies

  private func comparePolicies(_ old: String, _ new: String) throws(RunError) {
    let (before, after) = (try documents(old), try documents(new))
    try output.check(isNoneOf: (before + after).map(\.file))
    guard before.count == 1, after.count == 1 else {
      let comparison = PolicySetComparison(before, after)
      try output.write(format) { format, _ in render(comparison, old, new, as: format) }
      return finish(comparison.isSameBehaviour)
    }
    let pair = PolicySetComparison.Pair(before[0], after[0])
    try output.write(format) { format, _ in render(pair, as: format) }
    finish(pair.comparison.isSameBehaviour)
  }

  private func finish(_ isSame: Bool) {
    if !isSame { PolicyDiff.exit(withError: Failure.expectation) }
  }

  private func render(
    _ comparison: PolicySetComparison, _ old: String, _ new: String, as format: TextOrPageFormat
  ) -> String {
    switch format {
    case .text: comparison.text(old: old, new: new)
    case .json: comparison.json(old: old, new: new)
    case .html: comparison.html(old: old, new: new, beginning: Self.sentences)
    }
  }

  private func render(_ pair: PolicySetComparison.Pair, as format: TextOrPageFormat) -> String {
    let names = [pair.old, pair.new].map { "\($0.displayName) (\($0.file))" }
    return switch format {
    case .text: pair.comparison.text(old: names[0], new: names[1])
    case .json: pair.comparison.json(old: pair.old.file, new: pair.new.file)
    case .html: pair.html(beginning: Self.sentences(of: pair))
    }
  }

  /// Returns sentences that state the changes, as in `sluice studio`. The pages call the old policy A and the new one
  /// B.
  private static func sentences(of pair: PolicySetComparison.Pair) -> [String] {
    ComparisonSummary(from: pair.old, to: pair.new, called: "B (\(pair.new.displayName))").changes
  }

  /// Loads the policies in a file or folder. With `--name`, returns only the policies with this name, and throws an
  /// error if there are none.
  private func documents(_ path: String) throws(RunError) -> [PolicyDocument] {
    let all = try PolicyFiles.load(path)
    let documents = name.map { name in all.filter { $0.displayName == name } } ?? all
    guard !documents.isEmpty else {
      let names = all.map { "`\($0.displayName)`" }.joined(separator: ", ")
      throw RunError(
        .file(path), "no policy is called `\(name ?? "")`; the policies are \(names)", rule: "name")
    }
    for warning in documents.flatMap(\.warnings) { Failure.print("\(warning)") }
    return documents
  }
}

// MARK: - Comparison with a log

private struct PolicyCompareLog: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare-log",
    abstract: "Compare a policy with the settings in a device's diagnostic log.",
    discussion: """
      The names that the Intune App SDK logs are found in any surrounding text. Each policy in the log is compared. \
      Several policies in the policy's file count as one with the most restrictive values.

      Versions of the SDK log different names. With --allow-missing, missing names are not differences.

      Exit status: 0 no value differs, 1 a value differs or is missing from the log, 2 the policy or the log is \
      invalid, 64 usage.
      """)

  @Argument(help: "A policy as Microsoft Graph exports it.", completion: .file())
  var policy: String

  @Argument(help: "The device's log, or - for standard input.", completion: .file())
  var log: String

  @Flag(help: "Ignore names that are missing from the log.")
  var allowMissing = false

  @Option(help: "Format of the comparison.")
  var format = TextFormat.text

  @OptionGroup var output: OutputOptions<TextFormat>

  func perform() throws(RunError) {
    let comparison = try compare()
    let isIncomplete = comparison.missingNames > 0 && !allowMissing
    if isIncomplete { Failure.print(incompleteness(of: comparison)) }
    try output.write(
      format, text: comparison.text(logFile: log),
      json: JSONWriter.line { comparison.write(to: &$0) })
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
        "the log has no setting of the Intune App SDK; expected lines such as `AppSharingToLevel = 1`",
        rule: "log")
    }
    return comparison
  }

  private func effective(_ documents: [PolicyDocument]) -> EffectivePolicy {
    guard let document = documents.first, documents.count == 1 else {
      return EffectivePolicy.merging(documents)
    }
    return document.effective
  }
}

// MARK: - Arguments

extension ArgumentHelp {
  /// Returns the help text of an option `--policy`.
  ///
  /// - Parameter detail: A sentence that is appended to the help text.
  static func policies(_ detail: String) -> ArgumentHelp {
    ArgumentHelp(
      "A policy as Microsoft Graph exports it, or a folder of exports; can be repeated. \(detail)",
      valueName: "path")
  }
}

enum PolicyArguments {
  /// Loads the policies at the paths, and prints their warnings to standard error, except warnings with one of `codes`.
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
