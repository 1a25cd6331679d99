internal import Model

/// The life cycle of one guest process, as a state machine: it handles events and returns actions.
///
/// Every life cycle ends in `exited`, because every teardown ends with SIGKILL.
struct Supervision {
  enum State: Equatable {
    /// The process has been started, but its hello has not arrived.
    case spawning
    case ready
    case suspended
    /// The device is stopping or killing the process. `remaining` has the steps after the current one. `cause` is the
    /// exit cause that will be reported.
    case stopping(remaining: [Teardown.Step], cause: ExitCause)
    case exited(ExitCause)
  }

  enum Event {
    case welcomed
    case suspend
    case resume
    case stop
    /// The guest must be killed: by a scenario step, by the system, or because it violated the protocol, exceeded a
    /// limit or missed a deadline.
    case end(ExitCause)
    case timedOut
    case exited(status: Int)
    case signalled(Int)
  }

  enum Action: Equatable {
    case askToStop
    case freeze
    case thaw
    case terminate
    case kill
    /// Send ``Event/timedOut`` after `milliseconds`, and cancel any earlier wait.
    case wait(milliseconds: UInt64)
    case stopWaiting
  }

  private(set) var state = State.spawning
  private let teardown: Teardown

  init(teardown: Teardown) { self.teardown = teardown }

  /// Whether the device still processes the guest's messages, including the last messages before its exit. It discards
  /// the messages of a guest that it kills.
  var isHeard: Bool {
    switch state {
    case .spawning, .ready, .suspended, .stopping(_, .stopped): true
    case .exited(.stopped), .exited(.exited), .exited(.signalled): true
    case .stopping, .exited: false
    }
  }

  mutating func handle(_ event: Event) -> [Action] {
    switch (state, event) {
    case (.exited, _): return []
    case (_, .exited(let status)): return exit(.exited(status: status))
    case (_, .signalled(let signal)): return exit(.signalled(signal: signal))
    case (.spawning, .welcomed):
      state = .ready
      return [.stopWaiting]
    case (.spawning, .timedOut): return end(.unresponsive(doing: "shaking hands"))
    case (.ready, .timedOut), (.suspended, .timedOut):
      return end(.unresponsive(doing: "running without a connection"))
    case (.ready, .suspend):
      state = .suspended
      return [.freeze]
    case (.suspended, .resume):
      state = .ready
      return [.thaw]
    case (.stopping(let remaining, let cause), .timedOut): return next(remaining, cause)
    case (.stopping(_, .stopped), .end(let cause)), (.spawning, .end(let cause)),
      (.ready, .end(let cause)), (.suspended, .end(let cause)):
      return end(cause)
    case (.suspended, .stop): return [.thaw] + next(teardown.steps, .stopped)
    case (.spawning, .stop), (.ready, .stop): return next(teardown.steps, .stopped)
    case (.spawning, .suspend), (.spawning, .resume), (.ready, .welcomed), (.ready, .resume),
      (.suspended, .welcomed), (.suspended, .suspend), (.stopping, .welcomed),
      (.stopping, .suspend), (.stopping, .resume), (.stopping, .stop), (.stopping, .end):
      return []
    }
  }

  /// Ends the life cycle of a guest whose process could not be started.
  mutating func abandon(_ cause: ExitCause) { state = .exited(cause) }

  private mutating func end(_ cause: ExitCause) -> [Action] {
    next([Teardown.Step(.kill, milliseconds: teardown.patience)], cause)
  }

  private mutating func next(_ steps: [Teardown.Step], _ cause: ExitCause) -> [Action] {
    guard let step = steps.first else {
      // A process cannot block SIGKILL, so the kernel is still busy. The step is repeated.
      return [.kill, .wait(milliseconds: teardown.patience)]
    }
    let isForced = step.action == .kill && cause == .stopped
    state = .stopping(
      remaining: Array(steps.dropFirst()),
      cause: isForced ? .unresponsive(doing: "stopping") : cause)
    return [step.action, .wait(milliseconds: step.milliseconds)]
  }

  private mutating func exit(_ found: ExitCause) -> [Action] {
    if case .stopping(_, let cause) = state {
      let endedWell = cause != .stopped || found == .exited(status: 0)
      state = .exited(endedWell ? cause : found)
    } else {
      state = .exited(found)
    }
    return [.stopWaiting]
  }
}

// MARK: - Teardown

/// The steps that stop a guest, with their timeouts. The last step is SIGKILL, which a process cannot block.
struct Teardown {
  struct Step: Equatable {
    var action: Supervision.Action
    /// The time before the next step, in milliseconds.
    var milliseconds: UInt64

    init(_ action: Supervision.Action, milliseconds: UInt64) {
      self.action = action
      self.milliseconds = milliseconds
    }
  }

  let steps: [Step]
  /// The time, in milliseconds, to wait for a process's exit after SIGKILL.
  let patience: UInt64

  /// Creates the steps: ask the guest to stop, terminate it, kill it. The first step gets three quarters of
  /// `milliseconds`, the second one quarter.
  init(within milliseconds: UInt64) {
    patience = 1_000
    steps = [
      Step(.askToStop, milliseconds: milliseconds * 3 / 4),
      Step(.terminate, milliseconds: milliseconds / 4),
      Step(.kill, milliseconds: patience),
    ]
  }
}
