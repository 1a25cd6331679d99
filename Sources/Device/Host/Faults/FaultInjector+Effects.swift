internal import EventLoop
internal import Glibc
internal import Model
internal import Wire

/// The effects of faults.
extension FaultInjector {
  func carryOut(_ strike: Strike) {
    switch strike.effect {
    case .kill: end(strike) { $0.process.handle?.signalGroup(SIGKILL) }
    case .halfFrame: end(strike, breakOff)
    case .stop(let milliseconds):
      strike.target.map { hindrances.stop($0, for: milliseconds) }
    case .slowReader(let milliseconds):
      strike.target.map { hindrances.slow($0, for: milliseconds) }
    // The answer is lost when it is to be sent.
    case .dropAnswer: break
    case .fullDisk: fillDisk()
    case .restartHost:
      stopDevice { durability.fail(HostError(.killed, "a fault has killed the device's host")) }
    case .change(_, let change): change()
    case .wipe(let begin): wipe(strike, begin)
    }
  }

  /// Ends a guest. The other end of the transfer waits until that is told, so that the journal is the same each time.
  private func end(_ strike: Strike, _ body: (Guest) -> Void) {
    guard let target = strike.target, target.isRunning else { return }
    hindrances.hold(strike.witness) { target.process.onExit.append($0) }
    body(target)
  }

  /// Lets the device read half a frame of the guest's, and then the end of the stream.
  private func breakOff(_ guest: Guest) {
    guard let connection = guest.connection else { return }
    if connection.parser.keptCount == 0 {
      try? Self.halfFrame.withUnsafeBytes { bytes in
        try connection.parser.consume(bytes) { _ in .goOn }
      }
    }
    supervisor.didEnd(guest)
  }

  /// The length of a frame, and half of its bytes.
  private static let halfFrame: [UInt8] = [8, 0, 0, 0, 0, 0, 0, 0]

  /// Leaves no room on the disk, and has the device write: it stops.
  private func fillDisk() {
    stopDevice {
      database.isDiskFull = true
      durability.persist { () throws(HostError) in try database.setClock(clock.now) }
    }
  }

  private func stopDevice(_ body: () -> Void) {
    // A device that has stopped already has a reason of its own.
    guard durability.fault == nil else { return }
    hasStoppedDevice = true
    body()
  }
}
