internal import ArgumentParser
internal import Foundation
internal import Simulation

struct Code: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "code",
    abstract: "Check Swift code that integrates the Intune App SDK, and adapt it to Linux.",
    subcommands: [CodeLintCommand.self, CodeAdaptCommand.self])
}

struct CodeLintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Find what the SDK never calls, no longer has, or waits for in vain.",
    discussion: """
      sluice code lint SOURCE… [--sdk VERSION] [--format text|json|sarif] [--output FORMAT=PATH]

      The sources are read, not compiled. `make code` builds the program that reads them.

      Exit status: 0 nothing found, 1 findings, 2 a file is no Swift, 64 usage.
      """)

  @Argument(parsing: .captureForPassthrough, help: "Options, and files and folders of Swift.")
  var arguments: [String] = []

  func run() throws { throw SourceTool.become("lint", arguments) }
}

struct CodeAdaptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "adapt",
    abstract: "Rewrite what needs Objective-C: `@objc`, `#selector` and optional requirements.",
    discussion: """
      sluice code adapt SOURCE… -o FOLDER

      All else stays byte for byte. `make code` builds the program that does it.

      Exit status: 0 written, 2 a file is no Swift or exists, 64 usage.
      """)

  @Argument(parsing: .captureForPassthrough, help: "Options, and files and folders of Swift.")
  var arguments: [String] = []

  func run() throws { throw SourceTool.become("adapt", arguments) }
}
