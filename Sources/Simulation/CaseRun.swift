internal import Declarations
internal import EventLoop
internal import Foundation
internal import Host
internal import JSON
internal import Scenario
internal import ShareSheet
internal import Transfer
internal import Wire

/// One case on its device: real processes, one step after the other.
final class CaseRun {
  private let blueprint: Blueprint
  private let test: Case
  private let settings: RunSettings
  private(set) var device: Device
  /// Where the device is.
  private let folder: String
  /// UPNs that the directory has given accounts since the case began, by the scenario's names.
  private var names: [String: String] = [:]
  /// What steps have changed of the world around the device: its condition, the directory, the policies.
  private var changes: [(Device) -> Void] = []
  private var steps: [StepRun] = []
  /// The numbers of steps with parts that were carried out at once.
  private var unordered: Set<Int> = []
  private var arrivals = Arrivals()
  private lazy var sheetDesk = SheetDesk(blueprint)
  var traffic = Traffic()
  /// What guests have written, by the name of the app or extension.
  private var output: [String: GuestOutput] = [:]
  /// Called while a step waits, whenever something has happened.
  var onRound: () -> Void = {}
  /// Whether steps end at once, because the device is to go down.
  var isInterrupted = false
  /// Called with each new device, as after a restart.
  var onDevice: (Device) -> Void = { _ in }
  /// What the administrator has declared since the case began; nil: what the scenario has.
  private var declarations: DeclarationSet?
  /// Ends searches that nobody waits for any more.
  private var cancellation = Cancellation()
  /// Whether the device is just going down to come up again.
  private(set) var isRestarting = false
  /// Why the device did not come up again: nothing can be done on it any more; nil while it is up.
  private(set) var whyDown: String?

  /// - Throws: ``RunError`` where the device cannot be brought up.
  init(
    _ test: Case, of blueprint: Blueprint, _ settings: RunSettings, folder: String
  ) throws(RunError) {
    self.test = test
    self.blueprint = blueprint
    self.settings = settings
    self.folder = folder
    do {
      device = try Device(blueprint.configuration(settings, folder: folder))
    } catch {
      throw RunError(error, file: settings.device ?? blueprint.scenario.file)
    }
  }

  /// How much the journal of the device holds, in bytes.
  var journalSize: Int {
    let file = try? FileManager.default.attributesOfItem(atPath: device.journalPath)
    return file?[.size] as? Int ?? 0
  }

  /// Runs the case to its end.
  ///
  /// - Throws: ``RunError`` also where its journal cannot be read.
  func run() throws(RunError) -> CaseRecording {
    try record { () throws(RunError) in try carryOutAlone() }
  }

  /// What is left of all that happens in `body`.
  func record(_ body: () throws(RunError) -> Void) throws(RunError) -> CaseRecording {
    let (size, start) = (journalSize, ContinuousClock.now)
    try body()
    return CaseRecording(
      events: try JournalFile.read(device.journalPath, from: size),
      duration: ContinuousClock.now - start,
      output: output.sorted { $0.key < $1.key }.map(\.value), returned: traffic.returned,
      unordered: unordered)
  }

  private func carryOutAlone() throws(RunError) {
    device.note(
      .caseBegan(
        suite: blueprint.scenario.name, name: test.name, criterion: test.criterion))
    observe()
    do throws(RunError) {
      try install(settings.device == nil ? .fresh : .used)
      for (index, step) in test.steps.enumerated() {
        for _ in 0..<step.count where device.fault == nil {
          perform(step, number: index + 1, from: .scenario)
        }
      }
    } catch {
      close()
      throw error
    }
    close()
    if let fault = device.fault { throw RunError(stopped: fault) }
  }

  private func close() {
    stop()
    device.note(.caseEnded)
    shut()
  }

  private func shut() {
    device.observer = nil
    device.close()
  }

  // MARK: a device that stays up

  /// Installs what the scenario has on a device that stays up until ``end()``.
  func begin() throws(RunError) {
    observe()
    do throws(RunError) {
      try install(settings.device == nil ? .fresh : .used)
    } catch {
      end()
      throw error
    }
  }

  /// Carries the case's steps out; the device stays up.
  func carryOut() {
    device.note(
      .caseBegan(
        suite: blueprint.scenario.name, name: test.name, criterion: test.criterion))
    for (index, step) in test.steps.enumerated() {
      for _ in 0..<step.count where !isInterrupted && device.fault == nil {
        perform(step, number: index + 1, from: .scenario)
      }
    }
    device.note(.caseEnded)
  }

  func end() {
    stop()
    shut()
  }

  /// Ends every guest at once.
  func killAll() {
    for guest in device.guests.running { device.guests.kill(guest) {} }
  }

  private func stop() {
    guard whyDown == nil else { return }
    cancellation.cancel()
    cancellation = Cancellation()
    var isStopped = false
    device.guests.stopAll { isStopped = true }
    let limit = device.loop.now + Self.patience
    let timer = try? Timer(on: device.loop) {}
    timer?.start(after: Self.patience)
    // What waits for somebody who has gone for good would wait for ever.
    device.run {
      isStopped && (!device.rest.isBusy || device.loop.now >= limit || device.fault != nil)
    }
    timer?.close()
  }

  /// How long a device that goes down waits for what its guests have left undone, in milliseconds.
  private static let patience: UInt64 = 5_000

  /// Takes the device down in order, and brings it up again in its folder.
  ///
  /// - Returns: why that failed; nil where it did not.
  func restartDevice() -> String? {
    isRestarting = true
    defer { isRestarting = false }
    stop()
    shut()
    traffic.closeAll()
    do {
      device = try Device(blueprint.configuration(settings, folder: folder))
      try install(.used)
    } catch {
      device.close()
      whyDown = "\(error)"
      return "the device did not come up again: \(error)"
    }
    for change in changes { change(device) }
    observe()
    onDevice(device)
    return nil
  }

  /// What is so of the world around the device stays so when it goes down.
  func change(_ body: @escaping (Device) -> Void) {
    changes.append(body)
    body(device)
  }

  private func install(_ beginning: Device.Beginning) throws(RunError) {
    try device.startServers(blueprint)
    try device.install(blueprint, beginning, declaring: declarations)
    do {
      try device.saveInventory()
    } catch {
      throw RunError(error, file: folder)
    }
  }

  // MARK: steps

  /// - Returns: the step, or the steps that were carried out at once for it.
  @discardableResult
  func perform(_ step: Step, number: Int, from source: StepSource) -> [StepRun] {
    device.note(.stepBegan(step: number, text: step.text, at: source.place(step.position)))
    guard whyDown == nil else {
      device.note(.stepFailed(step: number, why: "the device is not up"))
      return []
    }
    arrivals = Arrivals()
    steps = expand(step).map { StepRun($0, number: number, from: source, in: self) }
    if steps.count > 1 { unordered.insert(number) }
    for run in steps { run.begin() }
    wait(number)
    for run in steps { run.compare() }
    defer { steps = [] }
    return steps
  }

  /// The steps to carry out at once for `step`.
  private func expand(_ step: Step) -> [Step] {
    switch step.action {
    case .concurrently(let steps): return steps.flatMap(expand)
    case .share(var share):
      return blueprint.scenario.guests(named: share.from).map { guest in
        share.from = guest
        return step.once(.share(share))
      }
    case .enroll(var enrollment):
      return blueprint.scenario.guests(named: enrollment.guest).map { guest in
        enrollment.guest = guest
        return step.once(.enroll(enrollment))
      }
    default: return [step]
    }
  }

  /// Waits until what the steps ask for is done, and with it what guests with programs of their own have asked
  /// for in consequence.
  private func wait(_ number: Int) {
    guard whyDown == nil else { return }
    let limit = device.loop.now + settings.stepLimit
    guard let timer = try? Timer(on: device.loop, {}) else { return }
    timer.start(after: settings.stepLimit)
    device.run {
      onRound()
      return isInterrupted || device.fault != nil || device.loop.now >= limit
        || steps.allSatisfy(\.isDone) && traffic.isQuiet && !device.guests.isRunningExtensions
          && !device.rest.isBusy
    }
    timer.close()
    guard device.fault == nil else { return }
    if steps.allSatisfy(\.isDone) { return settle() }
    device.note(
      .stepFailed(step: number, why: isInterrupted ? "the device goes down" : standstill))
  }

  /// What programs of their own still do belongs to the step that made them do it.
  private func settle() {
    guard device.rest.ownUnrest != nil, !isInterrupted else { return }
    let limit = device.loop.now + Self.settling
    guard let timer = try? Timer(on: device.loop, {}) else { return }
    timer.start(after: 0, every: 1)
    device.run {
      onRound()
      return isInterrupted || device.fault != nil || device.loop.now >= limit
        || traffic.isQuiet && device.rest.ownUnrest == nil
    }
    timer.close()
  }

  /// How long a step waits for programs that do not come to rest, in milliseconds.
  private static let settling: UInt64 = 1_000

  private var standstill: String {
    let why = steps.lazy.compactMap(\.standstill).first.map { ": \($0)" } ?? ""
    return "it did not end within \(settings.stepLimit / 1000) seconds\(why)"
  }

  /// Who works, or what is on its way, in a clause; nil where all is quiet.
  var unrest: String? { traffic.text ?? device.rest.unrest }

  private func observe() {
    device.observer = DeviceObserver(
      onDecision: { [unowned self] requester, decision in
        traffic.decided(decision)
        let arrival = arrivals.place(for: decision, of: requester, on: device)
        steps.first { $0.isAwaiting(decision, of: requester) }?
          .decided(decision, arrival: arrival)
      },
      onEnd: { [unowned self] request, end, status in
        traffic.ended(request, end)
        for step in steps { step.ended(request, end, status) }
        for step in steps { step.itemArrived() }
      },
      onItem: { [unowned self] request, item in traffic.sent(item, by: request) },
      onOutput: { [unowned self] guest, writing in
        let name = InstanceName(guest)?.extension ?? guest
        output[name, default: GuestOutput(guest: name)].append(writing)
      })
  }

  // MARK: what steps ask

  func accountID(_ name: String) -> String { account(name).upn }

  /// The account that the scenario calls by that name, as the directory has it now.
  func account(_ name: String) -> Account {
    guard let known = blueprint.scenario.account(named: name) else { return Account(upn: name) }
    return Account(
      upn: names[name] ?? known.upn, objectID: known.objectID, tenantID: known.tenantID)
  }

  func rename(_ renaming: Action.Renaming) throws(HostError) {
    try device.enrollment.rename(account(renaming.account), to: renaming.upn)
    names[renaming.account] = renaming.upn
  }

  func assign(_ assignment: Action.Assignment) {
    let documents = assignment.policies.flatMap(blueprint.documents(named:))
    let account = account(assignment.account)
    change { $0.enrollment.assign(documents, to: account) }
  }

  func assign(_ assignment: Action.ConfigurationAssignment) {
    let account = account(assignment.account)
    let found = assignment.configurations.flatMap { name in
      blueprint.configurations(named: name, for: account, called: assignment.account)
    }
    change { $0.configurations.assign(found, to: account) }
  }

  /// Whether reports may tell what the key of an app's configuration is set to.
  func mayShow(_ key: String, of guest: String) -> Bool {
    let app = blueprint.apps.first { $0.specification.hasGuest(guest) }
    return settings.showsValues && app?.description.scrubbedKeys.contains(key) != true
  }

  /// Reads the declarations of a folder; nil: none.
  func read(
    declarations path: String?, then finish: @escaping (Result<DeclarationSet, RunError>) -> Void
  ) {
    guard let path else { return finish(.success(DeclarationSet())) }
    let folder = Blueprint.folder(of: blueprint.scenario.file)
    device.loop.work {
      Result { () throws(RunError) in try Blueprint.declarations(at: path, in: folder) }
    } then: {
      finish($0)
    }
  }

  /// The administrator applies these declarations from now on.
  @discardableResult
  func apply(_ declarations: DeclarationSet) throws(HostError) -> DeclarationOutcome {
    let outcome = try device.management.apply(declarations)
    self.declarations = declarations
    return outcome
  }

  /// Where an app and its extensions keep what is theirs.
  private func stores(of guest: String) -> [ResidueScope.App] {
    guard let app = blueprint.apps.first(where: { $0.specification.hasGuest(guest) }) else {
      return [ResidueScope.App(name: guest)]
    }
    let extensions = blueprint.apps.filter {
      $0.description.kind.containingApp == app.description.bundleID
    }
    return [Self.store(guest, app.description)]
      + extensions.flatMap { kind in
        kind.specification.guests.map { Self.store($0, kind.description) }
      }
  }

  private static func store(_ guest: String, _ app: AppDescription) -> ResidueScope.App {
    let groups = ["\(app.team).\(app.bundleID)"] + app.keychainAccessGroups + app.appGroups
    return ResidueScope.App(name: guest, bundleID: app.bundleID, groups: groups)
  }

  /// Looks for what is left of an account that should not be there.
  func search(_ residue: Action.Residue, then finish: @escaping ([String]) -> Void) {
    let scope: ResidueScope =
      residue.guests.isEmpty ? .device : .apps(residue.guests.flatMap(stores))
    let check = ResidueCheck(
      folder: folder, account: account(residue.account), scope: scope,
      canaries: residue.canaries, cancellation: cancellation)
    device.loop.work {
      Result { () throws(HostError) in try check.run() }
    } then: { result in
      switch result {
      // The journal cites the scenario's steps, and they name the canaries themselves.
      case .success(let report):
        finish(
          report.findings.filter { $0.store != .journal }.map { "\($0.place): \($0.words)" })
      case .failure(let error): finish([error.description])
      }
    }
  }

  /// What the share sheet shows that a guest would see now.
  func sheet(_ sheet: Action.ShareSheet, as task: TaskContext?) throws(SheetError) -> Sheet {
    try sheetDesk.sheet(sheet, as: task, on: device)
  }

  /// What is so of the service that enrolls accounts from now on.
  func change(_ service: ServiceChange) {
    change { [unowned self] device in
      device.enrollment.changeService { service.apply(to: &$0) { account($0) } }
    }
  }

  func target(_ targeting: Action.ConditionalAccessTargeting) {
    let accounts = targeting.accounts.map { account($0) }
    change { $0.tokens.assign(targeting.policy, to: accounts) }
  }

  /// What the guest's app declares to the token service.
  func capabilities(of guest: String) -> [String] {
    blueprint.scenario.app(ofGuest: guest)?.capabilities ?? []
  }

  /// What the directory says of an account from now on.
  func set(_ status: Action.AccountStatus) {
    let account = account(status.account)
    change {
      $0.access.set(account, isDisabled: status.isDisabled, isClockedOut: status.isClockedOut)
    }
  }

  /// What the scenario calls the identity that a decision names.
  func reference(_ accountID: String?) -> IdentityReference {
    switch accountID {
    case nil: .unset
    case "": .unknown
    case let name?:
      .account(blueprint.scenario.accounts.first { account($0.name).isNamed(name) }?.name ?? name)
    }
  }

  /// What the scenario calls an identity.
  func reference(_ identity: Identity) -> IdentityReference {
    switch identity {
    case .unset: .unset
    case .unknown: .unknown
    case .account(let account):
      .account(
        blueprint.scenario.accounts.first { self.account($0.name).isSame(as: account) }?.name
          ?? account.upn)
    }
  }
}

extension Step {
  /// The same step with another action, to be carried out once.
  fileprivate func once(_ action: Action) -> Step {
    var step = self
    step.action = action
    step.count = 1
    return step
  }
}

extension GuestOutput {
  fileprivate mutating func append(_ writing: GuestWriting) {
    switch writing {
    case .log(let text): append(lines: text)
    case .stream(let text): append(text)
    }
  }
}
