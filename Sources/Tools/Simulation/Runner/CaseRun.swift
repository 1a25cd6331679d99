internal import EventLoop
package import Host
package import Model
package import Scenario

/// A run of one case on its devices, with real processes and one step at a time.
package final class CaseRun {
  private let test: Case
  /// The devices, at least one.
  private let devices: [CaseDevice]
  /// The traffic between devices; nil if there is only one device.
  private let organization: CaseOrganization?
  private let waiting: CaseWait
  private var cursor: StepCursor
  /// The `advance` step in progress; nil if there is none.
  private var passing: OpenStep?
  /// The numbers of the steps with parts that ran concurrently.
  private var unordered: Set<Int> = []
  /// The number of waits for programs that did not become idle in time.
  package private(set) var timedOutWaits = 0
  /// Called with the new device after each restart.
  package var onDevice: (Device) -> Void = { _ in }
  /// Called whenever a step begins.
  var onStep: () -> Void = {}
  /// Called after each event during a wait.
  package var onRound: () -> Void {
    get { waiting.onRound }
    set { waiting.onRound = newValue }
  }

  /// Starts the devices of a case, one for each resolved scenario.
  package convenience init(
    _ test: Case, of resolvedScenarios: [ResolvedScenario], _ settings: RunSettings, folder: String
  ) throws(RunError) {
    let devices = try CaseDevice.bringUp(of: test.name, resolvedScenarios, settings, folder: folder)
    let scenarios = resolvedScenarios.map(\.scenario)
    self.init(
      test, on: devices,
      in: devices.count > 1
        ? CaseOrganization(DeviceRoster(scenarios), latency: scenarios[0].links.latency) : nil,
      settings)
  }

  /// Prepares to run a case's steps on devices that are up.
  init(
    _ test: Case, on devices: [CaseDevice], in organization: CaseOrganization?,
    _ settings: RunSettings
  ) {
    self.test = test
    self.devices = devices
    self.organization = organization
    cursor = StepCursor(test.steps)
    waiting = CaseWait(stepLimit: settings.stepLimit)
    for member in devices {
      organization?.add(member)
      member.onDevice = { [unowned self, unowned member] device in
        organization?.connect(member)
        onDevice(device)
      }
    }
  }

  /// The first device. Most scenarios have only one device.
  private var first: CaseDevice { devices[0] }

  /// Runs the case to its end.
  ///
  /// - Throws: ``RunError`` if the apps cannot be installed, a device stops unexpectedly, or its journal
  ///   cannot be read.
  func run() throws(RunError) -> CaseRecording {
    try record { () throws(RunError) in
      try setUp()
      performSteps()
      try close()
    }
  }

  /// Calls `body`, and returns the events during the call, the output, and the texts that extensions have returned. If
  /// there are several devices, the events are all events of their journals.
  package func record(_ body: () throws(RunError) -> Void) throws(RunError) -> CaseRecording {
    // With several devices, the first event of each journal names its device, so each is read from the start.
    let starts = devices.map { organization == nil ? $0.journalSize : 0 }
    let start = ContinuousClock.now
    try body()
    var recording = CaseRecording(
      events: [], duration: ContinuousClock.now - start, unordered: unordered)
    for (member, size) in zip(devices, starts) {
      let name = organization == nil ? nil : member.name
      recording.add(
        try JournalFile.read(member.device.journalPath, from: size), of: name,
        output: member.watch.output, returned: member.traffic.takeReturned())
    }
    return recording
  }

  /// Begins the case, and installs the scenario's apps.
  ///
  /// - Throws: ``RunError`` if the apps cannot be installed. The devices are then down.
  func setUp() throws(RunError) {
    noteBeginning()
    do throws(RunError) {
      try install()
    } catch {
      takeDown()
      throw error
    }
  }

  private func install() throws(RunError) {
    for member in devices {
      member.watch.observe(member.device)
      try member.install()
    }
  }

  /// Ends the case, and shuts the devices down.
  ///
  /// - Throws: ``RunError`` if a device has stopped unexpectedly.
  func close() throws(RunError) {
    takeDown()
    if let error = devices.lazy.compactMap(\.device.error).first { throw RunError(stopped: error) }
  }

  /// Kills all guests and closes the devices, without ending the case.
  func abandon() {
    for member in devices { member.abandon() }
  }

  private func takeDown() {
    noteUntriggeredFaults()
    // While they stop, guests may still send to any device.
    for member in devices { member.stop() }
    for member in devices {
      // This includes guests that ended after the last step or during their stop.
      noteUnexpectedEnds(on: member, during: [], test.steps.count)
      member.device.record(.caseEnded)
      member.close()
    }
  }

  private func noteBeginning() {
    for member in devices {
      member.device.record(
        .caseBegan(
          suite: member.resolved.scenario.name, name: test.name, criterion: test.criterion))
    }
  }

  /// Records each fault that has not triggered as a failure of the step that armed it.
  private func noteUntriggeredFaults() {
    for member in devices {
      for (step, why) in member.faults.end(on: member.device) {
        member.device.record(.stepFailed(step: step, why: why))
      }
    }
  }

  // MARK: Steps

  /// Performs steps until the shared clock reaches `limit`. An `advance` step may begin in one call and end in a later
  /// call.
  func performSteps(until limit: Int = .max) {
    for member in devices { member.device.loop.catchUp() }
    while !waiting.isInterrupted, devices.allSatisfy(\.isSound) {
      if let step = passing {
        letTimePass(for: step, until: limit)
        guard step.end <= limit else { return }
        finish(step)
        passing = nil
      } else if devices.allSatisfy({ $0.time <= limit }), let (step, number) = cursor.next() {
        onStep()
        guard case .advance = step.action else {
          perform(step, number: number, from: .scenario)
          continue
        }
        passing = begin(step, at: places(of: step, on: devices), number, from: .scenario)
      } else {
        return
      }
    }
  }

  /// The time of the next event or step, on the shared clock; nil if all steps have ended, a device has
  /// stopped, or the run is interrupted.
  var nextTime: Int? {
    guard devices.allSatisfy(\.isSound), !waiting.isInterrupted else { return nil }
    guard let passing, let organization else {
      return cursor.isAtEnd ? nil : devices.map(\.time).min()
    }
    return passing.devices.compactMap(organization.nextEvent).min().map { min($0, passing.end) }
      ?? passing.end
  }

  /// Resumes an `advance` step that began on another host.
  private func resume(_ run: StepRun, number: Int) {
    passing = OpenStep(number: number, runs: [run], devices: [run.caseDevice])
    run.caseDevice.watch.begin([run])
  }

  /// Performs a step, and compares its outcome with its expectation.
  ///
  /// - Returns: The run of the step, or one run for each of its concurrent parts.
  @discardableResult
  package func perform(_ step: Step, number: Int, from source: StepSource) -> [StepRun] {
    if case .traffic = step.action {
      return step.carriedOut.flatMap { perform($0, number: number, from: source) }
    }
    let places = places(of: step, on: devices)
    // The devices of a group act one after the other, which keeps runs reproducible.
    guard let name = step.device, places.isOfGroup(name), !step.action.detail.concernsEachDevice
    else {
      return perform(step, at: places, number, from: source)
    }
    return places.byDevice.flatMap { perform(step, at: $0, number, from: source) }
  }

  private func perform(
    _ step: Step, at places: [StepPart], _ number: Int, from source: StepSource
  ) -> [StepRun] {
    let step = begin(step, at: places, number, from: source)
    letTimePass(for: step, until: .max)
    finish(step)
    return step.runs
  }

  private func begin(
    _ step: Step, at places: [StepPart], _ number: Int, from source: StepSource
  ) -> OpenStep {
    let byDevice = places.byDevice
    for own in byDevice {
      let device = own[0].device.device
      device.record(
        .stepBegan(step: number, text: step.text(of: own), at: source.place(step.position)))
      guard own[0].device.restartFailure != nil else { continue }
      device.record(.stepFailed(step: number, why: "the device is not up"))
    }
    let runs = places.filter { $0.device.restartFailure == nil }.map {
      StepRun($0.step, number: number, from: source, on: $0.device)
    }
    if byDevice.contains(where: { $0.count > 1 }) { unordered.insert(number) }
    let open = OpenStep(number: number, runs: runs, devices: byDevice.map { $0[0].device })
    let own = runs.byDevice
    for member in open.devices { member.watch.begin(own[ObjectIdentifier(member)] ?? []) }
    return open
  }

  /// Runs the devices' events in order of time, until the step ends or `limit` is reached. The time between the last
  /// event and the end of the step passes only when the step finishes.
  private func letTimePass(for step: OpenStep, until limit: Int) {
    guard let organization else { return }
    let members = step.devices.filter { $0.restartFailure == nil }
    let end = min(step.end, limit)
    while let next = members.filter(\.isSound).compactMap(organization.nextEvent).min(),
      next <= end, !waiting.isInterrupted
    {
      let due = members.filter { organization.nextEvent(of: $0) == next }
      for member in due {
        member.advance(to: max(next, member.time))
        organization.deliver(to: member)
      }
      waiting.forStep(on: due.map(\.device)) { due.allSatisfy(\.isQuiet) }
    }
  }

  private func finish(_ step: OpenStep) {
    defer { for member in step.devices { member.watch.end() } }
    for run in step.runs {
      run.begin()
      run.device.loop.touch()
    }
    if !step.runs.isEmpty { wait(for: step.runs, step.number) }
    let own = step.runs.byDevice
    for member in step.devices {
      noteUnexpectedEnds(on: member, during: own[ObjectIdentifier(member)] ?? [], step.number)
    }
    for run in step.runs { run.compare() }
    // The devices of an organisation can be on several hosts, which all perform the same steps.
    if organization == nil, step.runs.contains(where: \.endsCase) { cursor.skipToEnd() }
  }

  /// Records the unexpected ends of guests as failures of the step.
  private func noteUnexpectedEnds(
    on member: CaseDevice, during steps: [StepRun], _ number: Int
  ) {
    let ends = member.watch.takeUnexpectedEnds()
    guard !ends.isEmpty else { return }
    let expected = ExpectedEnds(of: steps, in: member.world)
    for end in ends where !expected.contains(end) {
      member.device.record(.stepFailed(step: number, why: end.text))
    }
  }

  /// Returns the parts of a step, which run concurrently, each with its device. A part is an element of `concurrently`,
  /// or the step on one device or guest.
  ///
  /// - Parameter all: The devices for a step that names no device.
  private func places(of step: Step, on all: [CaseDevice]) -> [StepPart] {
    let members = step.device.map { name in all.filter { $0.isCalled(name) } } ?? all
    if case .concurrently(let concurrency) = step.action {
      return concurrency.steps.flatMap { places(of: $0, on: members) }
    }
    // If MDM manages no device, the step runs on all of them, and each reports the reason for the failure.
    let isReached = { (member: CaseDevice) in
      step.device != nil || member.isReached(by: step)
        || !(self.organization?.roster.isAnyManaged ?? false)
    }
    return members.filter(isReached).flatMap { member in
      member.resolved.scenario.expand(step).map { StepPart(step: $0, device: member) }
    }
  }

  /// Waits until the requests of the steps have ended, including the requests that guests with their own programs make
  /// as a result. Restarts devices that a fault stops. A step that has not ended within the time limit fails.
  private func wait(for steps: [StepRun], _ number: Int) {
    var up = devices.filter { $0.restartFailure == nil }
    guard up.count == devices.count || organization != nil else { return }
    var unfinished = UnfinishedSteps(steps)
    repeat {
      waiting.forStep(on: up.map(\.device)) {
        unfinished.isEmpty && up.allSatisfy(\.isQuiet)
      }
      if unfinished.isEmpty, up.allSatisfy(\.isSound) { settle(up) }
      // If a fault stops one device, the others continue.
      let stopped = up.filter { !$0.isSound }
      for member in stopped where member.device.faults.hasStoppedDevice {
        comeUpAgain(member, under: steps.filter { $0.caseDevice === member }, number)
      }
      up.removeAll { member in stopped.contains { $0 === member } }
      if stopped.isEmpty { break }
    } while isGoingOn(steps, on: up)
    guard !unfinished.isEmpty else { return }
    let open = steps.filter { !$0.isDone }.byDevice
    for member in up {
      guard let own = open[ObjectIdentifier(member)] else { continue }
      for step in own { step.abandon() }
      let why = waiting.isInterrupted ? "the device is shutting down" : timeoutText(of: own)
      member.device.record(.stepFailed(step: number, why: why))
    }
  }

  /// Returns whether a device that is up is busy, or a step on such a device is unfinished. Returns false if waits are
  /// interrupted.
  private func isGoingOn(_ steps: [StepRun], on up: [CaseDevice]) -> Bool {
    guard !waiting.isInterrupted else { return false }
    return !up.allSatisfy(\.isQuiet) || steps.contains { !$0.isDone && up.contains($0.caseDevice) }
  }

  /// Restarts a device that a fault has stopped. Its steps end, because their requests are lost.
  private func comeUpAgain(_ member: CaseDevice, under steps: [StepRun], _ number: Int) {
    for run in steps { run.endWithDevice() }
    if let why = member.restart() { member.device.record(.stepFailed(step: number, why: why)) }
  }

  /// Waits until guests with their own programs are idle, because their work belongs to the step that caused it.
  private func settle(_ up: [CaseDevice]) {
    for member in up { member.forgetIdle() }
    let isIdle = { up.allSatisfy { $0.device.idleWatch.ownActivity(besides: $0.neverIdle) == nil } }
    guard !isIdle(), !waiting.isInterrupted else { return }
    let isSettled = waiting.untilIdle(on: up.map(\.device)) {
      up.allSatisfy(\.traffic.isQuiet) && isIdle()
    }
    guard !isSettled, !waiting.isInterrupted else { return }
    timedOutWaits += 1
    for member in up { member.noteNeverIdle() }
  }

  private func timeoutText(of steps: [StepRun]) -> String {
    let why = steps.lazy.compactMap(\.pendingReason).first.map { ": \($0)" } ?? ""
    return "the step did not end within \(waiting.stepLimit / 1000) seconds\(why)"
  }
}

// MARK: - Devices that stay up

extension CaseRun {
  /// Installs the scenario's apps on a device that stays up until ``end()``.
  package func begin() throws(RunError) {
    do throws(RunError) {
      try install()
    } catch {
      end()
      throw error
    }
  }

  /// Performs the case's steps, and leaves the device up.
  package func carryOut() {
    noteBeginning()
    performSteps()
    noteUntriggeredFaults()
    for member in devices { member.device.record(.caseEnded) }
  }

  package func end() {
    for member in devices { member.stop() }
    for member in devices { member.close() }
  }

  /// Restarts devices that a fault has stopped between steps.
  package func recover() {
    for member in devices
    where member.device.faults.hasStoppedDevice && member.restartFailure == nil {
      _ = member.restart()
    }
  }

  package var device: Device { first.device }
  package var world: CaseWorld { first.world }
  package var traffic: CaseTraffic { first.traffic }
  /// The number of times that an event has been compared with a step, on all devices.
  package var lookups: Int { devices.reduce(0) { $0 + $1.watch.lookups } }
  package var isRestarting: Bool { first.isRestarting }
  package var restartFailure: String? { first.restartFailure }
  /// Whether the device can no longer be used.
  package var isOver: Bool { restartFailure != nil || device.error != nil }
  package var journalSize: Int { first.journalSize }
  package var output: [GuestOutput] { first.watch.output }
  /// Called with each decision on a request that an app's own program makes on its own initiative, and with
  /// the app's name.
  package var onOwnRequest: (RequestDecision, String) -> Void {
    get { first.watch.onOwnRequest }
    set { first.watch.onOwnRequest = newValue }
  }

  package var runningGuests: [String] { devices.flatMap(\.device.guests.running) }

  package func interrupt() { waiting.isInterrupted = true }

  package func killAll() { for member in devices { member.killAll() } }
}

// MARK: - Devices of lost hosts

/// Takeover of devices after the loss of their process and its machine.
extension CaseRun {
  /// Takes a device over, and resumes the case where its journal ends. An interrupted `advance` step continues. Any
  /// other interrupted step fails. If the device has begun no step, it begins with the first step.
  ///
  /// - Parameter journal: The events of the case so far.
  /// - Throws: ``RunError`` if the scenario's apps cannot be installed again.
  func takeOver(_ member: CaseDevice, after journal: [JournalEvent]) throws(RunError) {
    let begun = journal.enumerated().compactMap { index, event in
      if case .stepBegan(let step, _, _) = event.kind {
        (step: step, time: event.time, index: index)
      } else {
        nil
      }
    }
    guard let last = begun.last else { return try setUp() }
    cursor.skip(to: last.step, begun: begun.count { $0.step == last.step })
    let passed = begun.flatMap { places(of: test.steps[$0.step - 1], on: devices).map(\.step) }
    try member.takeOver(after: passed)
    let step = cursor.last ?? test.steps[last.step - 1]
    if case .advance = step.action {
      resume(
        StepRun(step, number: last.step, from: .scenario, on: member, since: last.time),
        number: last.step)
    } else if !step.hasEnded(in: journal[last.index...]) {
      member.device.record(.stepFailed(step: last.step, why: "the device's host was lost"))
    }
    for number in journal.untriggeredFaults(of: test.steps) {
      member.device.record(
        .stepFailed(
          step: number, why: "the fault had not triggered when the device's host was lost"))
    }
  }
}

// MARK: - Waiting

/// Runs a case's devices until a condition holds, a time limit passes, or the wait is interrupted.
private final class CaseWait {
  /// The time limit of a step, in milliseconds of ``RunningTime``.
  let stepLimit: UInt64
  var onRound: () -> Void = {}
  /// The event loops of the devices in the latest wait for several devices, for reuse if the next wait is for the same
  /// devices.
  private var loops: LoopSet?
  /// Whether every wait ends immediately, because the devices are shutting down.
  var isInterrupted = false

  init(stepLimit: UInt64) { self.stepLimit = stepLimit }

  /// Waits for at most the time limit of a step.
  func forStep(on devices: [Device], until condition: () -> Bool) {
    run(devices, stepLimit, .onEvents, until: condition)
  }

  /// The interval at which a wait compares the elapsed time with its limit, in milliseconds.
  private static let readingInterval: UInt64 = 500

  /// Waits until `condition` is true, for at most a second. Checks the condition often, because no event announces that
  /// a program has become idle.
  ///
  /// - Returns: Whether the condition became true in time.
  func untilIdle(on devices: [Device], until condition: () -> Bool) -> Bool {
    run(devices, Self.settling, .often, until: condition)
  }

  /// The maximum wait for programs to become idle, in milliseconds.
  private static let settling: UInt64 = 1_000

  private enum Looking { case onEvents, often }

  @discardableResult
  private func run(
    _ devices: [Device], _ milliseconds: UInt64, _ looking: Looking, until condition: () -> Bool
  ) -> Bool {
    guard let loop = devices.first?.loop, let timer = try? Timer(on: loop, {}) else { return false }
    var isMet = false
    var time = RunningTime(from: loop.now)
    switch looking {
    case .onEvents:
      let interval = min(milliseconds, Self.readingInterval)
      timer.start(after: interval, every: interval)
    case .often: timer.start(after: 0, every: 1)
    }
    run(devices.map(\.loop)) {
      onRound()
      let isOver = time.read(at: loop.now) >= milliseconds
      if isInterrupted || isOver || devices.contains(where: { $0.error != nil }) { return true }
      isMet = condition()
      return isMet
    }
    timer.close()
    return isMet
  }

  private func run(_ loops: [EventLoop], until condition: () -> Bool) {
    if loops.count > 1 {
      if self.loops?.isOf(loops) != true { self.loops = LoopSet(loops) }
      // The timer belongs to the first loop.
      loops[0].touch()
      if let set = self.loops { return set.run(until: condition) }
      // No descriptor is available for the set, so poll each loop.
      while !condition() { for loop in loops { loop.drain() } }
      return
    }
    loops[0].run(until: condition)
  }
}

// MARK: - Positions within steps

struct StepCursor {
  private let steps: [Step]
  /// The index of the current step. After its last part has begun, the step stays current until ``next()`` is called.
  private var index = 0
  /// The parts of the current step in one repetition: the steps that replace a `traffic` step, or any other step as the
  /// only part.
  private var parts: [Step]
  /// The number of parts of the current step that have begun, in all repetitions.
  private var begun = 0

  init(_ steps: [Step]) {
    self.steps = steps
    parts = steps.first?.carriedOut ?? []
  }

  /// The number of parts of the current step, in all repetitions.
  private var count: Int { index < steps.count ? parts.count * steps[index].count : 0 }

  /// Begins the next part. Returns it with the number of its step in the case, from 1. Returns nil if no part is left.
  mutating func next() -> (step: Step, number: Int)? {
    while index < steps.count, begun >= count { move(to: index + 1) }
    guard index < steps.count else { return nil }
    begun += 1
    return (parts[(begun - 1) % parts.count], index + 1)
  }

  var isAtEnd: Bool {
    steps[min(index, steps.count)...].dropFirst().allSatisfy { $0.count < 1 } && begun >= count
  }

  /// The part that was begun last in the current step; nil if there is none.
  var last: Step? { begun > 0 ? parts[(begun - 1) % parts.count] : nil }

  private mutating func move(to index: Int) {
    self.index = index
    begun = 0
    parts = index < steps.count ? steps[index].carriedOut : []
  }

  mutating func skipToEnd() { move(to: steps.count) }

  /// Makes step `number` the current step. Its first `count` parts have already begun.
  mutating func skip(to number: Int, begun count: Int) {
    move(to: number - 1)
    begun = count
  }
}

// MARK: Parts of steps

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
  func isCalled(_ name: String) -> Bool {
    self.name == name || resolved.scenario.device.group == name
  }

  /// Returns whether a step for all devices applies to this device. Declarations reach only the devices that MDM
  /// manages.
  func isReached(by step: Step) -> Bool {
    guard case .declarations = step.action else { return true }
    return resolved.scenario.device.isMDMEnrolled
  }

  var isSound: Bool { device.error == nil }

}

extension Scenario {
  /// Returns the steps that `step` stands for on the device. A step for several guests becomes one step for each guest;
  /// they run concurrently. Any other step is returned alone.
  func expand(_ step: Step) -> [Step] {
    guard let actions = step.action.detail.actions(ofGuestsIn: self) else { return [step] }
    return actions.map { step.once($0) }
  }
}

extension Step {
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

  /// The time on the shared clock at which the step ends. Only an `advance` step ends later than it begins. `Int.min`
  /// if none of the step's devices is up.
  var end: Int { runs.map(\.clockEnd).max() ?? .min }
}

// MARK: Runs of steps

extension [StepRun] {
  /// The steps of each device, in order, keyed by device.
  var byDevice: [ObjectIdentifier: [StepRun]] {
    Dictionary(grouping: self) { ObjectIdentifier($0.caseDevice) }
  }
}

/// Checks whether any of the given steps is unfinished. A step that has ended is not examined again.
struct UnfinishedSteps {
  private let steps: [StepRun]
  /// The index of the first step that might not have ended.
  private var index = 0

  init(_ steps: [StepRun]) { self.steps = steps }

  var isEmpty: Bool {
    mutating get {
      while index < steps.count, steps[index].isDone { index += 1 }
      return index == steps.count
    }
  }
}
