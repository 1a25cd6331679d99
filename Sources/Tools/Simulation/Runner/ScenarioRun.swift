internal import EventLoop
internal import Foundation
package import Host
package import Model
internal import Output
internal import Policy
package import Scenario

/// Runs scenarios, and derives their outcomes only from their journals.
package struct ScenarioRun: Sendable {
  package let settings: RunSettings

  package init(_ settings: RunSettings) { self.settings = settings }

  /// Reads all files that a scenario names, and selects its cases. No case runs yet.
  ///
  /// - Parameters:
  ///   - tenants: Exports that replace the scenario's policies; nil for the scenario's own policies.
  ///   - isIncluded: Selects the cases to run; by default, all cases.
  /// - Throws: ``RunError`` if a named file cannot be read, or the persistent device does not belong to the scenario.
  package func prepare(
    _ scenario: Scenario, for tenants: ScenarioTenants? = nil,
    isIncluded: (Case) -> Bool = { _ in true }
  ) throws(RunError) -> PreparedScenario {
    if let device = settings.device {
      guard scenario.devices.isEmpty else {
        throw RunError(
          .file(scenario.file),
          "the scenario has several `devices`, but the folder `\(device)` stores one device",
          rule: "device")
      }
      try check(device, for: scenario)
    }
    let whole = try ResolvedScenario(scenario, programs: settings.programs, tenants: tenants)
    var members: [ResolvedScenario] = []
    for device in scenario.devices {
      members.append(
        try ResolvedScenario(device, programs: settings.programs, tenants: whole.tenants))
    }
    return PreparedScenario(
      resolved: whole, members: members, cases: scenario.cases.filter(isIncluded))
  }

  package func lacks(ofCasesIn scenario: Scenario) -> [String?] {
    settings.programs.lacks(ofCasesIn: scenario)
  }

  /// Runs one case on a fresh device or on the persistent device. A device that stops unexpectedly is an error.
  package func run(
    _ test: Case, of prepared: PreparedScenario, number: Int
  ) throws(RunError) -> CaseRecording {
    let folder = settings.device ?? "\(settings.folder)/\(number)"
    return try CaseRun(test, of: prepared.devices, settings, folder: folder).run()
  }

  /// Runs one case on a fresh device, and deletes the device's folder afterwards.
  package func runAndForget(
    _ test: Case, of prepared: PreparedScenario
  ) throws(RunError) -> CaseRecording {
    let folder = "\(settings.folder)/\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try CaseRun(test, of: prepared.devices, settings, folder: folder).run()
  }
}

package struct PreparedScenario: Sendable {
  private let resolved: ResolvedScenario
  /// The resolved scenarios of the devices if there are several; otherwise empty, and ``resolved`` is the only device's
  /// scenario.
  private let members: [ResolvedScenario]
  package let cases: [Case]

  package init(resolved: ResolvedScenario, members: [ResolvedScenario] = [], cases: [Case]) {
    self.resolved = resolved
    self.members = members
    self.cases = cases
  }

  /// The resolved scenario of each device; at least one.
  var devices: [ResolvedScenario] { members.isEmpty ? [resolved] : members }

  /// The names of the devices, in the order of the file.
  package var deviceNames: [String] { devices.map(\.scenario.device.name) }

  /// Returns the numbers of the steps with parts that run concurrently on one device.
  func unorderedSteps(of test: Case) -> Set<Int> {
    let numbered = test.steps.enumerated().filter { _, step in
      if case .traffic = step.action { return true }
      if case .concurrently(let concurrency) = step.action { return concurrency.steps.count > 1 }
      return devices.contains { $0.scenario.expand(step).count > 1 }
    }
    return Set(numbered.map { $0.offset + 1 })
  }

  /// The resolved scenario of the only device. Several devices are an error.
  package var onlyDevice: ResolvedScenario {
    get throws(RunError) {
      guard members.isEmpty else {
        throw RunError(
          .file(file),
          "the scenario has \(members.count) `devices`, but this command accepts one; `sluice run` accepts several",
          rule: "devices")
      }
      return resolved
    }
  }

  package var scenario: Scenario { resolved.scenario }
  package var file: String { scenario.file }

  package var statedSettings: Set<Setting> {
    Set(resolved.policies.flatMap(\.document.origins.keys))
  }

  /// The names of the policies that the scenario, its steps or its tenant assigns.
  package var policyNames: Set<String> { resolved.policyNames }

  /// The bundle ids of the apps and extensions that run their own programs instead of the ready-made guest.
  package var ownPrograms: Set<String> {
    Set(
      devices.flatMap(\.apps).map(\.description).filter { $0.program != .readyMade }
        .map(\.bundleID))
  }

  /// A note about assignments in policies that were not read, because only a directory can evaluate them; nil if there
  /// are none.
  package var notice: String? { resolved.notice }

  /// Probable mistakes in the scenario's files, one sentence each with its location.
  package var warnings: [String] { resolved.warnings }
}

// MARK: Device state

extension ScenarioRun {
  /// Returns the policies of each account in an app, in the scenario's initial state or on the persistent
  /// device. No guest starts.
  ///
  /// - Throws: ``RunError`` if the scenario has no such app or several devices, or the device cannot start.
  package func deviceState(
    of app: String, in prepared: PreparedScenario
  ) throws(RunError) -> DeviceStateView {
    let resolved = try prepared.onlyDevice
    let file = resolved.scenario.file
    var settings = settings
    if settings.device == nil { settings.journal = .off }
    let device = try resolved.device(
      settings, in: settings.device ?? "\(settings.folder)/device-state")
    defer { device.close() }
    try device.install(resolved, settings.device == nil ? .fresh : .used)
    guard var view = device.deviceState(of: resolved.scenario.guestName(app)) else {
      let names = resolved.scenario.apps.flatMap { $0.guests.prefix(1) }
        .map { "`\($0)`" }.joined(separator: ", ")
      throw RunError(.file(file), "no app is called `\(app)`; the apps are \(names)", rule: "app")
    }
    if let notice = prepared.notice { view.remarks.insert(notice, at: 0) }
    return view
  }
}

extension Scenario {
  /// Returns the name of an app in the scenario.
  ///
  /// - Parameter text: The app's name in the scenario, its bundle id, or a short name such as `Outlook`. If it is the
  ///   bundle id or the short name of exactly one app, the result is that app's name. Any other text is returned
  ///   unchanged.
  package func guestName(_ text: String) -> String {
    guard app(ofGuest: text) == nil else { return text }
    let named = apps.filter { $0.bundle.lowercased() == text.lowercased() }
    let found = named.isEmpty ? apps.filter { AppName.names(text, $0.bundle) } : named
    return found.count == 1 ? found[0].guests.first ?? text : text
  }
}

// MARK: Persistent devices

extension ScenarioRun {
  /// Creates a persistent device in the scenario's initial state, with its apps installed and its accounts
  /// signed in. No step runs, and no guest starts.
  ///
  /// - Returns: The name of the device.
  /// - Throws: ``RunError`` if the folder is not empty or the device cannot be created. The folder is then unchanged.
  package func createDevice(
    in folder: String, as prepared: PreparedScenario
  ) throws(RunError) -> String {
    let resolved = try prepared.onlyDevice
    let place = try NewDevice(in: folder)
    do throws(RunError) {
      try fill(place.draft, resolved)
      try place.finish()
    } catch {
      place.discard()
      throw error
    }
    return resolved.scenario.device.name
  }

  private func fill(_ folder: String, _ resolved: ResolvedScenario) throws(RunError) {
    let device = try resolved.device(settings, in: folder)
    defer { device.close() }
    try device.install(resolved, .fresh)
    do throws(HostError) {
      try device.saveInventory()
    } catch {
      throw RunError(error, file: resolved.scenario.file)
    }
  }

  /// Checks that the folder contains the scenario's device.
  func check(_ folder: String, for scenario: Scenario) throws(RunError) {
    let name: String?
    do throws(HostError) {
      name = try DeviceFolder(folder).name()
    } catch {
      throw RunError(error, device: folder)
    }
    guard let name, name != scenario.device.name else { return }
    throw RunError(
      .file(scenario.file),
      "the scenario is for the device `\(scenario.device.name)`, but the folder `\(folder)` stores the device `\(name)`",
      rule: "device")
  }
}

/// An empty folder in which a device is created. Until ``finish()``, it contains only a draft of the device.
private struct NewDevice {
  private let folder: String
  /// The permissions that the folder had before; nil if the folder did not exist.
  private let formerMode: mode_t?

  /// The folder in which the device is created.
  var draft: String { "\(folder)/.draft" }

  /// Prepares the folder, and creates it if it does not exist. A folder that is not empty is an error.
  init(in folder: String) throws(RunError) {
    self.folder = folder
    var status = stat()
    let content = try? FileManager.default.contentsOfDirectory(atPath: folder)
    formerMode = content != nil && stat(folder, &status) == 0 ? status.st_mode & 0o7777 : nil
    guard content?.isEmpty ?? true else {
      throw RunError(
        .path(folder), "the folder is not empty; name a new or an empty folder", rule: "device")
    }
    guard formerMode != nil || mkdir(folder, 0o700) == 0 else {
      let reason = String(cString: strerror(errno)).lowercased()
      throw RunError(.path(folder), "cannot create the folder: \(reason)", rule: "device")
    }
    // The folder will contain keys.
    chmod(folder, 0o700)
  }

  /// Turns the draft into the device.
  func finish() throws(RunError) {
    do {
      // Move `device.sqlite` last, since it marks the folder as a device.
      let names = try FileManager.default.contentsOfDirectory(atPath: draft).sorted()
      for name in names.filter({ $0 != "device.sqlite" }) + ["device.sqlite"] {
        try FileManager.default.moveItem(atPath: "\(draft)/\(name)", toPath: "\(folder)/\(name)")
      }
      try FileManager.default.removeItem(atPath: draft)
    } catch {
      throw RunError(.path(folder), "cannot create the device: \(error)", rule: "device")
    }
  }

  /// Restores the folder to its original state.
  func discard() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names { try? FileManager.default.removeItem(atPath: "\(folder)/\(name)") }
    if let formerMode { chmod(folder, formerMode) } else { rmdir(folder) }
  }
}
