internal import EventLoop
internal import Host

/// Runs a case's devices until a condition holds, a time limit passes, or the wait is interrupted.
final class CaseWait {
  /// The time that one step may take, in milliseconds of real time.
  let stepLimit: UInt64
  /// A closure that is called whenever something has happened during a wait.
  var onRound: () -> Void = {}
  /// The loops of several devices that were waited for last.
  private var loops: LoopSet?
  /// Whether every wait ends at once, because the devices are to go down.
  var isInterrupted = false

  init(stepLimit: UInt64) { self.stepLimit = stepLimit }

  /// Waits for as long as a step may take.
  func forStep(on devices: [Device], until condition: () -> Bool) {
    run(devices, stepLimit, .onEvents, until: condition)
  }

  /// Waits for programs to come to rest, which no event announces, for a second at most.
  func untilIdle(on devices: [Device], until condition: () -> Bool) {
    run(devices, Self.settling, .often, until: condition)
  }

  /// The time that a step waits for programs that do not come to rest, in milliseconds.
  private static let settling: UInt64 = 1_000

  private enum Looking { case onEvents, often }

  private func run(
    _ devices: [Device], _ milliseconds: UInt64, _ looking: Looking, until condition: () -> Bool
  ) {
    guard let loop = devices.first?.loop, let timer = try? Timer(on: loop, {}) else { return }
    let limit = loop.now + milliseconds
    switch looking {
    case .onEvents: timer.start(after: milliseconds)
    case .often: timer.start(after: 0, every: 1)
    }
    run(devices.map(\.loop)) {
      onRound()
      return isInterrupted || devices.contains { $0.fault != nil } || loop.now >= limit
        || condition()
    }
    timer.close()
  }

  private func run(_ loops: [EventLoop], until condition: () -> Bool) {
    if loops.count > 1 {
      if self.loops?.isOf(loops) != true { self.loops = LoopSet(loops) }
      // The timer is the first one's.
      loops[0].touch()
      if let set = self.loops { return set.run(until: condition) }
      // There is no descriptor for the set.
      while !condition() { for loop in loops { loop.settle() } }
      return
    }
    loops[0].run(until: condition)
  }
}
