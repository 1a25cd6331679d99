internal import Foundation
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
  var decision: RequestDecision?
  var end: RequestEnd?
  var status = 0
  private var inboxes: [String: Int] = [:]

  init(_ step: Step, number: Int, in run: CaseRun) {
    self.step = step
    self.number = number
    self.run = run
    guest = step.action.guest
  }

  private var device: Device { run.device }

  func begin() {
    for name in [guest, step.action.receiver].compactMap(\.self) {
      inboxes[name] = Inbox(of: name, on: device).count
    }
    switch step.action {
    case .lifecycle(let lifecycle): begin(lifecycle)
    case .advance(let seconds):
      device.advanceClock(by: seconds)
      isDone = true
    case .concurrently: isDone = true
    default:
      guard let guest, let request = step.action.request(run) else { return fail("no request") }
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

  /// Ready-made guests learn how to answer; others know by themselves.
  private func didLaunch(_ names: [String]) {
    var remaining = names.count
    let done = { [weak self] in
      remaining -= 1
      if remaining == 0 { self?.isDone = true }
    }
    for name in names {
      if let cause = device.exitCause(of: name), !device.isRunning(name) {
        if step.expectation?.exit == nil { fail("`\(name)` did not come up: \(cause.text)") }
        done()
      } else if let behaviour = run.specification(of: name)?.behaviour {
        device.instruct(behaviour, on: name) { _ in done() }
      } else {
        done()
      }
    }
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
    return Observation(
      verdict: decision?.verdict, end: end, status: decision == nil ? nil : status,
      exit: guest.flatMap { device.isRunning($0) ? nil : device.exitCause(of: $0)?.code },
      received: received, identity: identity.map { run.reference($0.identity) },
      isManaged: identity?.isManaged)
  }

  /// What has come into the inbox of whoever was to get something.
  private var received: String? {
    guard let receiver = decision?.recipient(of: step.action) ?? step.action.receiver ?? guest
    else { return nil }
    let inbox = Inbox(of: receiver, on: device)
    return inbox.count > inboxes[receiver, default: 0] ? inbox.latest : nil
  }
}

/// What a ready-made guest has kept of what it was given.
private struct Inbox {
  let count: Int
  private let folder: String

  init(of guest: String, on device: Device) {
    folder = "\(device.containerPath(of: guest))/Inbox"
    count = (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
  }

  var latest: String? {
    FileManager.default.contents(atPath: "\(folder)/\(count)").map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}

extension RequestDecision {
  /// The guest that got the item: of a share the receiver, which may be one run of an extension; else the
  /// guest that asked.
  fileprivate func recipient(of action: Action) -> String? {
    if case .share = action { receiver?.guest } else { nil }
  }
}
