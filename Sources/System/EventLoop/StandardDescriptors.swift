#if canImport(Glibc)
  internal import Glibc
#endif

/// Standard input, output and error of this process.
public enum StandardDescriptors {
  /// Connects those that whoever started the process has closed with `/dev/null`.
  ///
  /// Otherwise the next files that are opened take their places, and libuv does not close what is there.
  public static func complete() {
    var opened: Int32
    repeat { opened = open("/dev/null", O_RDWR) } while (0...STDERR_FILENO).contains(opened)
    if opened > STDERR_FILENO { close(opened) }
  }
}
