internal import Glibc
internal import Host
internal import Model
package import Scenario

/// The devices of a case that run in this process. Each performs its part of the steps independently. Traffic between
/// devices takes the latency that the scenario states.
package final class HostedDevices {
  private let test: Case
  private let resolvedScenarios: [ResolvedScenario]
  private var settings: RunSettings
  private let folder: String
  private let organization: CaseOrganization
  private let latency: Int
  private var runs: [CaseRun] = []

  /// Prepares the devices of a case.
  ///
  /// - Parameters:
  ///   - folder: The folder of the case, with a subfolder for each device.
  ///   - machineTime: The machine's time when the case began, in seconds since 1970-01-01T00:00:00Z.
  package init(
    _ test: Case, of prepared: PreparedScenario, _ settings: RunSettings, folder: String,
    machineTime: Int
  ) {
    self.test = test
    self.folder = folder
    self.settings = settings
    self.settings.machineTime = machineTime
    resolvedScenarios = prepared.devices
    let scenarios = resolvedScenarios.map(\.scenario)
    latency = prepared.scenario.links.latency
    organization = CaseOrganization(DeviceRoster(scenarios), latency: latency)
  }

  /// Called with each message for cloud storage or a device in another process.
  package var forward: ((InFlightMessage) -> Void)? {
    get { organization.forward }
    set { organization.forward = newValue }
  }

  /// Called whenever a device has been started or begins a step.
  package var onStep: () -> Void = {}

  /// Accepts a message that arrives at a local device or at cloud storage.
  package func accept(_ inFlight: InFlightMessage) { organization.accept(inFlight) }

  /// Starts devices, or restarts them in their existing folders.
  ///
  /// - Parameter ordinals: The indices of the devices in the scenario.
  package func bringUp(_ ordinals: [Int]) throws(RunError) {
    for ordinal in ordinals {
      try bringUp(ordinal)
      onStep()
    }
  }

  private func bringUp(_ ordinal: Int) throws(RunError) {
    let resolved = resolvedScenarios[ordinal]
    let place = "\(folder)/\(resolved.scenario.device.name)"
    Self.awaitRelease(of: place)
    let earlier = try Self.journal(of: place)
    let device = try CaseDevice(of: test.name, resolved, settings, folder: place)
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

  /// Waits up to 10 seconds for another host to release a device.
  private static func awaitRelease(of folder: String) {
    guard let device = try? DeviceFolder(folder) else { return }
    let end = ContinuousClock.now + .seconds(10)
    while device.isInUse, ContinuousClock.now < end { usleep(20_000) }
  }

  /// Returns the events of a device that another host ran in the folder. If the device has begun no step, removes the
  /// folder and returns nil, so the device begins with the first step.
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

  /// Advances all devices to a time on the shared clock. Messages sent from now on arrive after that time.
  package func proceed(until time: Int) {
    organization.floor = max(time, .min + latency) - latency + 1
    for run in runs { run.performSteps(until: time) }
    // A device that is taken over here may still have the whole window ahead of it.
    organization.forget(before: organization.floor)
  }

  /// The time of the next event or step on any device; nil if all steps have ended.
  package var nextTime: Int? { runs.compactMap(\.nextTime).min() }

  /// Kills all guests and closes the devices, so another process can start them again.
  package func abandon() {
    for run in runs { run.abandon() }
    runs = []
  }

  /// Ends the case and shuts the devices down. Returns a message for each device that had stopped unexpectedly.
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
  /// Reads a case's recording from the journals of several devices.
  ///
  /// - Parameter folder: The folder of the case, with a subfolder for each device.
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

// MARK: - Journals of lost devices

extension [JournalEvent] {
  /// Returns the numbers of the fault steps that began in these events, and whose faults did not trigger.
  func untriggeredFaults(of steps: [Step]) -> [Int] {
    var armed: [Int] = []
    for event in self {
      switch event.kind {
      case .stepBegan(let number, _, _):
        if case .fault = steps[number - 1].action { armed.append(number) }
      case .faultInjected: if !armed.isEmpty { armed.removeFirst() }
      case .deviceStarted, .deviceStopped, .clockRead, .caseBegan, .expectation, .stepFailed,
        .caseEnded, .itemArrived, .guestStarted, .guestReady, .guestSuspended, .guestResumed,
        .guestExited, .claimIgnored, .accountEnrolled, .accountSignedIn, .accountSignedOut,
        .identitySwitched, .identitySwitchRequired, .accessChecked, .accountNotAllowed,
        .accountRenamed, .wipeAdvanced, .accountWiped, .policyChanged, .policySaved, .appConfigured,
        .configurationDelivered, .notificationPosted, .telemetryRecorded, .declarationsApplied,
        .managedAppChanged,
        .administratorInformed, .delegateAsked, .enrollmentAsked, .enrollmentAnswered,
        .complianceAnswered, .remediationLooped, .policyAbsent, .policyStated, .factsStated,
        .decided, .ended, .extensionCompleted, .extensionCancelled:
        continue
      }
    }
    return armed
  }
}

extension Step {
  /// Returns whether the journal shows that the step has ended.
  ///
  /// - Parameter journal: The events from the beginning of the step.
  func hasEnded(in journal: ArraySlice<JournalEvent>) -> Bool {
    let isCompared = journal.contains { event in
      if case .expectation = event.kind { true } else { false }
    }
    guard !isCompared else { return true }
    let decided = journal.compactMap { event -> Int? in
      if case .decided(let decision) = event.kind { decision.request } else { nil }
    }
    guard decided.isEmpty else {
      let ended = journal.compactMap { event -> Int? in
        if case .ended(let request, _, _, _) = event.kind { request } else { nil }
      }
      return expectation == nil && Set(decided).isSubset(of: ended)
    }
    guard expectation == nil else { return false }
    if case .change = action { return true }
    // After a takeover, faults that have not triggered are reported.
    if case .fault = action { return true }
    return false
  }
}
