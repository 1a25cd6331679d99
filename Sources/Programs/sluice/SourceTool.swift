internal import ArgumentParser
internal import Diagnostics
internal import Foundation
internal import Simulation

/// `sluice-code`, the program that reads Swift; its parser takes minutes to compile, hence it is a program of its own.
enum SourceTool {
  /// Becomes the program, so that signals and the exit status are its own.
  ///
  /// - Returns: the exit status of the error, which is printed, where that cannot be.
  static func become(_ command: String, _ arguments: [String]) -> ExitCode {
    do throws(RunError) {
      let path = try path()
      var words = ([path, command] + arguments).map { strdup($0) as UnsafeMutablePointer<CChar>? }
      words.append(nil)
      execv(path, words)
      throw RunError(
        .command, "`\(path)` cannot be started: \(String(cString: strerror(errno)))",
        rule: "installation", fault: .own)
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

  /// Runs the program, and returns its exit status.
  ///
  /// - Throws: ``RunError`` where there is no such program.
  static func status(of command: String, _ arguments: [String]) throws(RunError) -> Int32 {
    let path = try path()
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
