@preconcurrency internal import Glibc

/// What commands print.
enum StandardOutput {
  /// Has the command end with 2, and say why, where not all of it can be written, as where the disk is full.
  ///
  /// Whoever reads it may close the pipe when he has enough: that is no fault.
  static func watch() {
    atexit {
      errno = 0
      let isFlushed = fflush(stdout) == 0 && ferror(stdout) == 0
      guard !isFlushed, errno != EPIPE else { return }
      let why = errno == 0 ? "" : ": " + String(cString: strerror(errno)).lowercased()
      fputs("sluice: error: the output cannot be written\(why) [file]\n", stderr)
      _exit(2)
    }
  }
}
