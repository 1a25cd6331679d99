@preconcurrency internal import Glibc

/// The standard output, used by `print`.
enum StandardOutput {
  /// Enables line buffering, so output to a pipe appears immediately.
  static func writeByLines() { setvbuf(stdout, nil, _IOLBF, 0) }
}
