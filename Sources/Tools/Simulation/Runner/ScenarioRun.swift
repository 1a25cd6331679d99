internal import EventLoop
internal import Foundation
package import Host
package import Model
internal import Output
internal import Policy
package import Scenario

/// Runs scenarios, and reads their outcomes from their journals alone.
package struct ScenarioRun: Sendable {
  let settings: RunSettings

  /// Creates a run with these settings.
  package init(_ settings: RunSettings) { self.settings = settings }

  /// Reads all files that a scenario names, and selects its cases.
  ///
  /// - Parameter isIncluded: whether a case is to run; all cases run without it.
  /// - Throws: ``RunError`` where the scenario names a file that cannot be read, or is for another device than the one
  ///   that lives on. Nothing has run then.
  package func prepare(
    _ scenario: Scenario, isIncluded: (Case) -> Bool = { _ in true }
  ) throws(RunError) -> PreparedScenario {
    if let device = settings.device {
      guard scenario.devices.isEmpty else {
        throw RunError(
          .file(scenario.file), "the scenario has several `devices`, and `\(device)` is one",
          rule: "device")
      }
      try check(device, for: scenario)
    }
    var members: [Blueprint] = []
    for device in scenario.devices {
      members.append(try Blueprint(device, programs: settings.programs))
    }
    return PreparedScenario(
      blueprint: try Blueprint(scenario, programs: settings.programs), members: members,
      cases: scenario.cases.filter(isIncluded))
  }

  /// What each case of a scenario needs and this installation lacks, in a clause, in the order of the cases; nil: the
  /// installation lacks nothing, so the case can run.
  package func lacks(ofCasesIn scenario: Scenario) -> [String?] {
    settings.programs.lacks(ofCasesIn: scenario)
  }

  /// Runs one case, on a fresh device or the device that lives on.
  ///
  /// - Throws: ``RunError`` where the device cannot be brought up, or stops by itself, or its journal cannot be read.
  package func run(
    _ test: Case, of prepared: PreparedScenario, number: Int
  ) throws(RunError) -> CaseRecording {
    let folder = settings.device ?? "\(settings.folder)/\(number)"
    return try CaseRun(test, of: prepared.devices, settings, folder: folder).run()
  }

  /// Runs one case on a fresh device of which nothing is left then.
  ///
  /// - Throws: ``RunError`` where the device cannot be brought up, or stops by itself, or its journal cannot be read.
  func runAndForget(_ test: Case, of prepared: PreparedScenario) throws(RunError) -> CaseRecording {
    let folder = "\(settings.folder)/\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try CaseRun(test, of: prepared.devices, settings, folder: folder).run()
  }
}

/// A scenario that can be run.
package struct PreparedScenario: Sendable {
  private let blueprint: Blueprint
  /// One of each of several devices; empty: there is one, that of ``blueprint``.
  private let members: [Blueprint]
  package let cases: [Case]

  init(blueprint: Blueprint, members: [Blueprint] = [], cases: [Case]) {
    self.blueprint = blueprint
    self.members = members
    self.cases = cases
  }

  /// One of each device, at least one.
  var devices: [Blueprint] { members.isEmpty ? [blueprint] : members }

  /// The names of the devices, in the order of the file.
  package var deviceNames: [String] { devices.map(\.scenario.device.name) }

  /// The numbers of a case's steps of which a device carries out several parts at once.
  func unorderedSteps(of test: Case) -> Set<Int> {
    let numbered = test.steps.enumerated().filter { _, step in
      if case .concurrently(let concurrency) = step.action { return concurrency.steps.count > 1 }
      return devices.contains { $0.scenario.expand(step).count > 1 }
    }
    return Set(numbered.map { $0.offset + 1 })
  }

  /// The blueprint of the only device.
  ///
  /// - Throws: ``RunError`` where there are several.
  var onlyDevice: Blueprint {
    get throws(RunError) {
      guard members.isEmpty else {
        throw RunError(
          .file(file),
          "the scenario has \(members.count) `devices`, and this command takes one device; `sluice run` takes several",
          rule: "devices")
      }
      return blueprint
    }
  }

  package var scenario: Scenario { blueprint.scenario }
  package var file: String { scenario.file }

  /// The settings that the scenario's policies state.
  package var statedSettings: Set<Setting> {
    Set(blueprint.policies.flatMap(\.document.origins.keys))
  }

  /// What was not read of the scenario's policies; nil where they have no assignments that only the directory can judge.
  package var notice: String? { blueprint.notice }

  /// The statements of the scenario's files that are probably not meant, one sentence each with its place.
  package var warnings: [String] { blueprint.warnings }
}

// MARK: - The state of a device

extension ScenarioRun {
  /// The policies of each account in an app, on a device as the scenario begins with it, or on the device that lives
  /// on. No guest starts.
  ///
  /// - Throws: ``RunError`` where the scenario has no such app, or the device cannot be brought up.
  package func deviceState(
    of app: String, in prepared: PreparedScenario
  ) throws(RunError) -> DeviceStateView {
    let blueprint = try prepared.onlyDevice
    let file = blueprint.scenario.file
    var settings = settings
    if settings.device == nil { settings.journal = .off }
    let device = try blueprint.device(
      settings, in: settings.device ?? "\(settings.folder)/device-state")
    defer { device.close() }
    try device.install(blueprint, settings.device == nil ? .fresh : .used)
    guard var view = device.deviceState(of: app) else {
      let names = blueprint.scenario.apps.flatMap { $0.guests.prefix(1) }
        .map { "`\($0)`" }.joined(separator: ", ")
      throw RunError(.file(file), "no app is called `\(app)`; there are \(names)", rule: "app")
    }
    if let notice = prepared.notice { view.remarks.insert(notice, at: 0) }
    return view
  }
}

// MARK: - Devices that live on

extension ScenarioRun {
  /// Turns a folder into a device as the scenario begins with it: its apps are installed and its accounts signed in. No
  /// step is carried out, and no guest starts.
  ///
  /// - Returns: the name of the device.
  /// - Throws: ``RunError`` where the folder is not empty, or the device cannot be made; the folder is then left as it
  ///   was.
  package func createDevice(
    in folder: String, as prepared: PreparedScenario
  ) throws(RunError) -> String {
    let blueprint = try prepared.onlyDevice
    let place = try NewDevice(in: folder)
    do throws(RunError) {
      try fill(place.draft, blueprint)
      try place.finish()
    } catch {
      place.discard()
      throw error
    }
    return blueprint.scenario.device.name
  }

  private func fill(_ folder: String, _ blueprint: Blueprint) throws(RunError) {
    let device = try blueprint.device(settings, in: folder)
    defer { device.close() }
    try device.install(blueprint, .fresh)
    do throws(HostError) {
      try device.saveInventory()
    } catch {
      throw RunError(error, file: blueprint.scenario.file)
    }
  }

  /// Checks that the device in the folder is the scenario's.
  ///
  /// - Throws: ``RunError`` where there is no device in the folder, or another than the scenario's.
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
      "the scenario is for the device `\(scenario.device.name)`, and `\(folder)` is the device `\(name)`",
      rule: "device")
  }
}

/// A folder that is to become a device's. Until ``finish()``, it holds only a draft.
private struct NewDevice {
  private let folder: String
  /// The mode of the folder before; nil: it was not there.
  private let formerMode: mode_t?

  /// The folder in which the device is made.
  var draft: String { "\(folder)/.draft" }

  /// Prepares the folder, and makes it where there is none.
  ///
  /// - Throws: ``RunError`` where the folder is not empty, or cannot be made.
  init(in folder: String) throws(RunError) {
    self.folder = folder
    var status = stat()
    let content = try? FileManager.default.contentsOfDirectory(atPath: folder)
    formerMode = content != nil && stat(folder, &status) == 0 ? status.st_mode & 0o7777 : nil
    guard content?.isEmpty ?? true else {
      throw RunError(.file(folder), "the folder is not empty", rule: "device")
    }
    guard formerMode != nil || mkdir(folder, 0o700) == 0 else {
      let reason = String(cString: strerror(errno)).lowercased()
      throw RunError(.file(folder), "cannot make the folder: \(reason)", rule: "device")
    }
    // Keys will be in it.
    chmod(folder, 0o700)
  }

  /// Turns the draft into the device.
  ///
  /// - Throws: ``RunError`` with the system's reason.
  func finish() throws(RunError) {
    do {
      // The file by which a folder is a device's comes last.
      let names = try FileManager.default.contentsOfDirectory(atPath: draft).sorted()
      for name in names.filter({ $0 != "device.sqlite" }) + ["device.sqlite"] {
        try FileManager.default.moveItem(atPath: "\(draft)/\(name)", toPath: "\(folder)/\(name)")
      }
      try FileManager.default.removeItem(atPath: draft)
    } catch {
      throw RunError(.file(folder), "cannot make the device: \(error)", rule: "device")
    }
  }

  /// Leaves the folder as it was.
  func discard() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names { try? FileManager.default.removeItem(atPath: "\(folder)/\(name)") }
    if let formerMode { chmod(folder, formerMode) } else { rmdir(folder) }
  }
}
