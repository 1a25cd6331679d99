internal import Diagnostics
internal import ArgumentParser
internal import Simulation

/// Which running device is meant.
struct ControlOptions: ParsableArguments {
  @Option(help: "Path of the device's control socket; default: the only device that is up.")
  var socket: String?

  /// - Throws: ``RunError`` where no device answers.
  func connect() throws(RunError) -> ControlConnection {
    let path = if let socket { socket } else { try ControlSocket.only() }
    do throws(ControlConnection.Failure) {
      return try ControlConnection(path)
    } catch {
      throw RunError(.file(path), "\(error)", rule: "socket")
    }
  }
}
