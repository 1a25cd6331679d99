import Foundation
import TestSupport

/// A folder in which somebody uses `bin/sluice`.
struct Desk {
  static let program = "\(Repository.programs)/sluice"

  let folder: Workspace
  /// Where programs put what they need for a time, and where no device of whoever runs the tests is found.
  private let temporary: Workspace

  init() throws {
    folder = try Workspace()
    temporary = try Workspace()
  }

  /// How a command ended, and what it wrote.
  struct Ended {
    var status: Int32
    var output: String
    var errors: String

    var lines: [Substring] { output.split(separator: "\n") }
  }

  /// Runs `sluice` to its end.
  ///
  /// - Parameter variables: changes to the environment, in which `NO_COLOR` is not set, and the folders for sockets and
  ///   temporary files are this desk's.
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
    environment["TMPDIR"] = temporary.path
    environment["XDG_RUNTIME_DIR"] = temporary.path
    return try StartedProgram(
      program, arguments, in: folder.path, environment: environment.merging(variables) { $1 },
      input: file(Name.input, holding: input, FileHandle.init(forReadingFrom:)),
      output: terminal ?? file(Name.output, holding: "", FileHandle.init(forWritingTo:)),
      errors: file(Name.errors, holding: "", FileHandle.init(forWritingTo:)))
  }

  /// What the last program that was started here has written to its standard error until now.
  var errors: String { (try? folder.read(Name.errors)) ?? "" }

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
