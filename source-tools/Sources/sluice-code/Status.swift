internal import ArgumentParser

/// The exit statuses. Usage errors (64) are ArgumentParser's.
enum Status {
  /// There are findings.
  static let findings = ExitCode(1)
  /// A source cannot be used, or a file not be written.
  static let input = ExitCode(2)
}
