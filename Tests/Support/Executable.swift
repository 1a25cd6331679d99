internal import Glibc

/// A program that a test has written or copied.
public enum Executable {
  /// `F_SETLEASE` of fcntl(2), which is a Linux extension that Glibc's module leaves out.
  private static let setLease: Int32 = 1024

  /// Makes a file executable, and waits until nobody has it open for writing.
  ///
  /// A child that another test starts meanwhile has what is open here until its own program starts; until then no kernel
  /// starts the file (ETXTBSY of execve(2)).
  ///
  /// - Throws: ``NeverHappened``.
  public static func make(_ path: String) throws {
    chmod(path, 0o755)
    let file = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    // A lease for readers is given where nobody writes (fcntl(2)); not every file system has any.
    try waitUntil("nobody writes `\(path)`") {
      fcntl(file, setLease, F_RDLCK) == 0 || errno != EAGAIN
    }
    _ = fcntl(file, setLease, F_UNLCK)
  }
}
