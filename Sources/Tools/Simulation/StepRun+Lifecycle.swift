internal import Host
internal import Model
internal import Scenario
internal import UserActs
internal import Wire

extension StepRun {
  func begin(_ lifecycle: Action.Lifecycle) {
    let names = lifecycle.guests
    switch lifecycle.change {
    case .launch: launch(names)
    case .stop: device.guests.stop(names) { [weak self] in self?.end() }
    case .suspend: suspend(names[...])
    case .resume: resume(names[...])
    case .kill: device.guests.kill(names) { [weak self] in self?.end() }
    case .relaunch: device.guests.kill(names) { [weak self] in self?.launch(names) }
    }
  }

  /// Suspends one guest after the other, each once its own code has heard that it leaves the screen.
  private func suspend(_ names: ArraySlice<String>) {
    guard let name = names.first else { return end() }
    tell(name, .background) { [weak self] in
      guard let self else { return }
      if !hasEndedAsExpected(name) {
        change(name, device.guests.suspend) { device.guests.isSuspended(name) }
      }
      suspend(names.dropFirst())
    }
  }

  /// Has one guest after the other run on, and its own code hear that it is back on the screen.
  private func resume(_ names: ArraySlice<String>) {
    guard let name = names.first else { return end() }
    let wasSuspended = device.guests.isSuspended(name)
    change(name, device.guests.resume) { !device.guests.isSuspended(name) }
    guard wasSuspended else { return resume(names.dropFirst()) }
    tell(name, .foreground) { [weak self] in self?.resume(names.dropFirst()) }
  }

  /// Tells an app with a program of its own. The ready-made guest is on no screen; an app that takes no instructions goes
  /// to the background all the same.
  private func tell(_ name: String, _ phase: ScenePhase, done: @escaping () -> Void) {
    guard device.guests.hasOwnProgram(name), device.guests.isRunning(name),
      !device.guests.isSuspended(name)
    else { return done() }
    // What the guest has sent with its answer is read first.
    device.driver.perform(.scene(phase), on: name) { [weak self] _ in self?.soon(done) }
  }

  private func change(_ name: String, _ act: (String) -> Void, _ holds: () -> Bool) {
    guard device.guests.isRunning(name) else { return noteFailure(absence(of: name)) }
    act(name)
    if !holds() { noteFailure("`\(name)` is not ready") }
  }

  private func launch(_ names: [String]) {
    if let running = names.first(where: device.guests.isRunning) {
      return fail("`\(running)` is running already")
    }
    launchInTurn(names) { [weak self] in self?.didLaunch(names) }
  }

  private func didLaunch(_ names: [String]) {
    // Who did not come up is told of here.
    caseDevice.watch.forgetEnds(of: names)
    for name in names {
      if let cause = device.guests.exitCause(of: name), cause != .memoryPressure,
        step.expectation?.exit == nil
      {
        fail("`\(name)` did not come up: \(cause.text)")
      }
    }
    end()
  }
}
