internal import Glibc

/// That a device's folder is taken: nobody else brings a device up there, or erases it, meanwhile.
///
/// It is a lock of flock(2) on the folder itself, so nothing is written for it, and the kernel gives it back when the
/// process ends, however that ends.
final class DeviceLock {
  private var descriptor: OwnedDescriptor?

  /// Takes the folder.
  ///
  /// - Parameter pause: lets some time pass between two attempts.
  /// - Throws: ``HostError`` with the code `inUse` where another device has it.
  init(folder: String, pause: () -> Void = { usleep(10_000) }) throws(HostError) {
    let descriptor = try Self.open(folder)
    var code = EWOULDBLOCK
    // Who looks at the folder holds it for a few milliseconds.
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

  /// Keeps others from taking the folder, while it is looked at.
  ///
  /// - Returns: nil where one has it.
  /// - Throws: ``HostError`` where the folder cannot be opened.
  static func shared(folder: String) throws(HostError) -> DeviceLock? {
    let descriptor = try open(folder)
    return flock(descriptor.raw, LOCK_SH | LOCK_NB) == 0 ? DeviceLock(descriptor) : nil
  }

  private init(_ descriptor: consuming OwnedDescriptor) {
    self.descriptor = consume descriptor
  }

  /// Gives the folder back.
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
