internal import Glibc

/// That one process at a time looks whether a socket's place is free, and takes it.
///
/// A file beside the socket is locked by flock(2) and removed afterwards. It cannot be the folder: that may be a device's
/// own, which its ``DeviceLock`` holds for as long as it is up.
struct SocketLock {
  private let path: String
  private let descriptor: Int32

  /// Waits until the lock is free.
  ///
  /// - Returns: nil where it is not to be had; `errno` says why.
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
      // Who had it has removed the file meanwhile.
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
