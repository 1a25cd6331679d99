internal import Diagnostics
package import Host
internal import Scenario

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
