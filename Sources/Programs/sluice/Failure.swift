internal import ArgumentParser
internal import Bundle
internal import CInterruption
internal import Encodings
internal import Foundation
internal import Output
internal import Simulation
internal import Synchronization

enum ExitStatus: Int32, CaseIterable {
  case success = 0
  case expectation = 1
  /// An input cannot be used, such as a file, a device, a request or a name, or output cannot be written.
  case input = 2
  /// With `explain --exit-code`: the transfer is encrypted, or its outcome is unknown.
  case undecided = 3
  /// ArgumentParser rejected the command line: EX_USAGE of sysexits(3).
  case usage = 64
  /// An error in Sluice itself or in its installation: EX_SOFTWARE of sysexits(3).
  case own = 70

  var code: ExitCode { ExitCode(rawValue) }

  private var meaning: String {
    switch self {
    case .success: "completed, with all results as expected"
    case .expectation: "completed, with a failure, leak, finding or difference"
    case .input: "a file, a device or a name cannot be used, or output cannot be written"
    case .undecided: "`explain --exit-code`: encrypted, or outcome unknown"
    case .usage: "the command line is invalid"
    case .own: "an error of Sluice itself, or of its installation"
    }
  }

  /// A table of the exit statuses, for the help of `sluice`. Each status has a line.
  static var help: String {
    let rows = allCases.map { ["\($0.rawValue)", $0.meaning] }
    return (["Exit statuses:"] + TextColumns.lines(rows, indent: 2)).joined(separator: "\n")
  }
}

/// Prints the errors of commands, and determines their exit statuses.
enum Failure {
  static let expectation = ExitStatus.expectation.code
  static let input = ExitStatus.input.code
  static let undecided = ExitStatus.undecided.code
  static let own = ExitStatus.own.code

  /// Prints an error to standard error, and returns the exit status: ``own`` for an error of Sluice itself, otherwise
  /// ``input``.
  static func report(_ error: RunError) -> ExitCode {
    print(error.description)
    return error.origin == .own ? own : input
  }

  static func report(_ error: BundleError) -> ExitCode {
    print(error.description)
    return input
  }

  /// Returns the result of `body`. If it throws, prints the error to standard error, and throws the matching exit
  /// status.
  static func reporting<Value>(
    _ body: () throws(RunError) -> Value
  ) throws(ExitCode) -> Value {
    do throws(RunError) { return try body() } catch { throw report(error) }
  }

  /// Prints a line to standard error.
  static func print(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
  }
}

/// A command whose errors are printed to standard error.
protocol ReportingCommand: ParsableCommand {
  func perform() throws(RunError)
}

extension ReportingCommand {
  func run() throws { try Failure.reporting(perform) }
}

// MARK: - Signals

/// Cleans up when SIGHUP, SIGINT or SIGTERM ends the command.
enum Interruption {
  /// Requests a cleanup in case a signal ends the command. Before the command ends, all guests are ended and `folder`
  /// is removed. Call this once.
  ///
  /// - Parameter folder: The folder to remove; nil to remove none.
  /// - Throws: ``RunError`` if the system does not permit it.
  static func cleanUp(removing folder: String?) throws(RunError) {
    let code = sluice_clean_up_on_interruption(folder ?? "")
    guard code != 0 else { return }
    let reason = String(cString: strerror(-code)).lowercased()
    throw RunError(.command, "cannot wait for signals: \(reason)", rule: "signal", origin: .own)
  }

  /// Passes signals on to a child process. The command then ends only after the child.
  ///
  /// - Parameter child: The child's process id; nil after the child has exited.
  static func pass(on child: Int32?) { sluice_pass_interruptions_on(child ?? 0) }
}

/// Records that SIGHUP, SIGINT or SIGTERM arrived. The command can then cancel its jobs on other machines before it
/// ends.
enum NotedSignal {
  private static let codes = [SIGINT, SIGTERM, SIGHUP]

  /// Starts to record signals. Signals that the process ignores, as under nohup(1), stay ignored.
  static func begin() {
    number.store(0, ordering: .relaxed)
    for code in codes where !isIgnored(code) {
      signal(code) { number.store($0, ordering: .relaxed) }
    }
  }

  /// The signal that was recorded; nil if there is none.
  static var received: Int32? {
    let code = number.load(ordering: .relaxed)
    return code == 0 ? nil : code
  }

  /// Stops recording. A signal then ends the command immediately.
  static func end() {
    for code in codes where !isIgnored(code) { signal(code, SIG_DFL) }
  }

  /// Ends the command as the recorded signal would have ended it.
  static func endCommand() -> Never {
    let code = received ?? SIGTERM
    signal(code, SIG_DFL)
    raise(code)
    // The command exits even if the signal is blocked and cannot end the process.
    exit(128 + code)
  }

  private static func isIgnored(_ code: Int32) -> Bool {
    var action = sigaction()
    sigaction(code, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

/// The recorded signal's number; 0 if there is none.
private let number = Atomic<Int32>(0)
