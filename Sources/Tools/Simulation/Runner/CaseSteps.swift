internal import Encodings
internal import Host
internal import Model
internal import Scenario

/// The position within the steps of a case.
struct StepCursor {
  private let steps: [Step]
  /// The index of the next step.
  private var index = 0
  /// The steps that are carried out for the next step in each of its repetitions.
  private var parts: [Step]
  /// The number of parts of the next step that have begun.
  private var begun = 0

  init(_ steps: [Step]) {
    self.steps = steps
    parts = steps.first?.carriedOut ?? []
  }

  /// The number of parts of the next step in all of its repetitions.
  private var count: Int { index < steps.count ? parts.count * steps[index].count : 0 }

  /// Returns the next step and its number in the case, from 1; nil if none is left.
  mutating func next() -> (step: Step, number: Int)? {
    while index < steps.count, begun >= count { move(to: index + 1) }
    guard index < steps.count else { return nil }
    begun += 1
    return (parts[(begun - 1) % parts.count], index + 1)
  }

  var isAtEnd: Bool {
    steps[min(index, steps.count)...].dropFirst().allSatisfy { $0.count < 1 } && begun >= count
  }

  /// The step that was begun last; nil if there is none.
  var last: Step? { begun > 0 ? parts[(begun - 1) % parts.count] : nil }

  private mutating func move(to index: Int) {
    self.index = index
    begun = 0
    parts = index < steps.count ? steps[index].carriedOut : []
  }

  /// Skips all remaining steps.
  mutating func skipToEnd() { move(to: steps.count) }

  /// Skips to step `number`, of which `count` parts have already begun.
  mutating func skip(to number: Int, begun count: Int) {
    move(to: number - 1)
    begun = count
  }
}

package enum StepSource {
  /// The scenario file.
  case scenario
  /// A client of a running device.
  case client

  /// Returns the position in the scenario file; nil for a client's step.
  func place(_ position: Position?) -> Position? {
    switch self {
    case .scenario: position
    case .client: nil
    }
  }
}

// MARK: Parts of steps

/// A part of a step, and its device.
struct StepPart {
  let step: Step
  let device: CaseDevice
}

extension [StepPart] {
  /// The parts grouped by device, in order of each device's first part.
  var byDevice: [[StepPart]] {
    var order: [ObjectIdentifier: Int] = [:]
    var parts: [[StepPart]] = []
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

  /// Returns whether `name` is the name of a device group.
  func isOfGroup(_ name: String) -> Bool { contains { $0.device.name != name } }
}

extension [CaseDevice] {
  func contains(_ device: CaseDevice) -> Bool { contains { $0 === device } }
}

extension Step {
  /// Returns the step in one line. If its concurrent parts name devices, only the given parts are included.
  func text(of places: [StepPart]) -> String {
    guard case .concurrently(let concurrency) = action,
      concurrency.steps.contains(where: { $0.device != nil })
    else { return text }
    return Action.Concurrency(steps: places.map(\.step)).text
  }
}

extension CaseDevice {
  /// Returns whether `name` is this device's name or its group's.
  func isCalled(_ name: String) -> Bool {
    self.name == name || resolved.scenario.device.group == name
  }

  /// Returns whether a step for all devices applies to this one. Declarations reach only the devices that
  /// MDM manages.
  func isReached(by step: Step) -> Bool {
    guard case .declarations = step.action else { return true }
    return resolved.scenario.device.isMDMEnrolled
  }

  var isSound: Bool { device.error == nil }

}

extension Scenario {
  /// Returns the steps to perform concurrently for `step` on the device.
  func expand(_ step: Step) -> [Step] {
    guard let actions = step.action.detail.actions(ofGuestsIn: self) else { return [step] }
    return actions.map { step.once($0) }
  }
}

extension Step {
  /// Returns a copy of the step with another action and a count of 1.
  fileprivate func once(_ action: Action) -> Step {
    var step = self
    step.action = action
    step.count = 1
    return step
  }
}

// MARK: Open steps

/// A step that has begun on one or more devices.
struct OpenStep {
  let number: Int
  /// The parts of the step on devices that are up.
  let runs: [StepRun]
  let devices: [CaseDevice]

  /// The time on the shared clock at which the step ends; `Int.min` for a step that lets no time pass.
  var end: Int { runs.map(\.clockEnd).max() ?? .min }
}

// MARK: Runs of steps

extension [StepRun] {
  /// The steps of each device, in order.
  var byDevice: [ObjectIdentifier: [StepRun]] {
    Dictionary(grouping: self) { ObjectIdentifier($0.caseDevice) }
  }
}

/// The steps that have not ended. Steps that have ended are compared only once.
struct UnfinishedSteps {
  private let steps: [StepRun]
  /// The index of the first step that may not have ended.
  private var index = 0

  init(_ steps: [StepRun]) { self.steps = steps }

  var isEmpty: Bool {
    mutating get {
      while index < steps.count, steps[index].isDone { index += 1 }
      return index == steps.count
    }
  }
}

/// The ends of guests that steps expect.
struct ExpectedEnds {
  private let world: CaseWorld
  private var guests: Set<String> = []
  private var bundles: Set<String> = []
  /// Whether a step expects the end of any receiver.
  private var isAnyReceiver = false

  init(of steps: [StepRun], in world: CaseWorld) {
    self.world = world
    var receivers: Set<String> = []
    for step in steps {
      if let guest = step.endingGuest { guests.insert(guest) }
      guard step.expectsFailure else { continue }
      if let receiver = step.receiver { receivers.insert(receiver) } else { isAnyReceiver = true }
    }
    bundles = Set(receivers.map(world.bundleID))
  }

  func contains(_ end: UnexpectedEnd) -> Bool {
    let name = InstanceName(end.guest)?.extension ?? end.guest
    return guests.contains(name) || isAnyReceiver || bundles.contains(world.bundleID(of: name))
  }
}
