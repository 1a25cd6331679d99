@preconcurrency internal import Glibc

/// The standard output of commands.
enum StandardOutput {
  /// Has the command end with 2, with the reason, where its output cannot be written completely, as where the disk
  /// is full.
  ///
  /// A reader may close the pipe when it has read enough: that is no fault.
  static func watch() {
    atexit {
      errno = 0
      let isFlushed = fflush(stdout) == 0 && ferror(stdout) == 0
      let reason = errno
      guard !isFlushed, !StandardOutput.isWithoutReader else { return }
      let why = reason == 0 ? "" : ": " + String(cString: strerror(reason)).lowercased()
      fputs("sluice: error: the output cannot be written\(why) [file]\n", stderr)
      _exit(2)
    }
  }

  /// Whether the output is a pipe, a socket or a terminal that has no reader any more (poll(2)).
  private static var isWithoutReader: Bool {
    var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    return poll(&output, 1, 0) == 1 && output.revents & Int16(POLLERR) != 0
  }
}
