internal import ArgumentParser
internal import Bundle
internal import CInterruption
internal import Foundation
internal import Output
internal import Simulation
internal import Synchronization

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

// MARK: - Signals

/// A signal that ends the command: SIGHUP, SIGINT or SIGTERM.
enum Interruption {
  /// Has all guests ended, and a folder removed, before a signal ends the command. To be called once.
  ///
  /// - Parameter folder: the folder; nil where none is to be removed.
  /// - Throws: ``RunError`` where the system does not allow it.
  static func cleanUp(removing folder: String?) throws(RunError) {
    let code = sluice_clean_up_on_interruption(folder ?? "")
    guard code != 0 else { return }
    let reason = String(cString: strerror(-code)).lowercased()
    throw RunError(.command, "cannot wait for signals: \(reason)", rule: "signal", fault: .own)
  }

  /// Has a child process receive the signal, and end, before the command ends.
  ///
  /// - Parameter child: the process identifier; nil where there is no child any more.
  static func pass(on child: Int32?) { sluice_pass_interruptions_on(child ?? 0) }
}

/// A signal that ends the command once what runs elsewhere has been ended: SIGHUP, SIGINT or SIGTERM.
enum NotedSignal {
  private static let codes = [SIGINT, SIGTERM, SIGHUP]

  /// Has signals noted but for those that are ignored, as under nohup(1).
  static func begin() {
    number.store(0, ordering: .relaxed)
    for code in codes where !isIgnored(code) {
      signal(code) { number.store($0, ordering: .relaxed) }
    }
  }

  /// The signal that came; nil: none.
  static var received: Int32? {
    let code = number.load(ordering: .relaxed)
    return code == 0 ? nil : code
  }

  /// Has signals end the command at once.
  static func end() {
    for code in codes where !isIgnored(code) { signal(code, SIG_DFL) }
  }

  /// Ends the command by the signal that came.
  static func endCommand() -> Never {
    let code = received ?? SIGTERM
    signal(code, SIG_DFL)
    raise(code)
    // A signal that is blocked does not end the process.
    exit(128 + code)
  }

  private static func isIgnored(_ code: Int32) -> Bool {
    var action = sigaction()
    sigaction(code, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

/// The signal that came; 0: none.
private let number = Atomic<Int32>(0)
