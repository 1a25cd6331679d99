internal import Host
internal import Model
internal import Scenario

extension StepRun {
  func begin(_ lifecycle: Action.Lifecycle) {
    let names = lifecycle.guests
    switch lifecycle.change {
    case .launch: launch(names)
    case .stop: device.guests.stop(names) { [weak self] in self?.end() }
    case .suspend:
      for name in names { change(name, device.guests.suspend) { device.guests.isSuspended(name) } }
      end()
    case .resume:
      for name in names { change(name, device.guests.resume) { !device.guests.isSuspended(name) } }
      end()
    case .kill: device.guests.kill(names) { [weak self] in self?.end() }
    case .relaunch: device.guests.kill(names) { [weak self] in self?.launch(names) }
    }
  }

  private func change(_ name: String, _ act: (String) -> Void, _ holds: () -> Bool) {
    guard device.guests.isRunning(name) else { return fail("`\(name)` is not running") }
    act(name)
    if !holds() { fail("`\(name)` is not ready") }
  }

  private func launch(_ names: [String]) {
    if let running = names.first(where: device.guests.isRunning) {
      return fail("`\(running)` is running already")
    }
    launchInTurn(names) { [weak self] in self?.didLaunch(names) }
  }

  private func didLaunch(_ names: [String]) {
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
