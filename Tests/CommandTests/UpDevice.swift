import Foundation
import TestSupport
import Testing

/// A device that `sluice up` runs for one test, with its own socket.
final class UpDevice {
  let desk: Desk
  private let own: Desk
  let process: StartedProgram
  let socket: String
  private let variables: [String: String]

  /// Waits until the device is up.
  init(_ scenario: String, _ options: [String] = [], at desk: Desk? = nil) throws {
    self.desk = try desk ?? Desk()
    own = try Desk()
    let run = self.desk.folder.path("run")
    try FileManager.default.createDirectory(
      atPath: run, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    socket = "\(run)/sluice/iPhone.sock"
    variables = ["XDG_RUNTIME_DIR": run]
    process = try own.start(Desk.program, ["up", scenario] + options, variables: variables)
    try waitUntil("the device is up") {
      try !process.isRunning || own.folder.read(".output").contains("is up")
    }
    if !process.isRunning {
      Issue.record("the device did not come up: \(try own.folder.read(".errors"))")
    }
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Returns the output so far.
  func output() throws -> String { try own.folder.read(".output") }

  func errors() throws -> String { try own.folder.read(".errors") }

  @discardableResult
  func sluice(
    _ arguments: String..., input: String = "", ends status: Int32? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Desk.Ended {
    try desk.sluice(
      arguments, input: input, variables: variables, ends: status, sourceLocation: sourceLocation)
  }

  /// Starts `sluice` on a separate desk, without waiting for it.
  func start(_ arguments: String...) throws -> (desk: Desk, process: StartedProgram) {
    let other = try Desk()
    return (other, try other.start(Desk.program, arguments, variables: variables))
  }

  /// Waits until the device has shut down.
  func waitForEnd() throws { try waitUntil("the device has exited") { !process.isRunning } }
}
