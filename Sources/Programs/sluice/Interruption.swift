internal import CInterruption
internal import Diagnostics
internal import Foundation
internal import Simulation

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
