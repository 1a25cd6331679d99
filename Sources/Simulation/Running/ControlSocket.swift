internal import EventLoop
internal import Foundation

/// The path of a control socket.
package struct ControlSocket: Sendable {
  let path: String
  /// Keeps others from the socket's folder while it is made.
  private let lock: Int32

  /// Makes room at the path: a socket that nobody listens to any more is removed.
  ///
  /// - Throws: ``RunError`` where a running device has it, something else is there, or its folder is not to be had.
  init(_ path: String) throws(RunError) {
    let path = URL(fileURLWithPath: path).standardizedFileURL.path
    self.path = path
    guard path.utf8.count <= Listener.longestPath else {
      throw Self.error(path, "the path of a socket has at most \(Listener.longestPath) bytes")
    }
    let folder = (path as NSString).deletingLastPathComponent
    try Self.makeFolder(folder)
    lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard lock >= 0, flock(lock, LOCK_EX) == 0 else {
      throw Self.error(path, "cannot lock the folder: \(Self.reason)")
    }
    do throws(RunError) {
      try Self.clear(path)
    } catch {
      release()
      throw error
    }
  }

  /// Lets others make sockets in the folder.
  func release() { close(lock) }

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

  /// Folders that are made are their owner's alone.
  private static func makeFolder(_ folder: String) throws(RunError) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Self.error(folder, "cannot make the folder of the socket")
    }
  }

  private static var reason: String { String(cString: strerror(errno)).lowercased() }

  private static func error(_ path: String, _ sentence: String) -> RunError {
    RunError("\(path):1:1: error: \(sentence) [socket]")
  }

  // MARK: where sockets are

  /// The folder for sockets of this user; nil where the system has none for such things.
  private static var commonFolder: String? {
    let folder = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? ""
    return folder.hasPrefix("/") ? "\(folder)/sluice" : nil
  }

  /// Where the socket of a device is unless somebody says otherwise.
  package static func path(of device: String, in folder: String) -> String {
    guard let common = commonFolder else { return "\(folder)/control.sock" }
    let name = device.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" }
    return "\(common)/\(String(name)).sock"
  }

  /// The socket that is meant where none is named: `SLUICE_SOCKET`, or the only one of the user's.
  ///
  /// - Throws: ``RunError`` where there is none, or more than one.
  package static func only() throws(RunError) -> String {
    if let path = ProcessInfo.processInfo.environment["SLUICE_SOCKET"], !path.isEmpty {
      return path
    }
    guard let folder = commonFolder else {
      throw RunError("sluice: error: name the device's socket with --socket [socket]")
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let sockets = names.filter { $0.hasSuffix(".sock") }.sorted().map { "\(folder)/\($0)" }
    let live = sockets.filter { (try? ControlConnection($0)) != nil }
    guard let first = live.first else {
      throw RunError("sluice: error: no device is up; `sluice up FILE` brings one up [socket]")
    }
    guard live.count == 1 else {
      throw RunError(
        "sluice: error: several devices are up; name one's socket with --socket: "
          + live.map { "`\($0)`" }.joined(separator: ", ") + " [socket]")
    }
    return first
  }
}
