internal import DeviceClient
internal import Encodings
internal import EventLoop
internal import Foundation
internal import Glibc
internal import Output
package import Simulation

package struct ControlSocket: Sendable {
  let path: String
  /// A lock that keeps other processes from using the path while the socket is created.
  private let lock: SocketLock

  /// Prepares the path for a new socket. Removes an existing socket that no process uses.
  ///
  /// - Throws: ``RunError`` if a running device uses the socket, another kind of file exists there, the path is too
  ///   long or cannot be locked, or the folder cannot be created.
  init(_ path: String) throws(RunError) {
    let path = URL(fileURLWithPath: path).standardizedFileURL.path
    self.path = path
    guard path.utf8.count <= Listener.longestPath else {
      throw Self.error(path, "the path of the socket is longer than \(Listener.longestPath) bytes")
    }
    try SocketFolders().make((path as NSString).deletingLastPathComponent)
    guard let lock = SocketLock(beside: path) else {
      throw Self.error(path, "cannot lock the path of the socket: \(Self.reason)")
    }
    self.lock = lock
    do throws(RunError) {
      try Self.clear(path)
    } catch {
      release()
      throw error
    }
  }

  /// Unlocks the path, so other processes can check whether a device uses it.
  func release() { lock.release() }

  private static func clear(_ path: String) throws(RunError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw error(path, "the path exists, but is not a socket")
    }
    let connection: ControlConnection
    do throws(ControlConnection.ConnectionError) {
      connection = try ControlConnection(path)
    } catch {
      guard case .refused = error else {
        throw Self.error(path, "cannot determine the socket's owner: \(error)")
      }
      unlink(path)
      return
    }
    let name = connection.deviceName.map { "the device `\($0)`" } ?? "another device"
    throw error(
      path,
      "\(name) is up and uses the socket; shut it down with `sluice down`, or name another with --socket"
    )
  }

  private static var reason: String { String(cString: strerror(errno)).lowercased() }

  private static func error(_ path: String, _ sentence: String) -> RunError {
    RunError(.path(path), sentence, rule: "socket")
  }

  // MARK: Locations

  /// Returns the default path of a device's socket.
  package static func path(of device: String) -> String {
    let name = device.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" }
    return "\(SocketFolders().paths[0])/\(String(name)).sock"
  }

  /// The names of the user's running devices.
  package static var devices: [String] {
    SocketFolders().sockets.compactMap { (try? ControlConnection($0))?.status?["device"]?.string }
  }

  /// Returns the default socket for clients: the value of `SLUICE_SOCKET`, or the socket of the
  /// user's only running device.
  ///
  /// - Throws: ``RunError`` if no device is running, or several devices are.
  package static func only() throws(RunError) -> String {
    if let path = ProcessInfo.processInfo.environment["SLUICE_SOCKET"], !path.isEmpty {
      return path
    }
    let live = SocketFolders().sockets.filter { (try? ControlConnection($0)) != nil }
    guard let first = live.first else {
      throw RunError(
        .command, "no device is running; start one with `sluice up FILE`", rule: "socket")
    }
    guard live.count == 1 else {
      throw RunError(
        .command,
        "several devices are running; select one with --socket: "
          + live.map { "`\($0)`" }.joined(separator: ", "), rule: "socket")
    }
    return first
  }
}

// MARK: - Folders

/// The folders that are searched for a user's control sockets. New sockets are created in the first folder.
///
/// The first folder is in `XDG_RUNTIME_DIR` (XDG Base Directory Specification) or, if that is unset, in the user's
/// private folder in `/run/user`. Containers, cron jobs and `su` often provide neither. The fallback is a folder in
/// `TMPDIR` or `/tmp` that only its owner may use.
struct SocketFolders {
  let paths: [String]
  /// The fallback folder, which is the last one. Another user may have created it already.
  let replacement: String

  init(
    environment: [String: String] = ProcessInfo.processInfo.environment, user: uid_t = geteuid(),
    sessions: String = "/run/user"
  ) {
    func folder(_ name: String) -> String? {
      environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let temporary = URL(fileURLWithPath: folder("TMPDIR") ?? "/tmp").path
    replacement = "\(temporary)/sluice-\(user)"
    let session = "\(sessions)/\(user)"
    let runtime =
      folder("XDG_RUNTIME_DIR") ?? (Self.isPrivate(session, of: user) ? session : nil)
    paths = (runtime.map { ["\($0)/sluice"] } ?? []) + [replacement]
  }

  /// The sockets in the folders that this user owns, without a fallback folder that other users can access. Some
  /// sockets may have no listening process.
  var sockets: [String] {
    paths.flatMap { folder -> [String] in
      let isOwn = folder == replacement ? Self.isPrivate : Self.isOwned
      guard isOwn(folder, geteuid()) else { return [] }
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.filter { $0.hasSuffix(".sock") }.sorted().map { "\(folder)/\($0)" }
    }
  }

  /// Creates a socket's folder if it is missing. Only its owner can access it.
  ///
  /// - Throws: ``RunError`` if the folder cannot be created, or if the fallback folder is
  ///   accessible to others or owned by another user.
  func make(_ folder: String) throws(RunError) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw RunError(.path(folder), "cannot create the folder of the socket", rule: "socket")
    }
    guard folder != replacement || Self.isPrivate(folder, of: geteuid()) else {
      throw RunError(
        .path(folder),
        "the folder must belong to you and be accessible to you only; set XDG_RUNTIME_DIR, or name a socket with --socket",
        rule: "socket")
    }
  }

  /// Returns whether a path is a folder that the user owns and no other user may access. A link
  /// does not count as a folder.
  private static func isPrivate(_ path: String, of user: uid_t) -> Bool {
    var status = stat()
    return isOwned(path, by: user) && lstat(path, &status) == 0 && status.st_mode & 0o077 == 0
  }

  /// Returns whether a path is a folder that the user owns. A link does not count as a folder.
  private static func isOwned(_ path: String, by user: uid_t) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      && status.st_uid == user
  }
}

// MARK: - Lock

/// A lock for checking and claiming a socket's path. One process at a time can hold it.
///
/// The lock is a file beside the socket, which is locked by flock(2) and removed afterwards. The
/// folder itself cannot be locked, because it may be a device's folder, which the device's
/// ``DeviceLock`` holds while the device is running.
private struct SocketLock {
  private let path: String
  private let descriptor: Int32

  /// Waits for the lock. Returns nil if it cannot be acquired; the reason is in `errno`.
  init?(beside socket: String) {
    path = "\(socket).lock"
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { return nil }
      guard Self.wait(for: descriptor) else {
        close(descriptor)
        return nil
      }
      if Self.isStill(descriptor, at: path) {
        self.descriptor = descriptor
        return
      }
      // Meanwhile, the previous holder of the lock has removed the file.
      close(descriptor)
    }
  }

  func release() {
    unlink(path)
    close(descriptor)
  }

  private static func wait(for descriptor: Int32) -> Bool {
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { return false }
    }
    return true
  }

  private static func isStill(_ descriptor: Int32, at path: String) -> Bool {
    var (held, named) = (stat(), stat())
    return fstat(descriptor, &held) == 0 && lstat(path, &named) == 0
      && held.st_ino == named.st_ino && held.st_dev == named.st_dev
  }
}
