internal import Host
internal import JSON
internal import Scenario

/// How far the steps of a case have been begun.
struct StepCursor {
  private let steps: [Step]
  /// The place of the step that is begun next.
  private var index = 0
  /// How often it has been begun.
  private var repetition = 0

  init(_ steps: [Step]) { self.steps = steps }

  /// The step to be begun, with its number in the case, from 1 on; nil: there is none left.
  mutating func next() -> (step: Step, number: Int)? {
    while index < steps.count, repetition >= steps[index].count {
      index += 1
      repetition = 0
    }
    guard index < steps.count else { return nil }
    repetition += 1
    return (steps[index], index + 1)
  }

  /// Whether all steps have begun.
  var isAtEnd: Bool {
    steps[min(index, steps.count)...].dropFirst().allSatisfy { $0.count < 1 }
      && (index >= steps.count || repetition >= steps[index].count)
  }

  /// Passes over the steps up to that with a number, which has begun so many times.
  mutating func skip(to number: Int, begun count: Int) {
    index = number - 1
    repetition = count
  }
}

/// The origin of a step.
enum StepSource {
  /// The scenario's file.
  case scenario
  /// A client that drives a running device.
  case client

  /// The place in the scenario's file; nil where the step stands in none.
  func place(_ position: Position?) -> Position? {
    switch self {
    case .scenario: position
    case .client: nil
    }
  }
}

// MARK: - Places

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

// MARK: - Steps that have begun

/// A step that has begun, on one or several devices.
struct OpenStep {
  let number: Int
  /// The parts of the step on devices that are up.
  let runs: [StepRun]
  /// The devices that the step is carried out on.
  let devices: [CaseDevice]

  /// The time once the step has let time pass, by the clock of all devices; the beginning of time for one that lets none pass.
  var end: Int { runs.map(\.clockEnd).max() ?? .min }
}
