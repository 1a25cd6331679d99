internal import Adaptation
internal import ArgumentParser
internal import Foundation
internal import IntuneLint
internal import SwiftSources

/// The program that runs `sluice code`.
@main
struct SluiceCode: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sluice code",
    abstract: "Check Swift code that integrates the Intune App SDK, or adapt it to Linux.",
    subcommands: [Adapt.self, Lint.self, Handled.self, Try.self])
}

/// The hidden subcommand that the child process of ``SourceTrial`` runs.
struct Try: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "try",
    abstract: "Parse files from standard input, and report their errors on standard output.",
    shouldDisplay: false)

  @Argument var command: Command

  /// The command for which the files are parsed.
  enum Command: String, ExpressibleByArgument, CaseIterable {
    case adapt, lint
  }

  func run() throws {
    switch command {
    case .adapt: try SourceTrial.serve { _ = Adapter([$0]).adapt($0) }
    case .lint: try SourceTrial.serve { _ = CodeLint().findings(in: [$0]) }
    }
  }

  static func trial(for command: Command) -> SourceTrial {
    SourceTrial(
      URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath(),
      [configuration.commandName ?? "", command.rawValue])
  }
}
