internal import Analysis
internal import ArgumentParser
internal import Diagnostics
internal import Foundation
internal import Model
internal import Policy
internal import Simulation

struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain the verdict on one transfer, or which policy applies to whom in an app.",
    subcommands: [ExplainTransfer.self, ExplainDeviceState.self],
    defaultSubcommand: ExplainTransfer.self)
}

struct ExplainTransfer: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transfer",
    abstract: "Explain the verdict on one transfer: the rules in order, and what would change it.",
    discussion: """
      The transfer is given by options or, without --channel, as requests of `sluice decide` on standard \
      input, one a line (docs/decide.md). No process is started.

      Exit status: 0 explained, 2 a policy or a request is invalid, or no policy targets an app in which an account \
      is named, 64 usage.
      """)

  @Option(
    name: .shortAndLong,
    help: "A policy as Microsoft Graph exports it, or a folder of exports; can be repeated.",
    completion: .file())
  var policy: [String]

  @OptionGroup var transfer: TransferOptions

  func run() throws {
    do throws(RunError) {
      var documents: [PolicyDocument] = []
      for path in policy { documents += try PolicyFiles.load(path) }
      for warning in documents.flatMap(\.warnings) { Failure.print("\(warning)") }
      var decider = Decider(documents)
      if let line = transfer.line {
        if transfer.isForNobody { Failure.print(Self.hint) }
        return try explain(line, by: &decider)
      }
      try explainInput(&decider)
    } catch {
      throw Failure.report(error)
    }
  }

  /// The reason why no policy has a say where no account is named; policies do not list accounts.
  private static let hint =
    "sluice: note: no account is named, so that no policy applies; name one with --account, such as "
    + "--account anna@contoso.com [account]"

  func validate() throws {
    guard transfer.line == nil, isatty(STDIN_FILENO) == 1 else { return }
    throw ValidationError("name a transfer by --channel, or write requests to standard input.")
  }

  /// Explains the transfer that options state.
  private func explain(_ line: String, by decider: inout Decider) throws(RunError) {
    do throws(RunError) {
      let (request, verdict) = try decider.explain(line, number: 1)
      if let notice = decider.notice { print("notice: \(notice)\n") }
      print(verdict.text(on: request), terminator: "")
    } catch {
      // The options are no line of a file.
      guard let message = decider.mistakenApp() else { throw error }
      let missing = transfer.app == nil ? "--app is missing; " : ""
      throw RunError(
        .command,
        missing + message
          + "; --managed asks as if the policies applied, --unmanaged as if none did",
        rule: Decider.appRule)
    }
  }

  private func explainInput(_ decider: inout Decider) throws(RunError) {
    var number = 0
    var hasAnswered = false
    while let line = readLine() {
      number += 1
      guard line.contains(where: { !$0.isWhitespace }) else { continue }
      let (request, verdict) = try decider.explain(line, number: number)
      if hasAnswered { print() }
      if let notice = decider.notice { print("notice: \(notice)\n") }
      print(verdict.text(on: request), terminator: "")
      hasAnswered = true
    }
  }
}
