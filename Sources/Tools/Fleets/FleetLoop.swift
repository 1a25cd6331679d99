internal import Diagnostics
package import EventLoop
package import Simulation

/// The loop on which a process of a fleet hears the others.
package enum FleetLoop {
  /// Opens a loop for `body`, and closes it with all that was opened on it.
  ///
  /// - Throws: ``RunError`` where the system refuses, and what `body` throws.
  package static func use<Value>(
    _ body: (EventLoop) throws(RunError) -> Value
  ) throws(RunError) -> Value {
    let loop: EventLoop
    do throws(EventLoopError) {
      loop = try EventLoop(readSize: 1 << 18)
    } catch {
      throw RunError(.command, "\(error)", rule: "fleet", fault: .own)
    }
    defer { loop.close() }
    return try body(loop)
  }
}
