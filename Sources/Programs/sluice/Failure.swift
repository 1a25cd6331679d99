internal import ArgumentParser
internal import Bundle
internal import Foundation
internal import Simulation

/// The exit statuses of commands. Usage errors (64) are ArgumentParser's.
enum Failure {
  /// An expectation failed.
  static let expectation = ExitCode(1)
  /// A scenario, policy, bundle or request is invalid.
  static let input = ExitCode(2)
  /// The fault lies with Sluice itself, or its installation.
  static let own = ExitCode(70)

  /// Prints an error to standard error; returns the status, which depends on whose fault it is.
  static func report(_ error: RunError) -> ExitCode {
    print(error.description)
    return error.fault == .own ? own : input
  }

  /// Prints an error in a bundle to standard error; returns the status.
  static func report(_ error: BundleError) -> ExitCode {
    print(error.description)
    return input
  }

  /// Prints a line to standard error.
  static func print(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
  }
}
