internal import Glibc

/// A lock under which one process at a time checks whether a socket's path is free, and takes it.
///
/// A file beside the socket is locked by flock(2) and removed afterwards. The folder cannot be locked: it may be that
/// of a device, whose ``DeviceLock`` holds it for as long as the device is up.
struct SocketLock {
  private let path: String
  private let descriptor: Int32

  /// Waits until the lock is free.
  ///
  /// - Returns: nil where the lock cannot be had; `errno` states the reason.
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
      // The process that had the lock has removed the file meanwhile.
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
