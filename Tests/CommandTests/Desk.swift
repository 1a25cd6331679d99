import Encodings
import Foundation
import TestSupport
import Testing

/// A working folder for `bin/sluice`.
struct Desk {
  static let program = "\(Repository.programs)/sluice"

  let folder: Workspace
  /// The folder for temporary files and sockets. It is separate from the folders of the user who
  /// runs the tests.
  private let temporary: Workspace

  init() throws {
    folder = try Workspace()
    temporary = try Workspace()
  }

  /// The exit status and the output of a command that has exited.
  struct Ended {
    var status: Int32
    var output: String
    var errors: String

    var lines: [Substring] { output.split(separator: "\n") }

    /// Returns the output, parsed as JSON.
    func json() throws -> JSONValue { try JSONReader.read(output) }

    /// Returns the lines of the output, each parsed as JSON.
    func jsonLines() throws -> [JSONValue] { try lines.map { try JSONReader.read(String($0)) } }
  }

  /// Runs `sluice` and waits for it.
  ///
  /// - Parameters:
  ///   - variables: Changes to the environment. By default, `NO_COLOR` is unset, and sockets and
  ///     temporary files are in this desk's folders.
  ///   - status: The expected exit status; nil for any. Any other status is a test issue that
  ///     contains the output.
  @discardableResult
  func sluice(
    _ arguments: String..., input: String = "", variables: [String: String] = [:],
    ends status: Int32? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Ended {
    try sluice(
      arguments, input: input, variables: variables, ends: status, sourceLocation: sourceLocation)
  }

  @discardableResult
  func sluice(
    _ arguments: [String], input: String = "", variables: [String: String] = [:],
    ends status: Int32? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Ended {
    try run(
      Self.program, arguments, input: input, variables: variables, ends: status,
      sourceLocation: sourceLocation)
  }

  /// Returns the reports of one command: the printed text, and the file in each format.
  func reports(
    _ arguments: String..., formats: [String], ends status: Int32,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let files = formats.map { "\(Name.report).\($0)" }
    let options = zip(formats, files).flatMap { ["--output", "\($0)=\($1)"] }
    let text = try sluice(arguments + options, ends: status, sourceLocation: sourceLocation).output
    return [text] + (try files.map(folder.read))
  }

  /// Runs `sluice` with the words in a line, which are separated by spaces.
  @discardableResult
  func sluice(
    line: String, ends status: Int32? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Ended {
    try sluice(
      line.split(separator: " ").map(String.init), ends: status, sourceLocation: sourceLocation)
  }

  @discardableResult
  func run(
    _ program: String, _ arguments: [String], input: String = "", variables: [String: String] = [:],
    ends status: Int32? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Ended {
    let process = try start(program, arguments, input: input, variables: variables)
    process.waitUntilExit()
    let ended = Ended(
      status: process.terminationStatus, output: try folder.read(Name.output),
      errors: try folder.read(Name.errors))
    if let status {
      #expect(
        ended.status == status, "\(arguments): \(ended.output)\(ended.errors)",
        sourceLocation: sourceLocation)
    }
    return ended
  }

  /// Copies programs of the installation into this desk's `bin`.
  ///
  /// - Returns: The path of `sluice`.
  func install(
    _ programs: [String] = ["sluice", "sluice-guest", "sluice-launch"]
  ) throws -> String {
    for name in programs {
      let program = URL(fileURLWithPath: "\(Repository.programs)/\(name)")
      try folder.copy(program.resolvingSymlinksInPath().path, to: "bin/\(name)")
      try Executable.make(folder.path("bin/\(name)"))
    }
    return folder.path("bin/sluice")
  }

  /// Starts a program in this desk's folder. Its output goes to files, so it never waits for a
  /// reader.
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

  /// The standard error that the last started program has written so far.
  var errors: String { (try? folder.read(Name.errors)) ?? "" }

  private func file(
    _ name: String, holding text: String, _ open: (URL) throws -> FileHandle
  ) throws -> FileHandle {
    try open(URL(fileURLWithPath: folder.write(text, to: name)))
  }

  private enum Name {
    static let input = ".input"
    static let report = ".report"
    static let output = ".output"
    static let errors = ".errors"
  }
}
