internal import Glibc

/// A program that a test writes or copies.
public enum Executable {
  /// `F_SETLEASE` of fcntl(2). It is a Linux extension that the Glibc module lacks.
  private static let setLease: Int32 = 1024

  /// Makes a file executable, and waits until no process has it open for writing.
  ///
  /// A child that another test forks has inherited descriptors open until it calls execve(2). Until
  /// then, the kernel refuses to start the file, with the error ETXTBSY.
  ///
  /// - Throws: ``NeverHappened``.
  public static func make(_ path: String) throws {
    chmod(path, 0o755)
    let file = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    // A read lease is granted only if no process has the file open for writing (fcntl(2)). Some
    // file systems have no leases.
    try waitUntil("no process writes `\(path)`") {
      fcntl(file, setLease, F_RDLCK) == 0 || errno != EAGAIN
    }
    _ = fcntl(file, setLease, F_UNLCK)
  }
}
