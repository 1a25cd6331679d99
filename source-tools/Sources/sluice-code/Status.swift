internal import ArgumentParser

/// The exit statuses. ArgumentParser defines the status for usage errors (64).
enum Status {
  static let findings = ExitCode(1)
  /// A source file cannot be read, or an output file cannot be written.
  static let input = ExitCode(2)
}
