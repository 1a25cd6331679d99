internal import EventLoop
internal import Host

/// Runs a case's device until something holds, for so long, or until nobody waits any more.
final class CaseWait {
  /// How long one step may take, in milliseconds of real time.
  let stepLimit: UInt64
  /// Called whenever something has happened meanwhile.
  var onRound: () -> Void = {}
  /// Whether every wait ends at once, because the device is to go down.
  var isInterrupted = false

  init(stepLimit: UInt64) { self.stepLimit = stepLimit }

  /// Waits for as long as a step may take.
  func forStep(on device: Device, until condition: () -> Bool) {
    run(device, stepLimit, .onEvents, until: condition)
  }

  /// Waits for programs that do not come to rest, of which nobody tells when they have.
  func forRest(on device: Device, until condition: () -> Bool) {
    run(device, Self.settling, .often, until: condition)
  }

  /// How long a step waits for programs that do not come to rest, in milliseconds.
  private static let settling: UInt64 = 1_000

  private enum Looking { case onEvents, often }

  private func run(
    _ device: Device, _ milliseconds: UInt64, _ looking: Looking, until condition: () -> Bool
  ) {
    let limit = device.loop.now + milliseconds
    guard let timer = try? Timer(on: device.loop, {}) else { return }
    switch looking {
    case .onEvents: timer.start(after: milliseconds)
    case .often: timer.start(after: 0, every: 1)
    }
    device.run {
      onRound()
      return isInterrupted || device.fault != nil || device.loop.now >= limit || condition()
    }
    timer.close()
  }
}
