@preconcurrency internal import Glibc

/// What `print` writes to.
enum StandardOutput {
  /// Has lines written at once, and not when the buffer of a pipe is full.
  static func writeByLines() { setvbuf(stdout, nil, _IOLBF, 0) }
}
