internal import Encodings
internal import EventLoop
internal import Host
internal import Model
internal import Output
package import Scenario
internal import Wire

package final class StepRun {
  let step: Step
  private let number: Int
  /// The origin of the step: the scenario file or a client.
  private let source: StepSource
  let caseDevice: CaseDevice
  /// The time at which the step ends, on the shared clock. Only an `advance` step ends later than it begins.
  let clockEnd: Int
  let guest: String?
  /// Whether the step has failed, or has ended with its device.
  private var isBroken = false
  private(set) var isDone = false { didSet { if isDone { forgetRun() } } }
  /// The request of the step's guest, and the requests by which extensions returned items to the guest.
  private var requests = StepRequests()
  private var findings = StepFindings()
  /// The search for the expected line of output; nil if the step waits for no output.
  var search: LineSearch?
  /// The step's timer: for polling, for waits, and for work in a later iteration of the loop.
  private(set) var timer: Timer?
  /// The number of taps in an extension that have neither succeeded nor failed yet.
  private var openTaps = 0
  /// Whether only taps remain, so the step ends with the last tap.
  private var endsWithTaps = false

  /// Prepares a step.
  ///
  /// - Parameter begin: The time at which the step began, on the shared clock; nil if it begins now.
  init(
    _ step: Step, number: Int, from source: StepSource, on caseDevice: CaseDevice,
    since begin: Int? = nil
  ) {
    self.step = step
    self.number = number
    self.source = source
    self.caseDevice = caseDevice
    if case .advance(let advance) = step.action {
      let device = caseDevice.device
      let room = device.time(after: advance.seconds) - device.now
      clockEnd = (begin ?? caseDevice.time) + room
    } else {
      clockEnd = caseDevice.time
    }
    guest = step.action.detail.actingGuest
  }

  deinit { timer?.close() }

  var device: Device { caseDevice.device }
  var world: CaseWorld { caseDevice.world }
  var traffic: CaseTraffic { caseDevice.traffic }

  /// Whether the case ends with this step, because the remaining steps would no longer have the stated effects.
  private(set) var endsCase = false

  /// Whether anything other than the scenario's steps may start a guest.
  var isStartedByOthers: Bool {
    if case .client = source { true } else { device.guests.runsOwnPrograms }
  }

  func begin() {
    withAppsInMemory { [weak self] in
      guard let self else { return }
      do throws(HostError) {
        try carryOut()
      } catch {
        fail(error.description)
      }
    }
  }

  private func carryOut() throws(HostError) {
    switch step.action {
    // Nothing to start: the outcome is available when the step ends.
    case .concurrently, .traffic, .administratorEvents: end()
    case .log(let reading):
      device.guests.readOutput(of: reading.guest)
      end { findings.log = caseDevice.watch.takeOutput(of: reading.guest) }
    case .lifecycle(let lifecycle): begin(lifecycle)
    case .account(let account): try begin(account)
    case .wipeUser(let wipe): try begin(wipe)
    case .share(let share):
      try prepareRun(for: share)
      ask(share.request(in: world))
    case .shareSheet(let sheet): inspect(sheet)
    case .managedApp(let question): ask(StepRequest(.managedApp(question.request(on: device))))
    case .request(let action): ask(action.detail.request(in: world))
    case .configuration(let lookup): lookUp(lookup)
    case .delegate(let call): askApp(call)
    case .configure(let configuration):
      let guest = configuration.guest
      try device.enrollment.configure(guest, configuration.entries)
      end()
    case .change(let change):
      do {
        try world.make(change, on: device)
        end()
      } catch {
        fail("\(error)")
      }
    case .declarations(let folder): apply(declarations: folder.path)
    case .served(let look): awaitRequests(of: look.server)
    case .residue(let residue): search(residue)
    case .restart:
      if let why = caseDevice.restart() { return fail(why) }
      end()
    case .fault(let fault): end { caseDevice.faults.arm(fault, by: number, on: device) }
    case .wait(let wait): begin(wait)
    case .advance: end { caseDevice.advance(to: clockEnd) }
    }
  }

  private func begin(_ account: Action.AccountStep) throws(HostError) {
    let identity = world.accountID(account.account)
    switch account.kind {
    case .signIn: ask(StepRequest(.signIn(account: identity)))
    case .signOut: ask(StepRequest(.signOut(account: identity)))
    case .wipe:
      try device.wipes.wipe(world.account(account.account), in: account.guest) { [weak self] in
        self?.end()
      }
    case .checkIn:
      try device.enrollment.checkIn(world.account(account.account), in: account.guest)
      end()
    case .enrollmentState: end()
    }
  }

  private func begin(_ wipe: Action.UserWipe) throws(HostError) {
    try self.wipe(world.account(wipe.account), in: caseDevice.apps[...])
  }

  /// Wipes an account from the apps one by one, so the order of the events is fixed.
  private func wipe(_ account: Account, in apps: ArraySlice<String>) throws(HostError) {
    guard let app = apps.first else { return end() }
    try device.wipes.wipe(account, in: app) { [weak self] in
      do throws(HostError) {
        try self?.wipe(account, in: apps.dropFirst())
      } catch {
        self?.fail(error.description)
      }
    }
  }

  /// Calls `body`, then ends the step. If taps are pending, the step ends once each of them has succeeded or failed.
  ///
  /// - Parameter body: The remaining work of the step.
  func end(_ body: () -> Void = {}) {
    body()
    if openTaps > 0 { forgetRun() }
    guard openTaps == 0 else { return endsWithTaps = true }
    isDone = true
  }

  /// Gives up the step after its time limit. An extension run that has not begun no longer gets the step's
  /// instructions.
  func abandon() { forgetRun() }

  /// Ends the step because a fault has stopped the device.
  func endWithDevice() {
    timer?.close()
    timer = nil
    isBroken = true
    isDone = true
  }

  func fail(_ why: String) {
    noteFailure(why)
    isDone = true
  }

  /// Records a failure of one part of the step. The other parts continue.
  private func noteFailure(_ why: String) {
    isBroken = true
    device.record(.stepFailed(step: number, why: why))
  }

  func compare() {
    noteDemand()
    noteMissingAccount()
    guard let expectation = step.expectation else { return }
    let place = source.place(step.expectationPosition)
    device.record(
      expectation.compare(with: observation).map { comparison in
        .expectation(
          step: number, expected: comparison.expected, found: comparison.found,
          isMet: comparison.isMet, at: place)
      })
  }

  /// Records the step's implicit requirement as a met expectation, so the case counts as having an expectation.
  private func noteDemand() {
    guard case .scenario = source, isDone, !isBroken, let demand = step.action.detail.demand else {
      return
    }
    device.record(
      .expectation(
        step: number, expected: demand, found: demand, isMet: true, at: source.place(step.position))
    )
  }

  /// Fails a step without an expectation if its identity switch failed because the account is not signed in. Also ends
  /// the case, because later steps would act for an account other than the stated account.
  private func noteMissingAccount() {
    guard case .scenario = source, let change = step.action.detail as? Action.IdentitySwitch,
      step.expectation == nil,
      requests.first?.decision.verdict.deciding == .accountNotSignedIn
    else { return }
    let accounts = ([change.identity.text] + change.others).map { "`\($0)`" }
    let who =
      accounts.count == 1
      ? "\(accounts[0]) is not" : "not all of \(ListFormat.all(of: accounts)) are"
    noteFailure(
      "\(who) signed in to `\(change.guest)`: sign in first (`signIn`), or expect the refusal "
        + "(`verdict: blocked`)")
    endsCase = true
  }

  /// Returns whether the step's guest `guest` has exited as the step permits: the step expects the exit, or it is a
  /// `traffic` step, in which an item from another app may crash the guest.
  private func hasEndedAsExpected(_ guest: String) -> Bool {
    (step.expectation?.exit != nil || step.launchesApps) && guest == self.guest
      && !device.guests.isRunning(guest)
  }

  /// The guest that the step expects to end; nil if there is none.
  var endingGuest: String? { step.expectation?.exit == nil ? nil : guest }

  /// Whether the step tolerates the loss of its request if the receiver ends. A step of the scenario tolerates this
  /// only if it expects this end of the request. A step of a client always tolerates it, because the client receives
  /// the actual end.
  var expectsFailure: Bool {
    let found = requests.first?.end
    let stated =
      switch source {
      case .scenario: step.expectation?.end
      case .client: found
      }
    return stated.map { [.undeliverable, .failed].contains($0) } ?? false
  }

  /// The receiver of the step's request; nil if it is unknown.
  var receiver: String? {
    step.action.detail.receiver ?? requests.first?.decision.receiver?.guest
  }

  /// Returns the message for a guest that is not running, with a hint to start it.
  private func absence(of guest: String) -> String {
    let hint = device.guests.exitCause(of: guest) == nil ? "; `launch` it first" : ""
    return "`\(guest)` is not running\(hint)"
  }

  // MARK: Requests

  private func ask(_ request: StepRequest) {
    guard let guest else { preconditionFailure("a step without a guest has no request") }
    if case .act = request, !device.guests.hasOwnProgram(guest) {
      return fail(
        "`\(guest)` is run by the ready-made guest, which has no user interface; use a program of your own "
          + "(`executable`)")
    }
    guard !device.guests.isSuspended(guest) else { return fail("`\(guest)` is suspended") }
    caseDevice.watch.expectRequest(of: guest, for: self)
    let isRunning = device.guests.isRunning(guest)
    let faults = device.faults
    let hits = faults.hits(on: guest)
    let done = { [weak self] (performance: InstructionResult) in
      // An end caused by a fault or expected by the step is not a failure.
      if let failure = performance.failure, faults.hits(on: guest) == hits,
        self?.hasEndedAsExpected(guest) == false
      {
        self?.fail(isRunning ? failure : self?.absence(of: guest) ?? failure)
      }
      self?.findings.content = performance.found
      self?.end()
    }
    let task = step.task?.context(world)
    switch request {
    case .send(let body, let content):
      device.driver.perform(body, with: content, as: task, on: guest, done: done)
    case .work(let work, let content):
      device.driver.perform(work, with: content, as: task, on: guest, done: done)
    case .act(let act): device.driver.perform(act, on: guest, done: done)
    }
  }

  func decided(_ decision: RequestDecision, arrival: InboxFile?) {
    requests.add(decision, arrival: arrival)
  }

  func ended(_ request: Int, _ end: RequestEnd, _ status: Int) {
    requests.ended(request, end, status)
    // The guest never receives this answer, so it cannot report it.
    if requests.first?.decision.request == request, device.faults.hasLostAnswer(to: request) {
      self.end()
    }
  }

  // MARK: Checks and lookups

  private func search(_ residue: Action.Residue) {
    world.search(residue, on: device.loop, caseDevice.cancellation) { [weak self] findings in
      guard let self else { return }
      for finding in findings { fail(finding) }
      end()
    }
  }

  private func apply(declarations path: String?) {
    world.read(declarations: path, on: device.loop) { [weak self] result in
      guard let self else { return }
      do {
        try world.apply(result.get(), on: device)
        end()
      } catch {
        fail("\(error)")
      }
    }
  }

  private func askApp(_ call: Action.DelegateCall) {
    let kind: DelegateCall = call.kind == .add ? .add : .block
    device.accounts.ask(call.guest, to: kind, world.account(call.account)) {
      [weak self] isAccepted in
      if isAccepted == nil { self?.fail("`\(call.guest)` is not ready") }
      self?.findings.isAccepted = isAccepted
      self?.end()
    }
  }

  private func lookUp(_ lookup: Action.ConfigurationLookup) {
    guard !device.guests.isSuspended(lookup.guest) else {
      return fail("`\(lookup.guest)` is suspended")
    }
    let question = ConfigurationQuestion(
      account: world.accountID(lookup.account), key: lookup.key, type: lookup.type,
      query: lookup.query)
    device.driver.lookUp(question, on: lookup.guest) { [weak self] result in
      switch result {
      case .success(let answer): self?.findings.configuration = answer
      case .failure(let error): self?.fail(error.description)
      }
      self?.end()
    }
  }

  private func awaitRequests(of server: String) {
    let isKnown = device.servers.nextRequests(of: server) { [weak self] requests in
      self?.findings.serverRequests = requests
      self?.end()
    }
    if !isKnown { fail("the server `\(server)` is not running") }
  }

  /// Examines a share sheet. The system shows the sheet, so no guest is involved.
  private func inspect(_ sheet: Action.ShareSheet) {
    guard device.guests.isRunning(sheet.from), !device.guests.isSuspended(sheet.from) else {
      return fail("`\(sheet.from)` is not running in the foreground")
    }
    do throws(SheetError) {
      findings.sheet = try world.sheet(sheet, as: step.task?.context(world), on: device).lines
      end()
    } catch {
      fail(error.description)
    }
  }
}

package enum StepSource {
  case scenario
  /// A client of a running device.
  case client

  /// Returns the position in the scenario file; nil for a client's step.
  func place(_ position: Position?) -> Position? {
    switch self {
    case .scenario: position
    case .client: nil
    }
  }
}

// MARK: - Lifecycle

extension StepRun {
  private func begin(_ lifecycle: Action.Lifecycle) {
    let names = lifecycle.guests
    switch lifecycle.change {
    case .launch: launch(names)
    case .stop: device.guests.stop(names) { [weak self] in self?.end() }
    case .suspend: suspend(names[...])
    case .resume: resume(names[...])
    case .kill: device.guests.kill(names) { [weak self] in self?.end() }
    case .relaunch: device.guests.kill(names) { [weak self] in self?.launch(names) }
    }
  }

  /// Suspends the guests one by one, after their own code has handled the move to the background.
  private func suspend(_ names: ArraySlice<String>) {
    guard let name = names.first else { return end() }
    notify(name, .background) { [weak self] in
      guard let self else { return }
      if !hasEndedAsExpected(name) {
        change(name, device.guests.suspend) { device.guests.isSuspended(name) }
      }
      suspend(names.dropFirst())
    }
  }

  /// Resumes the guests one by one, and notifies their own code of the return to the foreground.
  private func resume(_ names: ArraySlice<String>) {
    guard let name = names.first else { return end() }
    let wasSuspended = device.guests.isSuspended(name)
    change(name, device.guests.resume) { !device.guests.isSuspended(name) }
    guard wasSuspended else { return resume(names.dropFirst()) }
    notify(name, .foreground) { [weak self] in self?.resume(names.dropFirst()) }
  }

  /// Notifies an app of a scene phase, then calls `done`. Apps that the ready-made guest runs get no notification,
  /// because they have no screen. If an app takes no instructions, its phase changes without a notification.
  private func notify(_ name: String, _ phase: ScenePhase, done: @escaping () -> Void) {
    guard device.guests.hasOwnProgram(name), device.guests.isRunning(name),
      !device.guests.isSuspended(name)
    else { return done() }
    // First process the data that the guest sent with its answer.
    device.driver.perform(.scene(phase), on: name) { [weak self] _ in self?.soon(done) }
  }

  /// Calls `body` in a later iteration of the loop.
  private func soon(_ body: @escaping () -> Void) {
    repeatedly(after: 0) { [unowned self] in
      timer?.stop()
      body()
    }
  }

  func repeatedly(
    after delay: UInt64, every interval: UInt64 = 0, _ body: @escaping () -> Void
  ) {
    timer?.close()
    timer = nil
    do {
      let timer = try Timer(on: device.loop, body)
      self.timer = timer
      timer.start(after: delay, every: interval)
    } catch {
      fail("cannot create a timer for the step: \(error)")
    }
  }

  private func change(_ name: String, _ act: (String) -> Void, _ holds: () -> Bool) {
    guard device.guests.isRunning(name) else { return noteFailure(absence(of: name)) }
    act(name)
    if !holds() { noteFailure("`\(name)` is not ready") }
  }

  private func launch(_ names: [String]) {
    if let running = names.first(where: device.guests.isRunning) {
      return fail("`\(running)` is running already")
    }
    launchInTurn(names) { [weak self] in self?.didLaunch(names) }
  }

  private func didLaunch(_ names: [String]) {
    // Failed launches are reported below.
    caseDevice.watch.forgetEnds(of: names)
    for name in names {
      if let cause = device.guests.exitCause(of: name), cause != .memoryPressure,
        step.expectation?.exit == nil
      {
        fail("`\(name)` did not become ready: \(cause.text)")
      }
    }
    end()
  }
}

// MARK: - Memory

/// Support for devices that keep only some apps in memory.
extension StepRun {
  /// The apps that the step addresses; empty for lifecycle steps, which start and end apps themselves.
  private var addressedApps: [String] {
    if case .lifecycle = step.action { return [] }
    let detail = step.action.detail
    return [detail.actingGuest, detail.receiver, detail.provider].compactMap(\.self).filter(
      caseDevice.isApp)
  }

  /// Brings the addressed apps into memory, then calls `body`.
  private func withAppsInMemory(_ body: @escaping () -> Void) {
    let apps = caseDevice.mostApps == nil && !step.launchesApps ? [] : addressedApps
    guard !apps.isEmpty else { return body() }
    makeRoom(for: apps) { [unowned self] in
      let missing = apps.filter { !device.guests.isRunning($0) }
      guard !missing.isEmpty else { return body() }
      device.guests.launch(missing, done: body)
    }
  }

  /// Ends apps to free memory for `apps`, then calls `body`.
  private func makeRoom(for apps: [String], _ body: @escaping () -> Void) {
    let leaving = caseDevice.use(apps)
    guard !leaving.isEmpty else { return body() }
    device.guests.reclaimMemory(of: leaving, done: body)
  }

  /// Launches apps in batches that fit into memory, then calls `body`.
  private func launchInTurn(_ names: [String], _ body: @escaping () -> Void) {
    let most = caseDevice.mostApps ?? names.count
    let now = Array(names.prefix(most))
    guard !now.isEmpty else { return body() }
    makeRoom(for: now) { [unowned self] in
      device.guests.launch(now) { [weak self] in
        self?.launchInTurn(Array(names.dropFirst(most)), body)
      }
    }
  }
}

// MARK: - Extensions

/// The instructions of a share for the extension run that it starts.
extension StepRun {
  /// Prepares the extension run that the share starts: the content to return, or the taps of its user.
  private func prepareRun(for share: Action.Share) throws(HostError) {
    guard let guest else { return }
    if let handsBack = share.handsBack {
      try device.driver.prepareRun(of: share.to, startedBy: guest) { handsBack.change(&$0) }
    } else if !share.taps.isEmpty {
      openTaps = share.taps.count
      try device.driver.prepareRun(
        of: share.to, startedBy: guest, share.taps.map { .tap(button: $0, title: nil) },
        acted: { [weak self] number, performance in
          self?.tapped(share.taps[number], in: share.to, performance)
        }, notBegun: { [weak self] in self?.tappedNothing(in: share.to) })
    }
  }

  /// Handles a share that started no extension run. This is a failure unless the step expects a verdict or an end.
  private func tappedNothing(in name: String) {
    openTaps = 0
    let states = step.expectation.map { $0.verdict != nil || $0.end != nil } ?? false
    if !states { noteFailure("`\(name)` was not started, so its user tapped nothing") }
  }

  private func tapped(_ button: String, in name: String, _ performance: InstructionResult) {
    openTaps -= 1
    if let failure = performance.failure {
      noteFailure("the user of `\(name)` cannot tap `\(button)`: \(failure)")
    }
    if endsWithTaps, openTaps == 0 { end() }
  }

  /// Discards the instructions for a run that never began, so no later run receives them.
  private func forgetRun() {
    guard case .share(let share) = step.action, share.runKey != nil, let guest else { return }
    device.driver.forgetRun(of: share.to, startedBy: guest)
  }
}

extension Action.Share.HandBack {
  /// Makes the extension with this behaviour return the content.
  fileprivate func change(_ behaviour: inout Behaviour) {
    switch self {
    case .text(let text):
      behaviour.provides = Item(text: text)
      behaviour.handsBack = .stated
    case .held(let item): behaviour.handsBack = StepItem.held(item).content
    }
  }
}

// MARK: - Outcome

extension StepRun {
  /// The outcome of the step, in the form that expectations use.
  package var observation: Observation {
    var observation = requests.first?.observation(on: device) ?? Observation()
    observation.exit = guest.flatMap {
      device.guests.isRunning($0) ? nil : device.guests.exitCause(of: $0)?.code
    }
    observe(identityIn: &observation)
    observation.isAccepted = findings.isAccepted
    observe(enrollmentIn: &observation)
    observation.sheet = findings.sheet
    observe(configurationIn: &observation)
    observe(fileOrSecretIn: &observation)
    observe(contentIn: &observation)
    observation.returned = requests.returned.map { $0.observation(on: device) }
    return observation
  }

  /// Records the identity of the receiver or, if there is none, the identity of the acting guest.
  private func observe(identityIn observation: inout Observation) {
    let receiver = step.action.detail.receiver.flatMap {
      device.identity(of: $0) == nil ? nil : $0
    }
    let identity = (receiver ?? guest).flatMap(device.identity)
    observation.identity = identity.map { world.reference($0.identity) }
    observation.isManaged = identity?.isManaged
    guard let instance else { return }
    observation.identity = world.reference(instance.identity)
    observation.isManaged = instance.isManaged
  }

  /// The extension instance that received the step's item; nil if there is none. The step names the extension, not the
  /// instance. The instance may have ended.
  private var instance: Participant? {
    guard let receiver = requests.first?.decision.receiver,
      let name = InstanceName(receiver.guest), name.extension == step.action.detail.receiver
    else { return nil }
    return receiver
  }

  private func observe(enrollmentIn observation: inout Observation) {
    guard let guest, let name = step.action.detail.enrolledAccount,
      let view = device.enrollment.view(of: world.account(name), in: guest)
    else { return }
    observation.enrollmentState = Expectation.EnrollmentState(rawValue: view.state)
    observation.enrollment = view.status
    observation.compliance = view.compliance
  }

  private func observe(configurationIn observation: inout Observation) {
    guard let answer = findings.configuration else { return }
    observation.values = answer.values
    observation.hasConflict = answer.hasConflict
    guard case .configuration(let lookup) = step.action else { return }
    observation.showsValues = world.mayShow(lookup.key, of: lookup.guest)
  }

  private func observe(fileOrSecretIn observation: inout Observation) {
    guard let request = requests.first else {
      // Data that is not encrypted needs no key, so the app makes no request.
      if let file = step.action.detail as? Action.File, file.operation == .unprotectData {
        observation.received = String(decoding: findings.content, as: UTF8.self)
      }
      return
    }
    let operation = request.decision.operation.row
    guard operation.area == .files || operation.returnsStoredContent else { return }
    observation.owner = world.reference(request.decision.owner ?? "")
    observation.ownerRemark = ownerRemark
    guard request.end == .delivered, operation.returnsStoredContent else { return }
    observation.received = String(decoding: findings.content, as: UTF8.self)
  }

  /// A hint if a file or data does not belong to the expected account because only the window acts for that account;
  /// otherwise nil.
  private var ownerRemark: String? {
    guard let guest, case .account(let name)? = step.expectation?.owner, step.task?.thread == nil,
      let acting = device.identity(of: guest)?.identity,
      world.reference(acting) == .account(name)
    else { return nil }
    return
      "files and data belong to the process's account, not the window's account: switch with "
      + "`process: true`, or add `as: \(name)`"
  }

  private func observe(contentIn observation: inout Observation) {
    switch step.action.detail.inspection {
    case .managedValue(let question):
      observation.received = question.received(findings.content, on: device)
      observation.isReceivedSecret = true
    case .administratorEvents:
      observation.received = device.management.events.map(\.line).joined(separator: "\n")
    case .output: observation.received = findings.log
    case .serverRequests: observation.received = findings.serverRequests.joined(separator: "\n")
    case .token: observation.hasToken = !findings.content.isEmpty
    case .enrollmentAnswer:
      let status = requests.first.flatMap { EnrollmentStatus(rawValue: $0.status) }
      observation.enrollment = status ?? observation.enrollment
    case nil: break
    }
  }
}

// MARK: Requests

/// The request of a step's guest, and the items that an extension returned to the guest, with their outcomes.
private struct StepRequests {
  private var requests: [ObservedRequest] = []

  /// The request that the guest itself made; nil if there is none.
  var first: ObservedRequest? { requests.first }

  /// The requests by which an extension returned items.
  fileprivate var returned: ArraySlice<ObservedRequest> { requests.dropFirst() }

  mutating func add(_ decision: RequestDecision, arrival: InboxFile?) {
    requests.append(ObservedRequest(decision: decision, arrival: arrival))
  }

  mutating func ended(_ request: Int, _ end: RequestEnd, _ status: Int) {
    guard let index = requests.firstIndex(where: { $0.decision.request == request }) else { return }
    requests[index].end = end
    requests[index].status = status
  }

  struct ObservedRequest {
    let decision: RequestDecision
    /// The inbox file of the item; nil if nothing is delivered.
    let arrival: InboxFile?
    var end: RequestEnd?
    var status = 0

    func observation(on device: Device) -> Observation {
      Observation(
        verdict: decision.verdict, end: end, status: status,
        received: arrival?.text(on: device))
    }
  }
}

extension InboxFile {
  /// Returns the text of the file; nil if nothing has arrived.
  fileprivate func text(on device: Device) -> String? {
    device.files.contents(ofFile: description, in: guest).map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}

// MARK: - Findings

/// The results of a step. A value that is nil or empty was not examined.
private struct StepFindings {
  /// The bytes that the guest read.
  var content: [UInt8] = []
  /// Whether the app complied with the SDK's request; nil if this was not examined.
  var isAccepted: Bool?
  var sheet: [SheetLine]?
  var configuration: ConfigurationAnswer?
  /// The requests that the server received, one line each.
  var serverRequests: [String] = []
  var log = ""
}
