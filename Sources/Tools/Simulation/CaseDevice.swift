internal import EventLoop
internal import Foundation
internal import Host
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
  var memory: AppMemory?
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
