internal import Diagnostics
internal import EventLoop
internal import Simulation

/// The loop on which a process of a fleet hears the others.
enum FleetLoop {
  /// - Throws: ``RunError`` where the system refuses.
  static func make() throws(RunError) -> EventLoop {
    do throws(EventLoopError) {
      return try EventLoop(readSize: 1 << 18)
    } catch {
      throw RunError(.command, "\(error)", rule: "fleet", fault: .own)
    }
  }
}
