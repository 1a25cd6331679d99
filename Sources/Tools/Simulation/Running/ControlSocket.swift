internal import Diagnostics
internal import EventLoop
internal import Foundation
internal import JSON

/// The path of a control socket.
package struct ControlSocket: Sendable {
  let path: String
  /// A lock that keeps other processes from the path while the socket is made.
  private let lock: SocketLock

  /// Makes room at the path: a socket that no process listens to any more is removed.
  ///
  /// - Throws: ``RunError`` where a running device has the socket, something else is there, or its folder cannot be
  ///   made.
  init(_ path: String) throws(RunError) {
    let path = URL(fileURLWithPath: path).standardizedFileURL.path
    self.path = path
    guard path.utf8.count <= Listener.longestPath else {
      throw Self.error(path, "the path of a socket has at most \(Listener.longestPath) bytes")
    }
    try SocketFolders().make((path as NSString).deletingLastPathComponent)
    guard let lock = SocketLock(beside: path) else {
      throw Self.error(path, "cannot lock the socket's place: \(Self.reason)")
    }
    self.lock = lock
    do throws(RunError) {
      try Self.clear(path)
    } catch {
      release()
      throw error
    }
  }

  /// Releases the path, so that other processes can find out which one has it.
  func release() { lock.release() }

  private static func clear(_ path: String) throws(RunError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw error(path, "something else than a socket is there")
    }
    let connection: ControlConnection
    do throws(ControlConnection.Failure) {
      connection = try ControlConnection(path)
    } catch {
      guard case .refused = error else {
        throw Self.error(path, "cannot ask who has the socket: \(error)")
      }
      unlink(path)
      return
    }
    let name = connection.deviceName.map { "the device `\($0)`" } ?? "another device"
    throw error(path, "\(name) is up and has the socket")
  }

  private static var reason: String { String(cString: strerror(errno)).lowercased() }

  private static func error(_ path: String, _ sentence: String) -> RunError {
    RunError(.path(path), sentence, rule: "socket")
  }

  // MARK: where sockets are

  /// The default path of a device's socket.
  package static func path(of device: String) -> String {
    let name = device.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" }
    return "\(SocketFolders().paths[0])/\(String(name)).sock"
  }

  /// The names of the user's running devices.
  package static var devices: [String] {
    SocketFolders().sockets.compactMap { (try? ControlConnection($0))?.status?["device"]?.string }
  }

  /// The socket that is meant where none is named: `SLUICE_SOCKET`, or that of the user's only running device.
  ///
  /// - Throws: ``RunError`` where no device is up, or more than one.
  package static func only() throws(RunError) -> String {
    if let path = ProcessInfo.processInfo.environment["SLUICE_SOCKET"], !path.isEmpty {
      return path
    }
    let live = SocketFolders().sockets.filter { (try? ControlConnection($0)) != nil }
    guard let first = live.first else {
      throw RunError(.command, "no device is up; `sluice up FILE` brings one up", rule: "socket")
    }
    guard live.count == 1 else {
      throw RunError(
        .command,
        "several devices are up; name one's socket with --socket: "
          + live.map { "`\($0)`" }.joined(separator: ", "), rule: "socket")
    }
    return first
  }
}
