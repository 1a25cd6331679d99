internal import Diagnostics
internal import CInterruption
internal import Foundation
internal import Simulation

/// A signal that ends the command: SIGHUP, SIGINT or SIGTERM.
enum Interruption {
  /// Has all guests ended, and a folder removed, before the command ends. To be called once.
  ///
  /// - Parameter folder: nil: none is removed.
  /// - Throws: ``RunError`` where the system does not allow it.
  static func cleanUp(removing folder: String?) throws(RunError) {
    let code = sluice_clean_up_on_interruption(folder ?? "")
    guard code != 0 else { return }
    let reason = String(cString: strerror(-code)).lowercased()
    throw RunError(.command, "cannot wait for signals: \(reason)", rule: "signal", fault: .own)
  }

  /// Has a child process get the signal, and end, before the command ends.
  ///
  /// - Parameter child: its process identifier; nil: there is none any more.
  static func pass(on child: Int32?) { sluice_pass_interruptions_on(child ?? 0) }
}
