package import DeviceClient
package import Encodings
internal import Foundation
internal import Output
package import Simulation
internal import Synchronization

/// A device under observation: its journal and, while it is running, its control socket.
package struct WatchedDevice: Sendable {
  /// The name of the device, or the path by which it was found.
  package let name: String
  package let journal: String
  /// The control socket with which the device was found; nil if it was found by its folder or
  /// journal.
  private let socket: String?

  /// Finds the user's only running device.
  ///
  /// - Throws: ``RunError`` if no device is running, or several devices are.
  package init() throws(RunError) {
    try self.init(answeringAt: ControlSocket.only())
  }

  /// Finds a device by its folder, journal or control socket, or by name if it is running. A folder that contains
  /// exactly one device's folder, as written by `sluice up --output-dir`, refers to that device.
  ///
  /// - Throws: ``RunError`` if no such device is found.
  package init(_ argument: String) throws(RunError) {
    switch Self.kind(of: argument) {
    case .directory:
      // In a run's folder without cases, the only journal directly below is that of the device.
      let journals = CaseJournal.all(in: argument).filter { $0.place == argument }
      let journal = journals.count == 1 ? journals[0].path : "\(argument)/journal.jsonl"
      self.init(name: argument, journal: journal, socket: nil)
    case .file: self.init(name: argument, journal: argument, socket: nil)
    case .socket: try self.init(answeringAt: argument)
    case nil:
      guard let device = Self(socket: ControlSocket.path(of: argument)) else {
        throw RunError(
          .file(argument),
          "no such folder or journal exists, and no device of that name is running", rule: "file")
      }
      self = device
    }
  }

  private init(name: String, journal: String, socket: String?) {
    self.name = name
    self.journal = journal
    self.socket = socket
  }

  private init(answeringAt path: String) throws(RunError) {
    do throws(ControlConnection.ConnectionError) {
      _ = try ControlConnection(path)
    } catch {
      throw RunError(.path(path), "\(error)", rule: "socket")
    }
    // The device is running, but may be slow on a busy machine.
    guard let device = Self(socket: path, answeringWithin: 10) else {
      throw RunError(.path(path), "no device answers there", rule: "socket")
    }
    self = device
  }

  /// Finds the device that answers at a control socket. Returns nil if no device answers in time.
  private init?(socket path: String, answeringWithin seconds: Int = 1) {
    guard let status = (try? ControlConnection(path))?.status(within: seconds),
      let folder = status["folder"]?.string
    else { return nil }
    self.init(
      name: status["device"]?.string ?? path, journal: "\(folder)/journal.jsonl", socket: path)
  }

  // MARK: Connection

  /// Returns a connection to the device that writes this journal; nil if the device is not running.
  package func connect() -> ControlConnection? {
    for path in socket.map({ [$0] }) ?? SocketFolders().sockets {
      guard let connection = try? ControlConnection(path),
        let folder = connection.status?["folder"]?.string,
        Self.real("\(folder)/journal.jsonl") == Self.real(journal)
      else { continue }
      return connection
    }
    return nil
  }

  /// The device that has replaced this device at its control socket; nil if none has.
  package var successor: WatchedDevice? {
    guard let socket, let device = Self(socket: socket), device.journal != journal else {
      return nil
    }
    return device
  }

  // MARK: Files

  private enum Kind {
    case directory, file, socket
  }

  /// Returns the kind of file at a path; nil if the path does not exist.
  private static func kind(of path: String) -> Kind? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return .directory
    case S_IFSOCK: return .socket
    default: return .file  // open: any other kind of file
    }
  }

  /// Returns the path with its symbolic links resolved. If nothing exists there, returns the path
  /// unchanged.
  private static func real(_ path: String) -> String { path.realPath ?? path }
}

// MARK: - Calls

/// Calls the methods of a running device. If another device has replaced the device at its control socket, the methods
/// of the replacement are called.
package final class DeviceCalls: Sendable {
  private let device: Mutex<WatchedDevice>
  package let name: String

  /// Checks that the device is running and accepts this process as a client.
  ///
  /// - Throws: ``RunError`` if the device is not running, or does not accept this process as a client.
  package init(_ device: WatchedDevice) throws(RunError) {
    guard let name = device.connect()?.deviceName else {
      throw RunError(
        .path(device.name),
        "the device is not running, is too busy to answer, or does not allow this process to control it",
        rule: "socket")
    }
    self.device = Mutex(device)
    self.name = name
  }

  /// Calls a method, and waits for its answer.
  ///
  /// - Parameter parameters: An object or array as JSON text; nil for no parameters.
  /// - Returns: The answer, with `result` or `error`; nil if no device answers.
  package func call(_ method: String, _ parameters: String? = nil) -> JSONValue? {
    let device = device.withLock { device in
      device = device.successor ?? device
      return device
    }
    return try? device.connect()?.call(method, parameters)
  }
}
