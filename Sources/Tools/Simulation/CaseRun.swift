internal import Host
internal import Model
internal import Scenario

/// One case on its device, with real processes and one step after the other.
final class CaseRun {
  /// The state of the world around the device.
  let world: CaseWorld
  private let blueprint: Blueprint
  private let test: Case
  private let caseDevice: CaseDevice
  private let watch = CaseWatch()
  let waiting: CaseWait
  /// The numbers of steps with parts that were carried out at once.
  private var unordered: Set<Int> = []
  /// A closure that gets each new device, after a restart.
  var onDevice: (Device) -> Void = { _ in }
  /// A closure that gets each decision on what an app with a program of its own asks for by itself, and who asks.
  var onOwnRequest: (RequestDecision, String) -> Void {
    get { watch.onOwnRequest }
    set { watch.onOwnRequest = newValue }
  }

  /// Brings up the device of a case.
  ///
  /// - Throws: ``RunError`` where the device cannot be brought up.
  init(
    _ test: Case, of blueprint: Blueprint, _ settings: RunSettings, folder: String
  ) throws(RunError) {
    self.test = test
    self.blueprint = blueprint
    world = CaseWorld(blueprint, settings, folder: folder)
    waiting = CaseWait(stepLimit: settings.stepLimit)
    caseDevice = try CaseDevice(
      of: test.name, blueprint, settings, folder: folder, in: world)
    caseDevice.onDevice = { [unowned self] device in
      watch.observe(device)
      onDevice(device)
    }
  }

  var device: Device { caseDevice.device }
  var traffic: Traffic { watch.traffic }
  /// Whether the device is going down in order to come up again.
  var isRestarting: Bool { caseDevice.isRestarting }
  /// The reason why the device did not come up again; nil while it is up.
  var restartFailure: String? { caseDevice.restartFailure }
  /// Whether nothing can be done on the device any more.
  var isOver: Bool { restartFailure != nil || device.fault != nil }
  /// The size of the device's journal in bytes.
  var journalSize: Int { caseDevice.journalSize }

  /// Runs the case to its end.
  ///
  /// - Throws: ``RunError`` where the apps cannot be installed, the device stops by itself, or its journal cannot be
  ///   read.
  func run() throws(RunError) -> CaseRecording {
    try record { () throws(RunError) in try carryOutAlone() }
  }

  /// Records all that happens in `body`: events, output, and the texts that extensions handed back.
  func record(_ body: () throws(RunError) -> Void) throws(RunError) -> CaseRecording {
    let (size, start) = (journalSize, ContinuousClock.now)
    try body()
    return CaseRecording(
      events: try JournalFile.read(device.journalPath, from: size),
      duration: ContinuousClock.now - start,
      output: output, returned: traffic.takeReturned(),
      unordered: unordered)
  }

  /// What guests have written, in the order of their names.
  var output: [GuestOutput] { watch.output.all }

  private func carryOutAlone() throws(RunError) {
    noteBeginning()
    watch.observe(device)
    do throws(RunError) {
      try caseDevice.install()
    } catch {
      close()
      throw error
    }
    performSteps()
    close()
    if let fault = device.fault { throw RunError(stopped: fault) }
  }

  private func close() {
    noteUnstruckFaults()
    caseDevice.stop()
    device.note(.caseEnded)
    caseDevice.close()
  }

  private func noteBeginning() {
    device.note(
      .caseBegan(
        suite: blueprint.scenario.name, name: test.name, criterion: test.criterion))
  }

  /// Notes the faults that were armed for nothing, each as a failure of its step.
  private func noteUnstruckFaults() {
    for (step, why) in caseDevice.faults.end(on: device) {
      device.note(.stepFailed(step: step, why: why))
    }
  }

  private func performSteps() {
    for (index, step) in test.steps.enumerated() {
      for _ in 0..<step.count where !waiting.isInterrupted && device.fault == nil {
        perform(step, number: index + 1, from: .scenario)
      }
    }
  }

  // MARK: a device that stays up

  /// Installs the scenario's apps on a device that stays up until ``end()``.
  func begin() throws(RunError) {
    watch.observe(device)
    do throws(RunError) {
      try caseDevice.install()
    } catch {
      end()
      throw error
    }
  }

  /// Carries the case's steps out; the device stays up.
  func carryOut() {
    noteBeginning()
    performSteps()
    noteUnstruckFaults()
    device.note(.caseEnded)
  }

  func end() {
    caseDevice.stop()
    caseDevice.close()
  }

  // MARK: steps

  /// Carries out a step, and compares its outcome with its expectation.
  ///
  /// - Returns: the step, or the steps that were carried out at once for it.
  @discardableResult
  func perform(_ step: Step, number: Int, from source: StepSource) -> [StepRun] {
    device.note(.stepBegan(step: number, text: step.text, at: source.place(step.position)))
    guard restartFailure == nil else {
      device.note(.stepFailed(step: number, why: "the device is not up"))
      return []
    }
    let steps = expand(step).map {
      StepRun($0, number: number, from: source, on: caseDevice, traffic)
    }
    if steps.count > 1 { unordered.insert(number) }
    watch.begin(steps)
    defer { watch.end() }
    for run in steps { run.begin() }
    wait(for: steps, number)
    for run in steps { run.compare() }
    return steps
  }

  /// The steps to carry out at once for `step`.
  private func expand(_ step: Step) -> [Step] {
    switch step.action {
    case .concurrently(let concurrency): return concurrency.steps.flatMap(expand)
    case .share(var share):
      return blueprint.scenario.guests(named: share.from).map { guest in
        share.from = guest
        return step.once(.share(share))
      }
    case .enroll(var enrollment):
      return blueprint.scenario.guests(named: enrollment.guest).map { guest in
        enrollment.guest = guest
        return step.once(.enroll(enrollment))
      }
    default: return [step]
    }
  }

  /// Waits until the requests of the steps have ended, and with them those that guests with programs of their own have
  /// made in consequence.
  private func wait(for steps: [StepRun], _ number: Int) {
    guard restartFailure == nil else { return }
    waiting.forStep(on: device) {
      steps.allSatisfy(\.isDone) && traffic.isQuiet && !device.guests.isRunningExtensions
        && !device.rest.isBusy
    }
    if steps.allSatisfy(\.isDone), device.fault == nil { settle() }
    if device.faults.hasStoppedDevice { return comeUpAgain(under: steps, number) }
    guard device.fault == nil, !steps.allSatisfy(\.isDone) else { return }
    let why = waiting.isInterrupted ? "the device goes down" : standstill(of: steps)
    device.note(.stepFailed(step: number, why: why))
  }

  /// Brings the device up again that a fault has stopped under steps: what they waited for is over.
  private func comeUpAgain(under steps: [StepRun], _ number: Int) {
    for run in steps { run.endWithDevice() }
    if let why = caseDevice.restart() { device.note(.stepFailed(step: number, why: why)) }
  }

  /// Brings the device up again where a fault has stopped it between steps.
  func recover() {
    if device.faults.hasStoppedDevice, restartFailure == nil { _ = caseDevice.restart() }
  }

  /// Waits for guests with programs of their own: their work belongs to the step that caused it.
  private func settle() {
    guard device.rest.ownActivity != nil, !waiting.isInterrupted else { return }
    waiting.untilIdle(on: device) { traffic.isQuiet && device.rest.ownActivity == nil }
  }

  private func standstill(of steps: [StepRun]) -> String {
    let why = steps.lazy.compactMap(\.standstill).first.map { ": \($0)" } ?? ""
    return "it did not end within \(waiting.stepLimit / 1000) seconds\(why)"
  }
}

extension CaseRun: Interruptible {
  var runningGuests: [String] { device.guests.running }

  func interrupt() { waiting.isInterrupted = true }

  func killAll() { caseDevice.killAll() }
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
