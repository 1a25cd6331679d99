internal import EventLoop
internal import Host
internal import Model
internal import Policy

/// A device with the apps of a walk, which carries out one step after the other.
final class WalkDevice {
  private(set) var device: Device
  private let configuration: DeviceConfiguration
  private var scan: WalkScan
  /// The last item that each app received, under the device's tag.
  private(set) var received: [WalkApp: Item] = [:]
  private var step: StepWatch?
  /// The number of requests of all apps that are decided and have not ended.
  private var openRequests = 0
  /// The number of the step.
  private(set) var number = 0

  /// The time that a step may take, in milliseconds of real time.
  private static let stepLimit: UInt64 = 10_000
  /// The interval at which a step is checked for progress, in milliseconds.
  private static let lookInterval: UInt64 = 100

  /// Makes the device, and installs the apps.
  ///
  /// - Parameter folder: the folder in which the device is made.
  /// - Throws: ``RunError`` where the device cannot be made.
  init(
    _ settings: RunSettings, policies: [PolicyDocument], folder: String
  ) throws(RunError) {
    var configuration = DeviceConfiguration(folder: folder, programs: settings.programs)
    configuration.accounts = [WalkAccount.work.account]
    configuration.policies = policies.map {
      PolicyAssignment(
        document: $0, account: WalkAccount.work.account, apps: WalkApp.protectedBundles)
    }
    configuration.trace = settings.trace
    configuration.journal = settings.journal
    configuration.requiresConfinement = settings.requiresConfinement
    configuration.systemCalls = settings.systemCalls
    // Only steps end the waiting for a suspended app.
    configuration.limits.delivery = 3_600_000
    scan = WalkScan(folder: folder)
    self.configuration = configuration
    do {
      device = try Device(configuration)
      for app in WalkApp.allCases {
        try device.install(app.description)
        for account in app.firstAccounts {
          try device.accounts.presetSignIn(account.account, in: app.name)
        }
      }
    } catch {
      throw RunError(error, file: "walk")
    }
    observe()
  }

  /// Brings the device up again that a fault has stopped.
  ///
  /// - Returns: the reason why it did not come up; nil where it is up.
  private func comeUpAgain() -> String? {
    close()
    do throws(HostError) {
      device = try Device(configuration)
      for app in WalkApp.allCases { try device.install(app.description) }
    } catch {
      return "the device did not come up again: \(error)"
    }
    openRequests = 0
    observe()
    return nil
  }

  func close() {
    var isStopped = false
    device.guests.stopAll { isStopped = true }
    device.run { isStopped && !device.wipes.isWiping }
    device.observer = nil
    device.close()
  }

  /// The paths of all files of apps and groups after the last step, relative to the device's folder.
  var files: Set<String> { scan.files }

  private func observe() {
    device.observer = DeviceObserver(
      onDecision: { [unowned self] requester, decision in
        openRequests += 1
        step?.decided(decision, by: requester)
      },
      onEnd: { [unowned self] request, end, _ in
        openRequests -= 1
        step?.ended(request, end)
        // The app, which is to tell that it has its answer, never gets one.
        if device.faults.hasLostAnswer(to: request) { step?.done() }
      })
  }

  // MARK: one step

  /// Carries out a step.
  ///
  /// - Parameters:
  ///   - forecast: the model's expectation, which states what to wait for.
  ///   - model: the model after the step.
  func take(_ step: WalkStep, _ forecast: WalkForecast, _ model: WalkModel) -> WalkObservation {
    let watch = StepWatch(step, newText: model.newest)
    self.step = watch
    number += 1
    device.note(.stepBegan(step: number, text: step.text))
    begin(step, watch)
    wait(for: watch, forecast, model)
    device.faults.disarm()
    self.step = nil
    watch.observation.changed = scan.look()
    keep(forecast.arrivals)
    return watch.observation
  }

  private func wait(for watch: StepWatch, _ forecast: WalkForecast, _ model: WalkModel) {
    let limit = device.loop.now + Self.stepLimit
    var isAtRest = false
    let look = { [device] in isAtRest = device.rest.isAtRest }
    guard let timer = try? Timer(on: device.loop, look) else { return }
    timer.start(after: Self.lookInterval, every: Self.lookInterval)
    device.run {
      isAtRest || device.loop.now >= limit || device.faults.hasStoppedDevice
        || isOver(watch, forecast, model)
    }
    timer.close()
    if device.faults.hasStoppedDevice {
      if let why = comeUpAgain() { watch.failed(why) }
      watch.done()
    }
    if !isOver(watch, forecast, model) {
      watch.observation.failure = watch.observation.failure ?? standstill(model)
    }
  }

  private func isOver(
    _ watch: StepWatch, _ forecast: WalkForecast, _ model: WalkModel
  ) -> Bool {
    let isWaiting = forecast.isWaiting && !watch.observation.requests.isEmpty
    return (watch.isDone || isWaiting) && openRequests == model.waiting.count
      && !device.rest.isBusy
      && WalkApp.allCases.allSatisfy { device.guests.isRunning($0.name) == model[$0].isRunning }
  }

  private func standstill(_ model: WalkModel) -> String {
    let astray = WalkApp.allCases.filter { device.guests.isRunning($0.name) != model[$0].isRunning }
    let reasons = astray.map { app in
      device.guests.exitCause(of: app.name).map { "\(app) \($0.text)" } ?? "\(app) runs"
    }
    return reasons.first ?? "it does not come to an end"
  }

  /// Keeps the items that came in time with their tags, as apps that have received something do.
  private func keep(_ arrivals: [WalkArrival]) {
    for arrival in arrivals {
      guard let content = arrival.content else { continue }
      received[arrival.app] = device.sealed(
        Item(type: Item.plainText, payload: .inline(content.bytes)),
        of: content.owner?.account, from: arrival.from.bundleID)
    }
  }
}
