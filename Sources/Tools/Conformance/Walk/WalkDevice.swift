internal import EventLoop
internal import Glibc
internal import Host
internal import Model
internal import Policy
internal import Simulation
internal import Wire

/// A device with a walk's apps. It performs one step at a time.
final class WalkDevice {
  private(set) var device: Device
  private let configuration: DeviceConfiguration
  private var scan: WalkScan
  /// The latest item that each app has received, with the device's tag.
  private var received: [WalkApp: Item] = [:]
  private var step: StepWatch?
  /// The number of decided but unfinished requests of all apps.
  private var openRequests = 0
  private var number = 0

  /// The timeout for a step, in milliseconds of real time.
  private static let stepLimit: UInt64 = 10_000
  /// The interval at which a step is checked for progress, in milliseconds.
  private static let lookInterval: UInt64 = 100

  /// Creates the device in `folder`, and installs the apps.
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
    // The timeout is long, because deliveries to a suspended app must wait for later steps.
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

  /// Restarts a device that a fault has stopped.
  ///
  /// - Returns: The reason for a failure; nil if the device has restarted.
  private func comeUpAgain() -> String? {
    close()
    do throws(HostError) {
      device = try Device(configuration)
      for app in WalkApp.allCases { try device.install(app.description) }
    } catch {
      return "the device did not restart: \(error)"
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

  /// The paths of all files in the folders of apps and groups after the latest step, relative to the device's folder.
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
        // The app never receives this answer, so it cannot report it and the step is done.
        if device.faults.hasLostAnswer(to: request) { step?.done() }
      })
  }

  // MARK: Steps

  /// Performs a step, and waits for its outcome.
  ///
  /// - Parameters:
  ///   - forecast: The model's forecast, which determines the events to wait for.
  ///   - model: The model after the step.
  func perform(_ step: WalkStep, _ forecast: WalkForecast, _ model: WalkModel) -> WalkObservation {
    let watch = StepWatch(step, newText: model.newest)
    self.step = watch
    number += 1
    device.record(.stepBegan(step: number, text: step.text))
    begin(step, watch)
    wait(for: watch, forecast, model)
    device.faults.disarm()
    self.step = nil
    watch.observation.changed = scan.changes()
    store(forecast.arrivals)
    return watch.observation
  }

  private func wait(for watch: StepWatch, _ forecast: WalkForecast, _ model: WalkModel) {
    let limit = device.loop.now + Self.stepLimit
    var isAtRest = false
    let look = { [device] in isAtRest = device.idleWatch.isAtRest }
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
      && !device.idleWatch.isBusy
      && WalkApp.allCases.allSatisfy { device.guests.isRunning($0.name) == model[$0].isRunning }
  }

  private func standstill(_ model: WalkModel) -> String {
    let astray = WalkApp.allCases.filter { device.guests.isRunning($0.name) != model[$0].isRunning }
    let reasons = astray.map { app in
      device.guests.exitCause(of: app.name).map { "\(app) \($0.text)" } ?? "\(app) runs"
    }
    return reasons.first ?? "it does not finish"
  }

  /// Stores items that apps have received, with the device's tags, so later steps can pass them on.
  private func store(_ arrivals: [WalkArrival]) {
    for arrival in arrivals {
      guard let content = arrival.content else { continue }
      received[arrival.app] = device.sealed(
        Item(type: Item.plainText, payload: .inline(content.bytes)),
        of: content.owner?.account, from: arrival.from.bundleID)
    }
  }

  // MARK: Step implementations

  private func begin(_ step: WalkStep, _ watch: StepWatch) {
    switch step {
    case .launch(let app): device.guests.launch([app.name], done: watch.done)
    case .suspend(let app):
      device.guests.suspend(app.name)
      watch.done()
    case .resume(let app):
      device.guests.resume(app.name)
      watch.done()
    case .kill(let app): device.guests.kill([app.name], done: watch.done)
    case .relaunch(let app):
      device.guests.kill([app.name]) { [device] in
        device.guests.launch([app.name], done: watch.done)
      }
    case .signIn(let app, let account):
      ask(.signIn(account: account.account.upn), WalkTask(), app, watch)
    case .signOut(let app, let account):
      ask(.signOut(account: account.account.upn), WalkTask(), app, watch)
    case .wipe(let app, let account, let answer): wipe(account, app, answer, watch)
    case .answerSwitches(let answer):
      let behaviour = Behaviour(acceptsIdentitySwitch: answer == .success)
      device.driver.instruct(behaviour, on: WalkApp.notes.name, done: watch.performed)
    case .switchIdentity(let identity, let level):
      let change = SwitchIdentity(account: identity.accountID, level: level.identityLevel)
      ask(.switchIdentity(change), WalkTask(), .notes, watch)
    case .share(let share): self.share(share, watch)
    case .fault(let fault, let share):
      device.faults.arm(fault.fault(number, on: device, share))
      self.share(share, watch)
    case .copy(let app, let task, let content):
      ask(.copy(item(content, app, watch)), task, app, watch)
    case .paste(let app, let task): ask(.paste, task, app, watch)
    case .importItem(let step): importItem(step, watch)
    case .file(let app, let task, let work): perform(work, task, app, watch)
    case .secret(let app, let task, let secret, let work):
      ask(request(work, secret, watch), task, app, watch)
    case .captureScreen(let app, let task):
      ask(.use(Use(channel: Channel.screenCapture.rawValue)), task, app, watch)
    }
  }

  private func ask(
    _ request: GuestMessage.Body, _ task: WalkTask, _ app: WalkApp, _ watch: StepWatch
  ) {
    device.driver.perform(request, as: task.context, on: app.name, done: watch.performed)
  }

  // MARK: Wipes

  private func wipe(
    _ account: WalkAccount, _ app: WalkApp, _ answer: WipeBehaviour, _ watch: StepWatch
  ) {
    let wipe = { [device] in
      do throws(HostError) {
        try device.wipes.wipe(account.account, in: app.name, done: watch.done)
      } catch {
        watch.failed(error.description)
      }
    }
    // An app that is not running behaves as it did at installation: it leaves the files to the SDK.
    guard device.guests.isRunning(app.name), !device.guests.isSuspended(app.name) else {
      return wipe()
    }
    device.driver.instruct(Behaviour(wipe: answer), on: app.name) { _ in wipe() }
  }

  // MARK: Items

  private func share(_ share: WalkStep.Share, _ watch: StepWatch) {
    let item = item(share.content, share.from, watch)
    let request = Wire.Share(
      destination: share.to.name, item: item, via: share.via, way: share.way)
    ask(.share(request), share.task, share.from, watch)
  }

  private func importItem(_ step: WalkStep.Import, _ watch: StepWatch) {
    let behaviour = Behaviour(provides: item(.own, step.from, watch))
    device.driver.instruct(behaviour, on: step.from.name) { [weak self] _ in
      self?.ask(.import(source: step.from.name, via: step.via), step.task, step.into, watch)
    }
  }

  private func item(
    _ content: WalkStep.Content, _ app: WalkApp, _ watch: StepWatch
  ) -> Item {
    var item = Item(type: Item.plainText, payload: .inline(watch.newText.bytes(.short)))
    switch content {
    case .own: break
    case .received: return received[app] ?? item
    case .forged:
      item.tag = OwnershipTag(
        ownerUPN: WalkAccount.personal.account.upn, ownerObjectID: "", ownerTenantID: "",
        isManaged: false, originApp: WalkApp.photos.bundleID, device: device.configuration.name,
        sequence: 1, seal: Array(repeating: 0, count: 32))
    }
    return item
  }

  // MARK: Files and secrets

  private func perform(
    _ work: WalkStep.FileWork, _ task: WalkTask, _ app: WalkApp, _ watch: StepWatch
  ) {
    let file = work.place.reference
    let own: FileWork
    switch work.kind {
    case .move(let target):
      return ask(.moveFile(file, to: target.reference), task, app, watch)
    case .remove: return ask(.removeFile(file), task, app, watch)
    case .write(let length):
      own = FileWork(.write, file, content: watch.newText.bytes(length))
    case .append(let length):
      own = FileWork(.append, file, content: watch.newText.bytes(length))
    case .read: own = FileWork(.read, file)
    case .protect(let owner):
      own = FileWork(.protect, file, owner: owner?.account.upn ?? "")
    }
    device.driver.perform(own, as: task.context, on: app.name, done: watch.performed)
  }

  private func request(
    _ work: WalkStep.SecretWork, _ secret: WalkSecret, _ watch: StepWatch
  ) -> GuestMessage.Body {
    switch work {
    case .add: .keychainAdd(secret.key, value: watch.newText.bytes(.short))
    case .query: .keychainQuery(secret.key)
    case .delete: .keychainDelete(secret.key)
    }
  }
}

extension WalkStep.SwitchLevel {
  fileprivate var identityLevel: IdentityLevel {
    switch self {
    case .process: .process
    case .window(let window): .window(window.rawValue)
    }
  }
}

// MARK: - Observation

/// The observation of a step in progress.
private final class StepWatch {
  private let guest: String?
  private let operations: Set<Operation>
  /// Whether a fault keeps the app from reporting its result.
  private let isCutShort: Bool
  /// The new text, for a step that writes or sends one.
  let newText: WalkText
  private(set) var isDone = false
  var observation = WalkObservation()

  init(_ step: WalkStep, newText: WalkText) {
    guest = step.app?.name
    operations = step.operations
    isCutShort = step.isCutShort
    self.newText = newText
  }

  func done() { isDone = true }

  func performed(_ performance: InstructionResult) {
    if !isCutShort { observation.failure = observation.failure ?? performance.failure }
    observation.found = performance.found
    isDone = true
  }

  func failed(_ why: String) {
    observation.failure = why
    isDone = true
  }

  func decided(_ decision: RequestDecision, by requester: String) {
    guard requester == guest, operations.contains(decision.operation) else { return }
    observation.requests.append(WalkObservation.ObservedRequest(decision: decision))
  }

  func ended(_ request: Int, _ end: RequestEnd) {
    guard
      let index = observation.requests.firstIndex(where: { $0.decision.request == request })
    else { return }
    observation.requests[index].end = end
  }
}

extension WalkStep {
  /// Whether a fault ends the requesting app.
  fileprivate var isCutShort: Bool {
    guard case .fault(let fault, let share) = self else { return false }
    return fault.endsSender(of: share)
  }

  fileprivate var app: WalkApp? {
    switch self {
    case .launch, .suspend, .resume, .kill, .relaunch, .wipe, .answerSwitches: nil
    case .signIn(let app, _), .signOut(let app, _): app
    case .switchIdentity: .notes
    case .share(let share), .fault(_, let share): share.from
    case .copy(let app, _, _), .paste(let app, _), .file(let app, _, _): app
    case .importItem(let step): step.into
    case .secret(let app, _, _, _), .captureScreen(let app, _): app
    }
  }

  fileprivate var operations: Set<Operation> {
    switch self {
    case .launch, .suspend, .resume, .kill, .relaunch, .wipe, .answerSwitches: []
    case .signIn: [.signIn]
    case .signOut: [.signOut]
    case .switchIdentity: [.switchIdentity]
    case .share(let share), .fault(_, let share): [Operation(share.way.channel)]
    case .copy: [.copy]
    case .paste: [.paste]
    case .importItem: [.import]
    case .file: [.openFile, .moveFile, .removeFile]
    case .secret: [.keychainAdd, .keychainQuery, .keychainDelete]
    case .captureScreen: [.screenCapture]
    }
  }
}

/// The outcome of a walk's step on the device.
struct WalkObservation {
  /// The acting app's requests, in the order of their decisions.
  var requests: [ObservedRequest] = []
  /// The bytes that the app has read.
  var found: [UInt8] = []
  /// The reason why the app failed to perform its instruction, or why the step did not end; nil for a success.
  var failure: String?
  /// The paths of new and changed files, relative to the device's folder.
  var changed: [String] = []

  struct ObservedRequest {
    var decision: RequestDecision
    var end: RequestEnd?
  }

  /// The device's answer to the step. If the answers to the step's requests differ, the one that comes first in this
  /// order: refused, encrypted, failed, allowed.
  var answer: WalkAnswer {
    guard !requests.isEmpty else { return .none }
    let outcomes = requests.map(\.decision.verdict.outcome)
    if outcomes.contains(.blocked) { return .refused }
    if outcomes.contains(.encrypted) { return .encrypted }
    return requests.contains { $0.end == .failed } ? .failed : .allowed
  }

  var rules: String {
    requests.map { "`\($0.decision.verdict.deciding)`" }.joined(separator: ", ")
  }
}

// MARK: - Files

/// The files of apps and groups on disk, with the changes since the last scan.
private struct WalkScan {
  /// The device's folder.
  let folder: String
  private var known: [String: Stamp] = [:]

  init(folder: String) { self.folder = folder }

  private struct Stamp: Equatable {
    var inode: UInt
    var size: Int
    var seconds: Int
    var nanoseconds: Int

    init(_ status: stat) {
      inode = status.st_ino
      size = status.st_size
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    }
  }

  /// The paths of all files, relative to the device's folder.
  var files: Set<String> { Set(known.keys) }

  /// Scans all files, and returns the paths of new and changed files, relative to the device's folder.
  mutating func changes() -> [String] {
    var found: [String: Stamp] = [:]
    var changed: [String] = []
    for root in ["Containers", "Groups"] {
      walk(root) { path, stamp in
        if known[path] != stamp { changed.append(path) }
        found[path] = stamp
      }
    }
    known = found
    return changed.sorted()
  }

  private func walk(_ path: String, _ visit: (String, Stamp) -> Void) {
    guard let stream = opendir("\(folder)/\(path)") else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name != ".", name != ".." else { continue }
      let file = "\(path)/\(name)"
      var status = stat()
      guard fstatat(dirfd(stream), name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        walk(file, visit)
      } else {
        visit(file, Stamp(status))
      }
    }
  }
}
