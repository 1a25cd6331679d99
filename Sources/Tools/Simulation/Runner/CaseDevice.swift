internal import EventLoop
internal import Foundation
internal import Glibc
internal import Host
internal import Model
internal import Output
internal import Scenario

/// A device of a case. It starts in its folder, shuts down cleanly, and can restart there.
final class CaseDevice {
  let resolved: ResolvedScenario
  private let settings: RunSettings
  private let folder: String
  let world: CaseWorld
  let faults: CaseFaults
  /// The apps that the device keeps in memory; nil if all apps stay in memory.
  private var memory: AppMemory?
  let watch = CaseWatch()
  /// The running device; a restart replaces it.
  private(set) var device: Device
  /// Called with the new device after each restart.
  var onDevice: (Device) -> Void = { _ in }
  /// Cancels searches when the device stops, because their results are no longer needed. Each stop creates a new value.
  private(set) var cancellation = Cancellation()
  /// The time on the shared clock, in seconds since 1970-01-01T00:00:00Z.
  /// It equals the device's own time unless a fault has moved the device's clock.
  private(set) var time: Int
  /// Whether the device is shutting down in order to restart.
  private(set) var isRestarting = false
  /// Whether the device is down, permanently or until it restarts.
  private(set) var isClosed = false
  /// The reason why the device did not restart; nil while it is up. Steps cannot use a device that did not restart.
  private(set) var restartFailure: String?

  init(
    of name: String, _ resolved: ResolvedScenario, _ settings: RunSettings, folder: String
  ) throws(RunError) {
    self.resolved = resolved
    self.settings = settings
    self.folder = folder
    world = CaseWorld(resolved, settings, folder: folder)
    faults = CaseFaults(of: name, in: world)
    memory = resolved.scenario.device.appsInMemory.map(AppMemory.init)
    device = try resolved.device(settings, in: folder)
    time = device.now
  }

  var name: String { resolved.scenario.device.name }

  /// The device's index in the organisation, from 0.
  var ordinal: Int { resolved.scenario.device.ordinal }

  /// The names of the guests that are apps, not extensions.
  private(set) lazy var apps = resolved.apps.filter { $0.description.kind == .app }
    .flatMap(\.specification.guests)
  private lazy var appNames = Set(apps)

  func isApp(_ guest: String) -> Bool { appNames.contains(guest) }

  var traffic: CaseTraffic { watch.traffic }

  /// Whether the device has no activity that a step must wait for.
  var isQuiet: Bool {
    traffic.isQuiet && !device.guests.isRunningExtensions && !device.idleWatch.isBusy
  }

  /// The programs for which steps do not wait, because they are never idle. Each made many requests during a wait that
  /// timed out, and has made requests during each wait since.
  private(set) var neverIdle: Set<String> = []

  /// A program counts as never idle if it makes at least this number of requests during a wait that times out.
  private static let neverIdleRequests = 8

  /// Removes from ``neverIdle`` the programs that have made no request since the last wait.
  func forgetIdle() { neverIdle.formIntersection(watch.takeOwnRequests().keys) }

  /// Adds to ``neverIdle`` the programs that made many requests during a wait that timed out.
  func noteNeverIdle() {
    neverIdle.formUnion(
      watch.takeOwnRequests().filter { $0.value >= Self.neverIdleRequests }.keys)
  }

  var journalSize: Int {
    let file = try? FileManager.default.attributesOfItem(atPath: device.journalPath)
    return file?[.size] as? Int ?? 0
  }

  // MARK: Memory

  /// The maximum number of apps in memory; nil if there is no limit.
  var mostApps: Int? { memory?.limit }

  /// Records that `apps` are used. Returns the running apps that must be ended to keep the number of apps in memory
  /// within the limit.
  func use(_ apps: [String]) -> [String] {
    memory?.use(apps, isRunning: device.guests.isRunning) ?? []
  }

  // MARK: Time

  /// The time of the device's next scheduled event on the clock that the devices share; nil if no event is scheduled.
  var nextDue: Int? { device.nextDue.map { $0 - device.now + time } }

  /// Advances the device to the time `end` on the clock that the devices share. Runs every event that is due by then.
  func advance(to end: Int) {
    device.advanceClock(by: end - time)
    time = end
  }

  // MARK: Startup

  /// Starts the scenario's servers and installs its apps and declarations.
  func install() throws(RunError) { try install(settings.device == nil ? .fresh : .used) }

  /// Installs the apps on a device whose host process was lost, and restores the changes that steps made.
  ///
  /// - Parameter steps: The steps that had begun before the loss.
  func takeOver(after steps: [Step]) throws(RunError) {
    try world.takeOverDeclarations(of: steps)
    try install(.used)
    for step in steps {
      if case .change(let change) = step.action { try world.takeOver(change, on: device) }
    }
  }

  private func install(_ beginning: Device.Beginning) throws(RunError) {
    try device.startServers(resolved)
    try device.install(resolved, beginning, declaring: world.declarations)
    do {
      try device.saveInventory()
    } catch {
      throw RunError(error, device: folder)
    }
  }

  /// Shuts the device down and starts it again in its folder. The state outside of the device stays as it is. Also
  /// restarts a device that has stopped unexpectedly.
  ///
  /// - Returns: The reason for a failure; nil if the restart succeeded.
  func restart() -> String? {
    isRestarting = true
    defer { isRestarting = false }
    stop()
    close()
    let former = device
    do {
      device = try Device(resolved.configuration(settings, folder: folder))
      try install(.used)
      try world.restore(on: device)
    } catch {
      device.close()
      restartFailure = "\(error)"
      return "the device did not restart: \(error)"
    }
    isClosed = false
    faults.move(from: former, to: device)
    watch.observe(device)
    onDevice(device)
    return nil
  }

  // MARK: Shutdown

  func killAll() {
    device.guests.kill(device.guests.running) {}
  }

  /// Kills every guest, and closes the device.
  func abandon() {
    killAll()
    device.run { device.guests.running.isEmpty }
    close()
  }

  /// Stops every guest, then waits for the device to become idle. The wait ends after ``patience``, because a guest
  /// with a vanished process never becomes idle.
  func stop() {
    guard restartFailure == nil else { return }
    device.loop.catchUp()
    device.faults.subside()
    cancellation.cancel()
    cancellation = Cancellation()
    var isStopped = false
    device.guests.stopAll { isStopped = true }
    let limit = device.loop.now + Self.patience
    let timer = try? Timer(on: device.loop) {}
    timer?.start(after: Self.patience)
    device.run {
      isStopped && (!device.idleWatch.isBusy || device.loop.now >= limit || device.error != nil)
    }
    timer?.close()
  }

  /// The maximum wait for unfinished work of guests during shutdown, in milliseconds.
  private static let patience: UInt64 = 5_000

  func close() {
    isClosed = true
    device.observer = nil
    device.close()
  }
}

// MARK: - Several devices

extension CaseDevice {
  /// Starts the devices of a case. If there are several devices, each has its own folder. If a device cannot start, the
  /// other devices are closed.
  static func bringUp(
    of name: String, _ resolvedScenarios: [ResolvedScenario], _ settings: RunSettings,
    folder: String
  ) throws(RunError) -> [CaseDevice] {
    if resolvedScenarios.count > 1 { try checkDescriptors(for: resolvedScenarios) }
    var settings = settings
    settings.machineTime = settings.machineTime ?? Int(Glibc.time(nil))
    var devices: [CaseDevice] = []
    for resolved in resolvedScenarios {
      let place =
        resolvedScenarios.count == 1 ? folder : "\(folder)/\(resolved.scenario.device.name)"
      do throws(RunError) {
        devices.append(try CaseDevice(of: name, resolved, settings, folder: place))
      } catch {
        for device in devices { device.close() }
        throw error
      }
    }
    return devices
  }

  /// The number of descriptors that a device uses before any guest runs.
  private static let descriptors = 10

  /// Checks the process's limit of open descriptors.
  ///
  /// - Throws: ``RunError`` if the devices need more descriptors than this process may have.
  private static func checkDescriptors(for resolvedScenarios: [ResolvedScenario]) throws(RunError) {
    let needed = resolvedScenarios.count * descriptors
    guard let limit = DescriptorLimit.current, needed > limit - DescriptorLimit.reserve else {
      return
    }
    throw RunError(
      .file(resolvedScenarios[0].scenario.file),
      "\(resolvedScenarios.count) devices need about \(needed) descriptors, but the limit of this process is \(limit) (`ulimit -n`)",
      rule: "devices")
  }

}

// MARK: - Memory

/// The apps that a device keeps in memory. Above the limit, the least recently used apps are ended, as iOS
/// ends suspended apps.
struct AppMemory {
  let limit: Int
  /// The apps that have been used, most recent last.
  private var used: [String] = []

  init(limit: Int) { self.limit = limit }

  /// Records that `apps` are used. Returns the running apps that must be ended to keep the number of apps in memory
  /// within the limit.
  mutating func use(_ apps: [String], isRunning: (String) -> Bool) -> [String] {
    used.removeAll(where: apps.contains)
    let others = used.filter(isRunning)
    used += apps
    return Array(others.prefix(max(0, others.count + apps.count - limit)))
  }
}

// MARK: - Faults

/// The faults that the steps of a case have armed. A fault stays armed when the device restarts.
final class CaseFaults {
  private let world: CaseWorld
  private let name: String
  /// The armed faults. Faults that have triggered stay in the list until ``dropTriggered(on:)`` removes them.
  private var armed: [Armed] = []
  /// The number of faults armed since the case began.
  private var count = 0

  private struct Armed {
    let number: Int
    let step: Int
    let fault: Action.Fault
  }

  init(of name: String, in world: CaseWorld) {
    self.name = name
    self.world = world
  }

  func arm(_ fault: Action.Fault, by step: Int, on device: Device) {
    count += 1
    let new = Armed(number: count, step: step, fault: fault)
    armed.append(new)
    arm(new, on: device)
  }

  /// Moves the faults that have not triggered from `former` to `device`, which replaces `former`.
  fileprivate func move(from former: Device, to device: Device) {
    dropTriggered(on: former)
    for fault in armed { arm(fault, on: device) }
  }

  /// Disarms the faults that have not triggered, and returns the arming step and a message for each.
  func end(on device: Device) -> [(step: Int, why: String)] {
    dropTriggered(on: device)
    device.faults.disarm()
    defer { armed = [] }
    return armed.map { ($0.step, "the fault did not trigger: \($0.fault.words)") }
  }

  private func dropTriggered(on device: Device) {
    let numbers = device.faults.armed
    armed.removeAll { !numbers.contains($0.number) }
  }

  private func arm(_ armed: Armed, on device: Device) {
    device.faults.arm(
      Fault(
        number: armed.number, of: name, effect(of: armed.fault, on: device),
        at: armed.fault.point, guest: armed.fault.guest))
  }

  private func effect(of fault: Action.Fault, on device: Device) -> Fault.Effect {
    switch fault.effect {
    case .kill: .kill
    case .stop(let seconds): .stop(milliseconds: UInt64(seconds) * 1_000)
    case .slowReader(let seconds): .slowReader(milliseconds: UInt64(seconds) * 1_000)
    case .halfFrame: .halfFrame
    case .dropAnswer: .dropAnswer
    case .fullDisk: .fullDisk
    case .restartHost: .restartHost
    case .clockJump(let seconds):
      .change(.clockJump) { [unowned device] in device.advanceClock(by: seconds) }
    case .policy(let assignment):
      .change(.policy) { [world, unowned device] in world.assign(assignment, on: device) }
    case .wipe(let account):
      .wipe { [world, unowned device] done in
        do throws(HostError) {
          try device.wipes.wipe(
            world.account(account), in: fault.guest ?? "", done: done)
        } catch {
          // Unreachable: all apps of the scenario are installed.
          done()
        }
      }
    }
  }
}
