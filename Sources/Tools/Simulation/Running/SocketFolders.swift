internal import Diagnostics
internal import Foundation

/// The folders in which a user's control sockets are looked for; the first takes new sockets.
///
/// `XDG_RUNTIME_DIR` is such a folder where it is set (XDG Base Directory Specification); a container, a cron job or
/// `su` often sets none. The last resort is a folder below `TMPDIR`, or `/tmp`, that only its owner may use.
struct SocketFolders {
  let paths: [String]
  /// The last of the folders, which another user may have made before.
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

  /// The sockets in folders that are this user's alone, whether or not a process listens.
  var sockets: [String] {
    paths.flatMap { folder -> [String] in
      let isOwn = folder == replacement ? Self.isPrivate : Self.isOwned
      guard isOwn(folder, geteuid()) else { return [] }
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.filter { $0.hasSuffix(".sock") }.sorted().map { "\(folder)/\($0)" }
    }
  }

  /// Makes the folder of a socket where it is missing, for its owner alone.
  ///
  /// - Throws: ``RunError`` where the folder cannot be made, or the replacement is open to others or another user's.
  func make(_ folder: String) throws(RunError) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw RunError(.path(folder), "cannot make the folder of the socket", rule: "socket")
    }
    guard folder != replacement || Self.isPrivate(folder, of: geteuid()) else {
      throw RunError(
        .path(folder),
        "the folder is open to others or another user's; set XDG_RUNTIME_DIR, or name a socket with --socket",
        rule: "socket")
    }
  }

  /// Whether a path is a user's folder, not a link to one, that only he may enter.
  private static func isPrivate(_ path: String, of user: uid_t) -> Bool {
    var status = stat()
    return isOwned(path, by: user) && lstat(path, &status) == 0 && status.st_mode & 0o077 == 0
  }

  /// Whether a path is a user's folder, not a link to one.
  private static func isOwned(_ path: String, by user: uid_t) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      && status.st_uid == user
  }
}
