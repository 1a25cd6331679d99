internal import ArgumentParser
internal import Bundle
internal import Foundation
internal import Simulation

/// How commands end. Usage errors (64) are ArgumentParser's.
enum Failure {
  /// An expectation failed.
  static let expectation = ExitCode(1)
  /// A scenario, policy, bundle or request is invalid.
  static let input = ExitCode(2)
  /// The fault is Sluice's own, or its installation's.
  static let own = ExitCode(70)

  /// Prints what is wrong to standard error; the status says whose fault it is.
  static func report(_ error: RunError) -> ExitCode {
    print(error.description)
    return error.fault == .own ? own : input
  }

  /// Prints what is wrong with a bundle to standard error.
  static func report(_ error: BundleError) -> ExitCode {
    print(error.description)
    return input
  }

  /// Prints a line to standard error.
  static func print(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
  }
}
