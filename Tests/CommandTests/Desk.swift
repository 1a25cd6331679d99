import Foundation
import TestSupport

/// A folder in which somebody uses `bin/sluice`.
struct Desk {
  static let program = "\(Repository.programs)/sluice"

  let folder: Workspace

  init() throws { folder = try Workspace() }

  /// How a command ended, and what it wrote.
  struct Ended {
    var status: Int32
    var output: String
    var errors: String

    var lines: [Substring] { output.split(separator: "\n") }
  }

  /// Runs `sluice` to its end.
  ///
  /// - Parameter variables: changes to the environment, in which `NO_COLOR` is not set.
  func sluice(
    _ arguments: String..., input: String = "", variables: [String: String] = [:]
  ) throws -> Ended {
    try run(Self.program, arguments, input: input, variables: variables)
  }

  func run(
    _ program: String, _ arguments: [String], input: String = "", variables: [String: String] = [:]
  ) throws -> Ended {
    let process = try start(program, arguments, input: input, variables: variables)
    process.waitUntilExit()
    return Ended(
      status: process.terminationStatus, output: try folder.read(Name.output),
      errors: try folder.read(Name.errors))
  }

  /// Starts a program here; what it writes goes to files, so that it never waits for a reader.
  func start(
    _ program: String, _ arguments: [String], input: String = "", variables: [String: String] = [:],
    terminal: FileHandle? = nil
  ) throws -> StartedProgram {
    var environment = ProcessInfo.processInfo.environment
    environment["NO_COLOR"] = nil
    return try StartedProgram(
      program, arguments, in: folder.path, environment: environment.merging(variables) { $1 },
      input: file(Name.input, holding: input, FileHandle.init(forReadingFrom:)),
      output: terminal ?? file(Name.output, holding: "", FileHandle.init(forWritingTo:)),
      errors: file(Name.errors, holding: "", FileHandle.init(forWritingTo:)))
  }

  private func file(
    _ name: String, holding text: String, _ open: (URL) throws -> FileHandle
  ) throws -> FileHandle {
    try open(URL(fileURLWithPath: folder.write(text, to: name)))
  }

  private enum Name {
    static let input = ".input"
    static let output = ".output"
    static let errors = ".errors"
  }
}
