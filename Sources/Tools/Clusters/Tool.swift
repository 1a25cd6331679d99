internal import Diagnostics
internal import Foundation
internal import Simulation

/// A program of somebody else's that is run to its end.
struct Tool {
  private let name: String

  /// A program in one of the folders of `PATH`.
  init(_ name: String) { self.name = name }

  /// Runs the program.
  ///
  /// - Returns: what it wrote to standard output.
  /// - Throws: ``RunError`` with what it wrote to standard error where it is not there, or ends with another status than 0.
  func run(_ arguments: [String], input: String = "") throws(RunError) -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    let (into, out, errors) = (Pipe(), Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (into, out, errors)
    // A program that does not read its input has its own words to say.
    signal(SIGPIPE, SIG_IGN)
    do {
      try process.run()
    } catch {
      throw failure("cannot be run: \(error)")
    }
    try? into.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try? into.fileHandleForWriting.close()
    let output = out.fileHandleForReading.readDataToEndOfFile()
    let complaint = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      let text = String(decoding: complaint, as: UTF8.self)
        .split(separator: "\n").joined(separator: "; ")
      throw failure(text.isEmpty ? "ended with status \(process.terminationStatus)" : text)
    }
    return String(decoding: output, as: UTF8.self)
  }

  private func failure(_ message: String) -> RunError {
    RunError(.command, "\(name): \(message)", rule: "cluster")
  }
}
