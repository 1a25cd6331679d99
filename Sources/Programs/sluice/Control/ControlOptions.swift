internal import ArgumentParser
internal import Diagnostics
internal import Simulation

/// The option that names the running device.
struct ControlOptions: ParsableArguments {
  @Option(
    help: "Path of the device's control socket; default: the only device that is up.",
    completion: .file())
  var socket: String?

  /// Connects to the device.
  ///
  /// - Throws: ``RunError`` where no device answers.
  func connect() throws(RunError) -> ControlConnection {
    let path = if let socket { socket } else { try ControlSocket.only() }
    do throws(ControlConnection.Failure) {
      return try ControlConnection(path)
    } catch {
      throw RunError(.path(path), "\(error)", rule: "socket")
    }
  }
}
