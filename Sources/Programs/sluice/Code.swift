internal import ArgumentParser
internal import Encodings
internal import Foundation
internal import Output
internal import Simulation

struct Code: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "code",
    abstract: "Check Swift code that integrates the Intune App SDK, or adapt it to Linux.",
    subcommands: [CodeLintCommand.self, CodeAdaptCommand.self])
}

private struct CodeLintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Find code that the SDK never calls, removed APIs, and missing calls.",
    discussion: """
      sluice code lint SOURCE… [--sdk VERSION|FROM..TO] [--format text|json|sarif] [--output FORMAT=PATH] \
      [--fail-on note|warning|error|never]

      --sdk FROM..TO finds code that an upgrade of the SDK affects.

      The sources are read, not compiled. `make code` builds the reader.

      Exit status: 0 no finding reaches --fail-on (by default error), 1 a finding does, 2 a file is not Swift, or a \
      file cannot be read or written, 64 usage.
      """)

  @Argument(parsing: .captureForPassthrough, help: "Options, and Swift files or folders of them.")
  var arguments: [String] = []

  func run() throws { throw SourceTool.become("lint", arguments) }
}

private struct CodeAdaptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "adapt",
    abstract:
      "Rewrite `@objc`, `#selector` and optional requirements for Swift without Objective-C.",
    discussion: """
      sluice code adapt SOURCE… -o FOLDER

      Everything else is copied byte for byte. `make code` builds the rewriter.

      Exit status: 0 written, 2 a file is not Swift, or an output file exists or cannot be written, 64 usage.
      """)

  @Argument(parsing: .captureForPassthrough, help: "Options, and Swift files or folders of them.")
  var arguments: [String] = []

  func run() throws { throw SourceTool.become("adapt", arguments) }
}

// MARK: - The program

/// Runs the program `sluice-code`, which parses Swift sources. It is a separate program because its parser takes
/// minutes to compile.
enum SourceTool {
  /// Replaces this process by `sluice-code`. Signals then go to that program, and its exit status is the command's.
  ///
  /// - Returns: The exit status if the program cannot be started. The error has already been printed.
  static func become(_ command: String, _ arguments: [String]) -> ExitCode {
    do throws(RunError) {
      let path = try path()
      var words = ([path, command] + arguments).map { strdup($0) as UnsafeMutablePointer<CChar>? }
      words.append(nil)
      execv(path, words)
      throw RunError(
        .command, "`\(path)` cannot be started: \(String(cString: strerror(errno)))",
        rule: "installation", origin: .own)
    } catch {
      return Failure.report(error)
    }
  }

  private static func path() throws(RunError) -> String {
    let path = Installation.own.programs + "/sluice-code"
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw RunError(
        .command, "`\(path)` is missing; `make code` builds it from Sluice's sources",
        rule: "installation")
    }
    return path
  }

  /// Returns the places where the sources handle calls from the SDK, in the program's JSON format.
  ///
  /// - Throws: ``RunError`` if the program does not exist, or a source cannot be read. The program has already printed
  ///   the reason.
  static func handled(by sources: [String]) throws(RunError) -> JSONValue {
    let output = Pipe()
    let process = try start("handled", sources) { $0.standardOutput = output }
    let text = output.fileHandleForReading.readDataToEndOfFile()
    guard status(of: process) == 0, let value = try? JSONReader.read(Array(text)) else {
      throw RunError(.command, "the sources that `--code` names cannot be read", rule: "code")
    }
    return value
  }

  /// Runs `sluice-code` with a command, and returns its exit status.
  static func status(of command: String, _ arguments: [String]) throws(RunError) -> Int32 {
    status(of: try start(command, arguments) { _ in })
  }

  private static func start(
    _ command: String, _ arguments: [String], _ prepare: (Process) -> Void
  ) throws(RunError) -> Process {
    let path = try path()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = [command] + arguments
    prepare(process)
    do {
      try process.run()
    } catch {
      throw RunError(
        .command, "`\(path)` cannot be started: \(error)", rule: "installation", origin: .own)
    }
    return process
  }

  private static func status(of process: Process) -> Int32 {
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : 70
  }
}
