internal import Diagnostics
internal import EventLoop
internal import Host
internal import Scenario

/// Devices that live on.
extension ScenarioRun {
  /// Turns a folder into a device as the scenario begins with it: its apps are installed and its accounts signed in. No
  /// step is carried out, and no guest starts.
  ///
  /// - Returns: the name of the device.
  /// - Throws: ``RunError`` where the folder is not empty, or the device cannot be made; the folder is then left as it
  ///   was.
  public func createDevice(
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
