internal import EventLoop
internal import Foundation
internal import Glibc
internal import Host
internal import Model
internal import Output
internal import Scenario

/// A device of a case: brought up in its folder, taken down in order, and brought up there again.
final class CaseDevice {
  let blueprint: Blueprint
  private let settings: RunSettings
  /// The folder of the device.
  private let folder: String
  /// The state of the world around the device.
  let world: CaseWorld
  let faults: CaseFaults
  /// The apps in memory; nil: all stay there.
  private var memory: AppMemory?
  /// What the device tells while steps run.
  let watch = CaseWatch()
  /// The device that is up now; a restart replaces it.
  private(set) var device: Device
  /// A closure that gets each new device, after a restart.
  var onDevice: (Device) -> Void = { _ in }
  /// Cancels searches whose result nobody waits for any more.
  private(set) var cancellation = Cancellation()
  /// The time by the clock of all devices, in seconds since 1970-01-01T00:00:00Z: that of the device itself, unless a fault has
  /// moved its clock.
  private(set) var time: Int
  /// Whether the device is going down in order to come up again.
  private(set) var isRestarting = false
  /// Whether the device is down, for good or until it comes up again.
  private(set) var isClosed = false
  /// The reason why the device did not come up again, so that nothing can be done on it; nil while it is up.
  private(set) var restartFailure: String?

  /// Brings up the device of a case.
  ///
  /// - Parameters:
  ///   - name: the name of the case.
  /// - Throws: ``RunError`` where the device cannot be brought up.
  init(
    of name: String, _ blueprint: Blueprint, _ settings: RunSettings, folder: String
  ) throws(RunError) {
    self.blueprint = blueprint
    self.settings = settings
    self.folder = folder
    world = CaseWorld(blueprint, settings, folder: folder)
    faults = CaseFaults(of: name, in: world)
    memory = blueprint.scenario.device.appsInMemory.map(AppMemory.init)
    device = try blueprint.device(settings, in: folder)
    time = device.now
  }

  /// The name of the device.
  var name: String { blueprint.scenario.device.name }

  /// Its place among the devices of the organisation, from 0 on.
  var ordinal: Int { blueprint.scenario.device.ordinal }

  /// The names of the guests that are apps.
  var apps: [String] {
    blueprint.apps.filter { $0.description.kind == .app }.flatMap(\.specification.guests)
  }

  /// The requests and items of its guests.
  var traffic: Traffic { watch.traffic }

  /// Whether nothing goes on that a step could wait for.
  var isQuiet: Bool {
    traffic.isQuiet && !device.guests.isRunningExtensions && !device.rest.isBusy
  }

  /// The size of the device's journal in bytes.
  var journalSize: Int {
    let file = try? FileManager.default.attributesOfItem(atPath: device.journalPath)
    return file?[.size] as? Int ?? 0
  }

  // MARK: memory

  /// The most apps that stay in memory; nil: all do.
  var mostApps: Int? { memory?.limit }

  /// Notes that apps are used.
  ///
  /// - Returns: the running apps that have to make room for them.
  func use(_ apps: [String]) -> [String] {
    memory?.use(apps, isRunning: device.guests.isRunning) ?? []
  }

  // MARK: time

  /// The time at which something is due on the device next; nil: nothing is.
  var nextDue: Int? { device.nextDue.map { $0 - device.now + time } }

  /// Lets time pass on the device, and everything happen that is due by then.
  func advance(to end: Int) {
    device.advanceClock(by: end - time)
    time = end
  }

  // MARK: up

  /// Starts the scenario's servers and installs its apps and declarations.
  func install() throws(RunError) { try install(settings.device == nil ? .fresh : .used) }

  /// Installs its apps on a device that another process had up before it was lost.
  ///
  /// - Parameter steps: the steps that have begun.
  func takeOver(after steps: [Step]) throws(RunError) {
    try world.takeOverDeclarations(of: steps)
    try install(.used)
    for step in steps { try world.takeOver(step.action, on: device) }
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

  /// Takes the device down in order, and brings it up again in its folder, with the world as it was around it. Of a
  /// device that has stopped by itself, nothing is left to be done in order.
  ///
  /// - Returns: the reason of a failure; nil where the device is up again.
  func restart() -> String? {
    isRestarting = true
    defer { isRestarting = false }
    stop()
    close()
    let former = device
    do {
      device = try Device(blueprint.configuration(settings, folder: folder))
      try install(.used)
    } catch {
      device.close()
      restartFailure = "\(error)"
      return "the device did not come up again: \(error)"
    }
    isClosed = false
    world.restore(on: device)
    faults.move(from: former, to: device)
    watch.observe(device)
    onDevice(device)
    return nil
  }

  // MARK: down

  /// Ends every guest at once.
  func killAll() {
    device.guests.kill(device.guests.running) {}
  }

  /// Ends every guest at once, and takes the device down.
  func abandon() {
    killAll()
    device.run { device.guests.running.isEmpty }
    close()
  }

  /// Stops every guest, in bounded time: waiting for a guest that has gone for good would never end.
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
      isStopped && (!device.rest.isBusy || device.loop.now >= limit || device.fault != nil)
    }
    timer?.close()
  }

  /// The time that a device that goes down waits for unfinished work of its guests, in milliseconds.
  private static let patience: UInt64 = 5_000

  func close() {
    isClosed = true
    device.observer = nil
    device.close()
  }
}

// MARK: - Several devices

extension CaseDevice {
  /// Brings up the devices of a case, each in its own folder where there are several. Where one cannot be brought up, the
  /// others are taken down again.
  ///
  /// - Throws: ``RunError`` where a device cannot be brought up.
  static func bringUp(
    of name: String, _ blueprints: [Blueprint], _ settings: RunSettings, folder: String
  ) throws(RunError) -> [CaseDevice] {
    if blueprints.count > 1 { try checkDescriptors(for: blueprints) }
    var settings = settings
    settings.machineTime = settings.machineTime ?? Int(Glibc.time(nil))
    var devices: [CaseDevice] = []
    for blueprint in blueprints {
      let place = blueprints.count == 1 ? folder : "\(folder)/\(blueprint.scenario.device.name)"
      do throws(RunError) {
        devices.append(try CaseDevice(of: name, blueprint, settings, folder: place))
      } catch {
        for device in devices { device.close() }
        throw error
      }
    }
    return devices
  }

  /// Descriptors that a device takes before any guest runs.
  private static let descriptors = 10

  /// - Throws: ``RunError`` where this process cannot have as many descriptors as the devices take.
  private static func checkDescriptors(for blueprints: [Blueprint]) throws(RunError) {
    let needed = blueprints.count * descriptors
    guard let limit = DescriptorLimit.current, needed > limit - DescriptorLimit.reserve else {
      return
    }
    throw RunError(
      .file(blueprints[0].scenario.file),
      "\(blueprints.count) devices take about \(needed) descriptors, and this process may have \(limit) (`ulimit -n`)",
      rule: "devices")
  }

}

// MARK: - Memory

/// The apps that a device keeps in memory: of more, those that were used longest ago are ended, as iOS ends suspended ones.
struct AppMemory {
  /// The most apps that stay in memory.
  let limit: Int
  /// The apps that have been used, the last one last.
  private var used: [String] = []

  init(limit: Int) { self.limit = limit }

  /// Notes that apps are used.
  ///
  /// - Returns: those of the others that run, and have to make room.
  mutating func use(_ apps: [String], isRunning: (String) -> Bool) -> [String] {
    used.removeAll(where: apps.contains)
    let others = used.filter(isRunning)
    used += apps
    return Array(others.prefix(max(0, others.count + apps.count - limit)))
  }
}

// MARK: - Faults

/// The faults that the steps of a case have armed, on whichever device is up.
final class CaseFaults {
  private let world: CaseWorld
  /// The name of the case.
  private let name: String
  /// The faults that have not struck when the device was last looked at.
  private var armed: [Armed] = []
  /// The number of faults that have been armed since the case began.
  private var count = 0

  /// A fault, and the step that has armed it.
  private struct Armed {
    let number: Int
    let step: Int
    let fault: Action.Fault
  }

  init(of name: String, in world: CaseWorld) {
    self.name = name
    self.world = world
  }

  /// Arms a fault.
  func arm(_ fault: Action.Fault, by step: Int, on device: Device) {
    count += 1
    let new = Armed(number: count, step: step, fault: fault)
    armed.append(new)
    arm(new, on: device)
  }

  /// Arms the faults that have not struck on a device that has come up in place of `former`.
  fileprivate func move(from former: Device, to device: Device) {
    look(at: former)
    for fault in armed { arm(fault, on: device) }
  }

  /// Withdraws the faults that have not struck.
  ///
  /// - Returns: the step that has armed each, and a sentence.
  func end(on device: Device) -> [(step: Int, why: String)] {
    look(at: device)
    device.faults.disarm()
    defer { armed = [] }
    return armed.map { ($0.step, "the fault has not struck: \($0.fault.words)") }
  }

  private func look(at device: Device) {
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
          // The scenario's apps are all installed.
          done()
        }
      }
    }
  }
}
