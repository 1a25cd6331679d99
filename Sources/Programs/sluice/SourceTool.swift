internal import ArgumentParser
internal import Diagnostics
internal import Foundation
internal import Simulation

/// `sluice-code`, the program that reads Swift; its parser takes minutes to compile, hence it is a program of its own.
enum SourceTool {
  /// Runs the program with the streams of this one, and returns its exit status, or that of the error that is printed.
  static func run(_ command: String, _ arguments: [String]) -> ExitCode {
    do throws(RunError) {
      return ExitCode(try status(of: command, arguments))
    } catch {
      return Failure.report(error)
    }
  }

  /// Runs the program, and returns its exit status.
  ///
  /// - Throws: ``RunError`` where there is no such program.
  static func status(of command: String, _ arguments: [String]) throws(RunError) -> Int32 {
    let path = Installation.own.programs + "/sluice-code"
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw RunError(
        .command, "`\(path)` is missing; `make code` builds it from Sluice's sources",
        rule: "installation")
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = [command] + arguments
    do {
      try process.run()
    } catch {
      throw RunError(
        .command, "`\(path)` cannot be started: \(error)", rule: "installation", fault: .own)
    }
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : 70
  }
}
