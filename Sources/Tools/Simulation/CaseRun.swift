internal import Declarations
internal import EventLoop
internal import Foundation
internal import Host
internal import JSON
internal import Scenario
internal import ShareSheet
internal import Transfer
internal import Wire

/// One case on its device: real processes, one step after the other.
final class CaseRun {
  /// What is so around the device.
  let world: CaseWorld
  private let blueprint: Blueprint
  private let test: Case
  private let settings: RunSettings
  private(set) var device: Device
  /// Where the device is.
  private let folder: String
  private var steps: [StepRun] = []
  /// The numbers of steps with parts that were carried out at once.
  private var unordered: Set<Int> = []
  private var arrivals = Arrivals()
  var traffic = Traffic()
  /// What guests have written.
  private var output = CaseOutput()
  /// Called while a step waits, whenever something has happened.
  var onRound: () -> Void = {}
  /// Whether steps end at once, because the device is to go down.
  var isInterrupted = false
  /// Called with each new device, as after a restart.
  var onDevice: (Device) -> Void = { _ in }
  /// Ends searches that nobody waits for any more.
  private(set) var cancellation = Cancellation()
  /// Whether the device is just going down to come up again.
  private(set) var isRestarting = false
  /// Why the device did not come up again: nothing can be done on it any more; nil while it is up.
  private(set) var whyDown: String?

  /// - Throws: ``RunError`` where the device cannot be brought up.
  init(
    _ test: Case, of blueprint: Blueprint, _ settings: RunSettings, folder: String
  ) throws(RunError) {
    self.test = test
    self.blueprint = blueprint
    world = CaseWorld(blueprint, settings, folder: folder)
    self.settings = settings
    self.folder = folder
    do {
      device = try Device(blueprint.configuration(settings, folder: folder))
    } catch {
      throw RunError(error, file: settings.device ?? blueprint.scenario.file)
    }
  }

  /// How much the journal of the device holds, in bytes.
  var journalSize: Int {
    let file = try? FileManager.default.attributesOfItem(atPath: device.journalPath)
    return file?[.size] as? Int ?? 0
  }

  /// Runs the case to its end.
  ///
  /// - Throws: ``RunError`` also where its journal cannot be read.
  func run() throws(RunError) -> CaseRecording {
    try record { () throws(RunError) in try carryOutAlone() }
  }

  /// What is left of all that happens in `body`.
  func record(_ body: () throws(RunError) -> Void) throws(RunError) -> CaseRecording {
    let (size, start) = (journalSize, ContinuousClock.now)
    try body()
    return CaseRecording(
      events: try JournalFile.read(device.journalPath, from: size),
      duration: ContinuousClock.now - start,
      output: output.all, returned: traffic.returned,
      unordered: unordered)
  }

  private func carryOutAlone() throws(RunError) {
    device.note(
      .caseBegan(
        suite: blueprint.scenario.name, name: test.name, criterion: test.criterion))
    observe()
    do throws(RunError) {
      try install(settings.device == nil ? .fresh : .used)
      for (index, step) in test.steps.enumerated() {
        for _ in 0..<step.count where device.fault == nil {
          perform(step, number: index + 1, from: .scenario)
        }
      }
    } catch {
      close()
      throw error
    }
    close()
    if let fault = device.fault { throw RunError(stopped: fault) }
  }

  private func close() {
    stop()
    device.note(.caseEnded)
    shut()
  }

  private func shut() {
    device.observer = nil
    device.close()
  }

  // MARK: a device that stays up

  /// Installs what the scenario has on a device that stays up until ``end()``.
  func begin() throws(RunError) {
    observe()
    do throws(RunError) {
      try install(settings.device == nil ? .fresh : .used)
    } catch {
      end()
      throw error
    }
  }

  /// Carries the case's steps out; the device stays up.
  func carryOut() {
    device.note(
      .caseBegan(
        suite: blueprint.scenario.name, name: test.name, criterion: test.criterion))
    for (index, step) in test.steps.enumerated() {
      for _ in 0..<step.count where !isInterrupted && device.fault == nil {
        perform(step, number: index + 1, from: .scenario)
      }
    }
    device.note(.caseEnded)
  }

  func end() {
    stop()
    shut()
  }

  /// Ends every guest at once.
  func killAll() {
    for guest in device.guests.running { device.guests.kill(guest) {} }
  }

  private func stop() {
    guard whyDown == nil else { return }
    cancellation.cancel()
    cancellation = Cancellation()
    var isStopped = false
    device.guests.stopAll { isStopped = true }
    let limit = device.loop.now + Self.patience
    let timer = try? Timer(on: device.loop) {}
    timer?.start(after: Self.patience)
    // What waits for somebody who has gone for good would wait for ever.
    device.run {
      isStopped && (!device.rest.isBusy || device.loop.now >= limit || device.fault != nil)
    }
    timer?.close()
  }

  /// How long a device that goes down waits for what its guests have left undone, in milliseconds.
  private static let patience: UInt64 = 5_000

  /// Takes the device down in order, and brings it up again in its folder.
  ///
  /// - Returns: why that failed; nil where it did not.
  func restartDevice() -> String? {
    isRestarting = true
    defer { isRestarting = false }
    stop()
    shut()
    traffic.closeAll()
    do {
      device = try Device(blueprint.configuration(settings, folder: folder))
      try install(.used)
    } catch {
      device.close()
      whyDown = "\(error)"
      return "the device did not come up again: \(error)"
    }
    world.restore(on: device)
    observe()
    onDevice(device)
    return nil
  }

  private func install(_ beginning: Device.Beginning) throws(RunError) {
    try device.startServers(blueprint)
    try device.install(blueprint, beginning, declaring: world.declarations)
    do {
      try device.saveInventory()
    } catch {
      throw RunError(error, file: folder)
    }
  }

  // MARK: steps

  /// - Returns: the step, or the steps that were carried out at once for it.
  @discardableResult
  func perform(_ step: Step, number: Int, from source: StepSource) -> [StepRun] {
    device.note(.stepBegan(step: number, text: step.text, at: source.place(step.position)))
    guard whyDown == nil else {
      device.note(.stepFailed(step: number, why: "the device is not up"))
      return []
    }
    arrivals = Arrivals()
    steps = expand(step).map { StepRun($0, number: number, from: source, in: self) }
    if steps.count > 1 { unordered.insert(number) }
    for run in steps { run.begin() }
    wait(number)
    for run in steps { run.compare() }
    defer { steps = [] }
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

  /// Waits until what the steps ask for is done, and with it what guests with programs of their own have asked
  /// for in consequence.
  private func wait(_ number: Int) {
    guard whyDown == nil else { return }
    runDevice(settings.stepLimit) { [unowned self] in
      steps.allSatisfy(\.isDone) && traffic.isQuiet && !device.guests.isRunningExtensions
        && !device.rest.isBusy
    }
    guard device.fault == nil else { return }
    if steps.allSatisfy(\.isDone) { return settle() }
    device.note(
      .stepFailed(step: number, why: isInterrupted ? "the device goes down" : standstill))
  }

  /// What programs of their own still do belongs to the step that made them do it.
  private func settle() {
    guard device.rest.ownUnrest != nil, !isInterrupted else { return }
    runDevice(Self.settling, looking: .often) { [unowned self] in
      traffic.isQuiet && device.rest.ownUnrest == nil
    }
  }

  private enum Looking { case onEvents, often }

  /// Runs the device until the condition holds, for so many milliseconds, or until nobody waits any more.
  private func runDevice(
    _ milliseconds: UInt64, looking: Looking = .onEvents, until condition: () -> Bool
  ) {
    let limit = device.loop.now + milliseconds
    guard let timer = try? Timer(on: device.loop, {}) else { return }
    switch looking {
    case .onEvents: timer.start(after: milliseconds)
    case .often: timer.start(after: 0, every: 1)
    }
    device.run {
      onRound()
      return isInterrupted || device.fault != nil || device.loop.now >= limit || condition()
    }
    timer.close()
  }

  /// How long a step waits for programs that do not come to rest, in milliseconds.
  private static let settling: UInt64 = 1_000

  private var standstill: String {
    let why = steps.lazy.compactMap(\.standstill).first.map { ": \($0)" } ?? ""
    return "it did not end within \(settings.stepLimit / 1000) seconds\(why)"
  }

  /// Who works, or what is on its way, in a clause; nil where all is quiet.
  var unrest: String? { traffic.text ?? device.rest.unrest }

  private func observe() {
    device.observer = DeviceObserver(
      onDecision: { [unowned self] requester, decision in
        traffic.decided(decision)
        let arrival = arrivals.place(for: decision, of: requester, on: device)
        steps.first { $0.isAwaiting(decision, of: requester) }?
          .decided(decision, arrival: arrival)
      },
      onEnd: { [unowned self] request, end, status in
        traffic.ended(request, end)
        for step in steps { step.ended(request, end, status) }
        for step in steps { step.itemArrived() }
      },
      onItem: { [unowned self] request, item in traffic.sent(item, by: request) },
      onOutput: { [unowned self] guest, writing in output.append(writing, of: guest) })
  }
}

extension Step {
  /// The same step with another action, to be carried out once.
  fileprivate func once(_ action: Action) -> Step {
    var step = self
    step.action = action
    step.count = 1
    return step
  }
}
