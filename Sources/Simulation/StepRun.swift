internal import Host
internal import Scenario
internal import Transfer
internal import Wire

/// One step while it runs, and what came of it.
final class StepRun {
  let step: Step
  private let number: Int
  private unowned let run: CaseRun
  /// The guest that acts; nil where none does.
  let guest: String?
  private(set) var isDone = false
  /// What the step's guest asked for, then the items that an extension handed back to it.
  private var requests: [RequestRun] = []

  init(_ step: Step, number: Int, in run: CaseRun) {
    self.step = step
    self.number = number
    self.run = run
    guest = step.action.guest
  }

  private var device: Device { run.device }

  func begin() {
    switch step.action {
    case .lifecycle(let lifecycle): begin(lifecycle)
    case .advance(let seconds):
      device.advanceClock(by: seconds)
      isDone = true
    case .device(let change):
      device.change(change.apply)
      isDone = true
    case .account(let status):
      run.set(status)
      isDone = true
    case .concurrently: isDone = true
    default:
      guard let guest, let request = step.action.request(run) else { return fail("no request") }
      guard !device.isSuspended(guest) else { return fail("`\(guest)` is suspended") }
      device.perform(request, on: guest) { [weak self] failure in
        if let failure { self?.fail(failure) }
        self?.isDone = true
      }
    }
  }

  private func fail(_ why: String) {
    device.note(.stepFailed(step: number, why: why))
    isDone = true
  }

  // MARK: requests

  /// Whether `requester` asks on behalf of this step. Requests of one guest are answered in their order, so
  /// the first of its steps without a decision is the one that made the request.
  func isAwaiting(_ decision: RequestDecision, of requester: String) -> Bool {
    guard let first = requests.first else { return requester == guest }
    return decision.operation == .completeExtension
      && requester == first.decision.receiver?.guest
  }

  func decided(_ decision: RequestDecision, arrival: Inbox.Place?) {
    requests.append(RequestRun(decision: decision, arrival: arrival))
  }

  func ended(_ request: Int, _ end: RequestEnd, _ status: Int) {
    guard let index = requests.firstIndex(where: { $0.decision.request == request }) else { return }
    requests[index].end = end
    requests[index].status = status
  }

  // MARK: lifecycle

  private func begin(_ lifecycle: Action.Lifecycle) {
    let names = lifecycle.guests
    switch lifecycle.change {
    case .launch: launch(names)
    case .stop: device.stop(names) { [weak self] in self?.isDone = true }
    case .suspend:
      for name in names { change(name, device.suspend) { device.isSuspended(name) } }
      isDone = true
    case .resume:
      for name in names { change(name, device.resume) { !device.isSuspended(name) } }
      isDone = true
    case .kill: kill(names) { [weak self] in self?.isDone = true }
    case .relaunch: kill(names) { [weak self] in self?.launch(names) }
    }
  }

  private func change(_ name: String, _ act: (String) -> Void, _ holds: () -> Bool) {
    guard device.isRunning(name) else { return fail("`\(name)` is not running") }
    act(name)
    if !holds() { fail("`\(name)` is not ready") }
  }

  private func kill(_ names: [String], done: @escaping () -> Void) {
    var remaining = names.count
    for name in names {
      device.kill(name) {
        remaining -= 1
        if remaining == 0 { done() }
      }
    }
  }

  private func launch(_ names: [String]) {
    if let running = names.first(where: device.isRunning) {
      return fail("`\(running)` is running already")
    }
    device.launch(names) { [weak self] in self?.didLaunch(names) }
  }

  private func didLaunch(_ names: [String]) {
    for name in names {
      if let cause = device.exitCause(of: name), step.expectation?.exit == nil {
        fail("`\(name)` did not come up: \(cause.text)")
      }
    }
    isDone = true
  }

  // MARK: comparing

  func compare() {
    guard let expectation = step.expectation else { return }
    for comparison in expectation.compare(with: observation) {
      device.note(
        .expectation(
          step: number, expected: comparison.expected, found: comparison.found,
          isMet: comparison.isMet))
    }
  }

  private var observation: Observation {
    let about = step.action.receiver.flatMap { device.identity(of: $0) == nil ? nil : $0 } ?? guest
    let identity = about.flatMap(device.identity)
    var observation = requests.first?.observation(on: device) ?? Observation()
    observation.exit = guest.flatMap {
      device.isRunning($0) ? nil : device.exitCause(of: $0)?.code
    }
    observation.identity = identity.map { run.reference($0.identity) }
    observation.isManaged = identity?.isManaged
    if let extensionRun {
      observation.identity = run.reference(extensionRun.identity)
      observation.isManaged = extensionRun.isManaged
    }
    observation.returned = requests.dropFirst().map { $0.observation(on: device) }
    return observation
  }
}

extension StepRun {
  /// The run of an extension that got the step's item: it is another guest than the one that the step names, and
  /// may have ended.
  private var extensionRun: Participant? {
    guard let named = step.action.receiver, let receiver = requests.first?.decision.receiver,
      receiver.guest.hasPrefix(named + "#")
    else { return nil }
    return receiver
  }
}

/// A request of a step, and what came of it.
private struct RequestRun {
  let decision: RequestDecision
  /// Where what moves is to arrive; nil where nothing does.
  let arrival: Inbox.Place?
  var end: RequestEnd?
  var status = 0

  func observation(on device: Device) -> Observation {
    Observation(
      verdict: decision.verdict, end: end, status: status,
      received: arrival.flatMap { Inbox(of: $0.guest, on: device).text(at: $0.number) })
  }
}
