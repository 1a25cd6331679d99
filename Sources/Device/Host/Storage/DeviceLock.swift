internal import Glibc

/// A lock on a device's folder: nobody else brings a device up there, or erases it, meanwhile.
///
/// The lock is one of flock(2) on the folder itself: nothing is written for it, and the kernel releases it when the
/// process ends, however that ends.
final class DeviceLock {
  private var descriptor: OwnedDescriptor?

  /// Locks the folder.
  ///
  /// - Parameter pause: waits a little between two attempts.
  /// - Throws: ``HostError``, with the code `inUse` where another device has the folder.
  init(folder: String, pause: () -> Void = { usleep(10_000) }) throws(HostError) {
    let descriptor = try Self.open(folder)
    var code = EWOULDBLOCK
    // An inspection holds the folder for a few milliseconds.
    for _ in 0..<Self.attempts {
      if flock(descriptor.raw, LOCK_EX | LOCK_NB) == 0 {
        self.descriptor = consume descriptor
        return
      }
      code = errno
      guard code == EWOULDBLOCK || code == EINTR else { break }
      pause()
    }
    throw code == EWOULDBLOCK || code == EINTR
      ? HostError(.inUse, "the device in `\(folder)` is in use")
      : HostError(.folder, "cannot lock the folder `\(folder)`: \(String(cString: strerror(code)))")
  }

  /// Keeps others from locking the folder while it is looked at.
  ///
  /// - Returns: nil where a device has the folder.
  /// - Throws: ``HostError`` where the folder cannot be opened.
  static func shared(folder: String) throws(HostError) -> DeviceLock? {
    let descriptor = try open(folder)
    return flock(descriptor.raw, LOCK_SH | LOCK_NB) == 0 ? DeviceLock(descriptor) : nil
  }

  private init(_ descriptor: consuming OwnedDescriptor) {
    self.descriptor = consume descriptor
  }

  /// Unlocks the folder.
  func release() { descriptor = nil }

  private static let attempts = 50

  private static func open(_ folder: String) throws(HostError) -> OwnedDescriptor {
    let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw HostError(.folder, "cannot open the folder `\(folder)`: \(lastError())")
    }
    return OwnedDescriptor(descriptor)
  }
}
