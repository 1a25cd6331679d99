internal import Glibc
internal import Host
internal import Model
package import Scenario

/// The devices of a case that this process has. Each carries out its part of the steps by itself; what passes between
/// devices takes the time that the scenario states.
package final class HostedDevices {
  private let test: Case
  private let blueprints: [Blueprint]
  private var settings: RunSettings
  private let folder: String
  private let organization: CaseOrganization
  private let latency: Int
  private var runs: [CaseRun] = []

  /// Prepares the devices of a case.
  ///
  /// - Parameters:
  ///   - folder: the folder of the case, with one for each device.
  ///   - machineTime: what the machine's clock showed when the case began, in seconds since 1970-01-01T00:00:00Z.
  package init(
    _ test: Case, of prepared: PreparedScenario, _ settings: RunSettings, folder: String,
    machineTime: Int
  ) {
    self.test = test
    self.folder = folder
    self.settings = settings
    self.settings.machineTime = machineTime
    blueprints = prepared.devices
    let scenarios = blueprints.map(\.scenario)
    latency = prepared.scenario.links.latency
    organization = CaseOrganization(DeviceRoster(scenarios), latency: latency)
  }

  /// Takes what is to arrive at devices that are not here, too, and at cloud storage.
  package var forward: ((Passage) -> Void)? {
    get { organization.forward }
    set { organization.forward = newValue }
  }

  /// Called whenever a device begins a step.
  package var onStep: () -> Void = {}

  /// Takes what arrives here.
  package func take(_ passage: Passage) { organization.take(passage) }

  /// Brings devices up, or up again in the folders that they have.
  ///
  /// - Parameter ordinals: their places among the scenario's devices.
  /// - Throws: ``RunError`` where one cannot be brought up.
  package func bringUp(_ ordinals: [Int]) throws(RunError) {
    for ordinal in ordinals {
      try bringUp(ordinal)
      onStep()
    }
  }

  private func bringUp(_ ordinal: Int) throws(RunError) {
    let blueprint = blueprints[ordinal]
    let place = "\(folder)/\(blueprint.scenario.device.name)"
    Self.awaitRelease(of: place)
    let earlier = try Self.journal(of: place)
    let device = try CaseDevice(of: test.name, blueprint, settings, folder: place)
    let run = CaseRun(test, on: [device], in: organization, settings)
    run.onStep = { [unowned self] in onStep() }
    device.watch.observe(device.device)
    do throws(RunError) {
      if let earlier { try run.takeOver(device, after: earlier) } else { try run.setUp() }
    } catch {
      device.close()
      throw error
    }
    runs.append(run)
  }

  /// Waits for a host that is about to let go of a device, for some seconds.
  private static func awaitRelease(of folder: String) {
    guard let device = try? DeviceFolder(folder) else { return }
    let end = ContinuousClock.now + .seconds(10)
    while device.isInUse, ContinuousClock.now < end { usleep(20_000) }
  }

  /// The events of a device that another host had up in a folder; nil: none had. What was left of a device that had begun no step
  /// is removed: it begins anew.
  private static func journal(of folder: String) throws(RunError) -> [JournalEvent]? {
    let events =
      (try? DeviceFolder(folder)).flatMap { try? JournalFile.remains(of: $0.journal).events } ?? []
    let hasBegun = events.contains { if case .stepBegan = $0.kind { true } else { false } }
    guard !hasBegun else { return events }
    do throws(HostError) {
      try FolderRemoval(folder).run()
    } catch {
      throw RunError(error, device: folder)
    }
    return nil
  }

  /// Has all devices go on until a time, by the clock of all: that of the last moment at which nothing arrives that is sent from now
  /// on.
  package func proceed(until time: Int) {
    organization.floor = max(time, .min + latency) - latency + 1
    for run in runs { run.performSteps(until: time) }
    // A device that comes up again here may still have all of the window before it.
    organization.forget(before: organization.floor)
  }

  /// The time at which one of the devices goes on; nil: all have carried out their steps.
  package var nextTime: Int? { runs.compactMap(\.nextTime).min() }

  /// Ends all guests at once, and lets go of the devices: they are to come up again elsewhere.
  package func abandon() {
    for run in runs { run.abandon() }
    runs = []
  }

  /// Ends the case on all devices, and takes them down.
  ///
  /// - Returns: what went wrong, a sentence each.
  package func close() -> [String] {
    var problems: [String] = []
    for run in runs {
      do throws(RunError) { try run.close() } catch { problems.append(error.reason) }
    }
    runs = []
    return problems
  }
}

extension CaseRecording {
  /// What the journals of several devices tell of a case, which each has in its folder.
  ///
  /// - Parameter folder: the folder of the case.
  /// - Throws: ``RunError`` where a journal cannot be read.
  package init(
    of test: Case, of prepared: PreparedScenario, in folder: String, duration: Duration
  ) throws(RunError) {
    self.init(
      events: [], duration: duration, unordered: prepared.unorderedSteps(of: test))
    for device in prepared.deviceNames {
      add(
        try JournalFile.read(DeviceFolder.journal(in: "\(folder)/\(device)")), of: device,
        output: [],
        returned: [:])
    }
  }
}
