internal import Host
internal import Scenario

/// A part of a step, and the device that it is carried out on.
struct StepPlace {
  let step: Step
  let device: CaseDevice
}

extension [StepPlace] {
  /// The parts of each device, in the order of the devices' first ones.
  var byDevice: [[StepPlace]] {
    var order: [ObjectIdentifier: Int] = [:]
    var parts: [[StepPlace]] = []
    for place in self {
      let device = ObjectIdentifier(place.device)
      if let index = order[device] {
        parts[index].append(place)
      } else {
        order[device] = parts.count
        parts.append([place])
      }
    }
    return parts
  }

  /// Whether `name` is that of several devices that are alike.
  func isOfGroup(_ name: String) -> Bool { contains { $0.device.name != name } }
}

extension [CaseDevice] {
  func contains(_ device: CaseDevice) -> Bool { contains { $0 === device } }
}

extension Step {
  /// The steps that are carried out at once for the step; the step itself where it holds no others.
  var parts: [Step] {
    guard case .concurrently(let concurrency) = action else { return [self] }
    return concurrency.steps.flatMap(\.parts)
  }

  /// The step in one line, of what is carried out at once only what one device does.
  func text(of places: [StepPlace]) -> String {
    guard case .concurrently(let concurrency) = action,
      concurrency.steps.contains(where: { $0.device != nil })
    else { return text }
    return Action.Concurrency(steps: places.map(\.step)).text
  }
}

extension CaseDevice {
  /// Whether a step that names the device, or all that are alike, is to be carried out here.
  func isCalled(_ name: String) -> Bool {
    self.name == name || blueprint.scenario.device.group == name
  }

  /// Whether what is done on each device is done here: MDM reaches the devices that it manages.
  func isReached(by step: Step) -> Bool {
    guard case .declarations = step.action else { return true }
    return blueprint.scenario.device.isMDMEnrolled
  }

  /// Whether the device has not stopped by itself.
  var isSound: Bool { device.fault == nil }

}

extension Scenario {
  /// The steps to carry out at once for `step` on the device.
  func expand(_ step: Step) -> [Step] {
    switch step.action {
    case .share(var share):
      guests(named: share.from).map { guest in
        share.from = guest
        return step.once(.share(share))
      }
    case .enroll(var enrollment):
      guests(named: enrollment.guest).map { guest in
        enrollment.guest = guest
        return step.once(.enroll(enrollment))
      }
    case .lifecycle, .account, .wipeUser, .switchIdentity, .unlock, .device, .status, .configure,
      .assign, .savePolicy, .assignConfiguration, .configuration, .rename, .restart, .fault,
      .delegate, .residue, .unenroll, .remediate, .acquireToken, .service, .conditionalAccess,
      .shareSheet, .import, .use, .airDrop, .openReceived, .copy, .paste, .openURL, .keychain,
      .file, .declarations, .managedApp, .administratorEvents, .served, .log, .user, .callExtension,
      .wait, .advance, .concurrently:
      [step]
    }
  }
}

extension Step {
  /// A copy of the step with another action, to be carried out once.
  fileprivate func once(_ action: Action) -> Step {
    var step = self
    step.action = action
    step.count = 1
    return step
  }
}
