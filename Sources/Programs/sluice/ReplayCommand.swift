internal import ArgumentParser
internal import Diagnostics
internal import Policy
internal import Simulation

/// The format in which a replay is reported.
enum ReplayFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json
}

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract:
      "Decide a journal's requests anew: by this version of Sluice, or under other policies.",
    discussion: """
      Takes what the rules were asked from the journal, and asks them again. With --policy under other policies: what \
      of the journal's traffic would be refused or let through, by setting, app and account, with an \
      example and its line each. Nothing is changed; no process is started.

      Exit status: 0 every decision is what it was, 1 some are not, 2 there is no journal, or it or a policy cannot be \
      read, 64 usage.
      """)

  @Argument(
    help: "A journal, or the folder of a device, which has one.", completion: .runningDevices)
  var journal: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Policies as Microsoft Graph exports them, a file or a folder, in place of those that were in force; can be repeated. They are for the accounts that were under a policy.",
      valueName: "path"), completion: .file())
  var policy: [String] = []

  @Option(help: "Format of the report.")
  var format = ReplayFormat.text

  func run() throws {
    do throws(RunError) {
      let replay = try Replay(of: JournalArgument.path(journal))
      // The report says what becomes of policies without apps.
      let rollout =
        policy.isEmpty
        ? nil
        : Rollout(try PolicyArguments.documents(policy, besides: [.noApps, .emptyAssignments]))
      let report = try replay.report(under: rollout)
      print(format == .json ? report.json : report.text, terminator: "")
      if !report.isSame { Self.exit(withError: Failure.expectation) }
    } catch {
      throw Failure.report(error)
    }
  }
}
