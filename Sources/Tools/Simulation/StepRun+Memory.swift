internal import Host
internal import Scenario

/// Apps on a device that keeps only some of them in memory.
extension StepRun {
  /// The apps that the step addresses, but for those whose coming and going is the step itself.
  var addressedApps: [String] {
    if case .lifecycle = step.action { return [] }
    let detail = step.action.detail
    var names = [detail.actingGuest, detail.receiver]
    if case .import(let `import`) = step.action { names.append(`import`.from) }
    let apps = caseDevice.apps
    return names.compactMap(\.self).filter(apps.contains)
  }

  /// Has the apps that the step addresses in memory, and then calls `body`.
  func withAppsInMemory(_ body: @escaping () -> Void) {
    let apps = addressedApps
    guard caseDevice.memory != nil, !apps.isEmpty else { return body() }
    makeRoom(for: apps) { [unowned self] in
      let missing = apps.filter { !device.guests.isRunning($0) }
      guard !missing.isEmpty else { return body() }
      device.guests.launch(missing, done: body)
    }
  }

  /// Ends the apps that have to make room for others, and then calls `body`.
  func makeRoom(for apps: [String], _ body: @escaping () -> Void) {
    let leaving = caseDevice.memory?.use(apps, isRunning: device.guests.isRunning) ?? []
    guard !leaving.isEmpty else { return body() }
    device.guests.reclaimMemory(of: leaving, done: body)
  }

  /// Launches apps, no more at once than stay in memory, and then calls `body`.
  func launchInTurn(_ names: [String], _ body: @escaping () -> Void) {
    let most = caseDevice.memory?.limit ?? names.count
    let now = Array(names.prefix(most))
    guard !now.isEmpty else { return body() }
    makeRoom(for: now) { [unowned self] in
      device.guests.launch(now) { [weak self] in
        self?.launchInTurn(Array(names.dropFirst(most)), body)
      }
    }
  }
}
