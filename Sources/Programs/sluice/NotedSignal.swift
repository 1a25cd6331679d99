internal import Foundation
internal import Synchronization

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
