internal import EventLoop
internal import Host
internal import Scenario
internal import Transfer
internal import Wire

/// One step while it runs, and what came of it.
final class StepRun {
  let step: Step
  private let number: Int
  /// Whether it stands in the scenario's file.
  private let source: StepSource
  private unowned let run: CaseRun
  /// The guest that acts; nil where none does.
  let guest: String?
  private(set) var isDone = false
  /// What the guest read, where it was to read.
  private var found: [UInt8] = []
  private var isAccepted: Bool?
  private var sheet: [SheetLine]?
  private var configured: ConfigurationAnswer?
  /// Who came to the server that the step looks at.
  private var served: [String] = []
  /// What the step's guest asked for, then the items that an extension handed back to it.
  private var requests: [RequestRun] = []

  /// Fires while the step waits for time to pass, or looks again.
  private var timer: Timer?

  init(_ step: Step, number: Int, from source: StepSource, in run: CaseRun) {
    self.step = step
    self.number = number
    self.source = source
    self.run = run
    guest = step.action.guest
  }

  deinit { timer?.close() }

  private var device: Device { run.device }
  private var world: CaseWorld { run.world }

  func begin() {
    do throws(HostError) {
      try carryOut()
    } catch {
      fail(error.description)
    }
  }

  private func carryOut() throws(HostError) {
    switch step.action {
    case .signIn, .signOut, .switchIdentity, .share, .import, .use, .copy, .paste, .openURL,
      .keychain, .unlock, .file, .enroll, .unenroll, .remediate, .acquireToken, .managedApp,
      .extensionCall:
      ask()
    // What they look at is there when they end.
    case .concurrently, .enrollmentState, .administratorEvents: isDone = true
    case .lifecycle(let lifecycle): begin(lifecycle)
    case .wait(let wait): begin(wait)
    case .shareSheet(let sheet): look(at: sheet)
    case .configuration(let lookup): look(up: lookup)
    case .served(let server): awaitRequests(of: server)
    case .delegate(let call): askApp(call)
    case .residue(let residue): search(residue)
    case .declarations(let path): apply(declarations: path)
    case .wipe(let change):
      try device.wipes.wipe(world.account(change.account), in: change.guest) { [weak self] in
        self?.isDone = true
      }
    case .advance(let seconds): atOnce { device.advanceClock(by: seconds) }
    case .device(let change):
      atOnce { world.change(device) { $0.access.change(change.apply) } }
    case .account(let status): atOnce { world.set(status, on: device) }
    case .assign(let assignment): atOnce { world.assign(assignment, on: device) }
    case .assignConfiguration(let assignment):
      atOnce { world.assign(assignment, on: device) }
    case .service(let change): atOnce { world.change(change, on: device) }
    case .conditionalAccess(let targeting): atOnce { world.target(targeting, on: device) }
    case .configure(let configuration):
      try device.enrollment.configure(configuration.guest, configuration.entries)
      isDone = true
    case .rename(let renaming):
      try world.rename(renaming, on: device)
      isDone = true
    case .checkIn(let change):
      try device.enrollment.checkIn(world.account(change.account), in: change.guest)
      isDone = true
    case .restart:
      if let why = run.restartDevice() { return fail(why) }
      isDone = true
    }
  }

  private func atOnce(_ body: () -> Void) {
    body()
    isDone = true
  }

  private func ask() {
    guard let guest else { return fail("no request") }
    guard !device.guests.isSuspended(guest) else { return fail("`\(guest)` is suspended") }
    let done = { [weak self] (performance: Performance) in
      if let failure = performance.failure { self?.fail(failure) }
      self?.found = performance.found
      self?.isDone = true
    }
    let task = step.task?.context(run)
    if let work = step.action.work(run) {
      device.driver.perform(work, as: task, on: guest, done: done)
    } else if let request = step.action.request(run) {
      device.driver.perform(request, as: task, on: guest, done: done)
    } else {
      fail("no request")
    }
  }

  private func search(_ residue: Action.Residue) {
    world.search(residue, on: device.loop, run.cancellation) { [weak self] findings in
      guard let self else { return }
      for finding in findings { fail(finding) }
      isDone = true
    }
  }

  private func apply(declarations path: String?) {
    world.read(declarations: path, on: device.loop) { [weak self] result in
      guard let self else { return }
      do {
        try world.apply(result.get(), on: device)
        isDone = true
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
      self?.isAccepted = isAccepted
      self?.isDone = true
    }
  }

  /// Has the app look up a key of its configuration.
  private func look(up lookup: Action.ConfigurationLookup) {
    guard !device.guests.isSuspended(lookup.guest) else {
      return fail("`\(lookup.guest)` is suspended")
    }
    let question = ConfigurationQuestion(
      account: world.accountID(lookup.account), key: lookup.key, type: lookup.type,
      query: lookup.query)
    device.driver.look(up: question, on: lookup.guest) { [weak self] result in
      switch result {
      case .success(let answer): self?.configured = answer
      case .failure(let error): self?.fail(error.description)
      }
      self?.isDone = true
    }
  }

  private func awaitRequests(of server: String) {
    let isKnown = device.servers.nextRequests(of: server) { [weak self] requests in
      self?.served = requests
      self?.isDone = true
    }
    if !isKnown { fail("the server `\(server)` does not run") }
  }

  private func fail(_ why: String) {
    device.note(.stepFailed(step: number, why: why))
    isDone = true
  }

  /// Looks at a share sheet. No guest is asked: the system shows it.
  private func look(at sheet: Action.ShareSheet) {
    guard device.guests.isRunning(sheet.from), !device.guests.isSuspended(sheet.from) else {
      return fail("`\(sheet.from)` is not in front")
    }
    do throws(SheetError) {
      self.sheet = try world.sheet(sheet, as: step.task?.context(run), on: device).lines
      isDone = true
    } catch {
      fail(error.description)
    }
  }

  // MARK: waiting

  private func begin(_ wait: Action.Wait) {
    switch wait {
    case .idle: look { [unowned self] in run.unrest == nil }
    case .duration(let seconds):
      repeatedly(after: UInt64(seconds) * 1_000) { [unowned self] in isDone = true }
    case .item(let item): if run.traffic.take(item) { isDone = true }
    }
  }

  /// Done once the condition holds, which is looked at again and again: nobody tells that a program has stopped working.
  private func look(_ condition: @escaping () -> Bool) {
    repeatedly(after: 0, every: 5) { [unowned self] in
      guard condition() else { return }
      timer?.stop()
      isDone = true
    }
  }

  private func repeatedly(
    after delay: UInt64, every interval: UInt64 = 0, _ body: @escaping () -> Void
  ) {
    timer = try? Timer(on: device.loop, body)
    guard let timer else { return fail("there is no timer for it") }
    timer.start(after: delay, every: interval)
  }

  /// An item has come to somebody.
  func itemArrived() {
    guard !isDone, case .wait(.item(let item)) = step.action else { return }
    if run.traffic.take(item) { isDone = true }
  }

  /// Why it is not done; nil where there is nothing to say beside that.
  var standstill: String? {
    guard !isDone else { return nil }
    guard case .wait(.item(let item)) = step.action else { return run.unrest }
    let others = run.traffic.items(for: item.guest)
    return "`\(item.guest)` did not get \(item.words)"
      + (others.isEmpty ? "" : "; it got \(others.joined(separator: ", "))")
  }

  // MARK: requests

  /// Whether the step makes its guest ask for something.
  private var asks: Bool {
    step.action.work(run) != nil || step.action.request(run) != nil
  }

  /// Whether `requester` asks on behalf of this step. Requests of one guest are answered in their order, so
  /// the first of its steps without a decision is the one that made the request.
  func isAwaiting(_ decision: RequestDecision, of requester: String) -> Bool {
    guard let first = requests.first else { return asks && requester == guest }
    return decision.operation == .completeExtension
      && requester == first.decision.receiver?.guest
  }

  func decided(_ decision: RequestDecision, arrival: InboxFile?) {
    requests.append(RequestRun(decision: decision, arrival: arrival))
  }

  func ended(_ request: Int, _ end: RequestEnd, _ status: Int) {
    guard let index = requests.firstIndex(where: { $0.decision.request == request }) else { return }
    requests[index].end = end
    requests[index].status = status
  }

  // MARK: lifecycle

  private func begin(_ lifecycle: Action.Lifecycle) {
    let names = lifecycle.guests
    switch lifecycle.change {
    case .launch: launch(names)
    case .stop: device.guests.stop(names) { [weak self] in self?.isDone = true }
    case .suspend:
      for name in names { change(name, device.guests.suspend) { device.guests.isSuspended(name) } }
      isDone = true
    case .resume:
      for name in names { change(name, device.guests.resume) { !device.guests.isSuspended(name) } }
      isDone = true
    case .kill: kill(names) { [weak self] in self?.isDone = true }
    case .relaunch: kill(names) { [weak self] in self?.launch(names) }
    }
  }

  private func change(_ name: String, _ act: (String) -> Void, _ holds: () -> Bool) {
    guard device.guests.isRunning(name) else { return fail("`\(name)` is not running") }
    act(name)
    if !holds() { fail("`\(name)` is not ready") }
  }

  private func kill(_ names: [String], done: @escaping () -> Void) {
    var remaining = names.count
    for name in names {
      device.guests.kill(name) {
        remaining -= 1
        if remaining == 0 { done() }
      }
    }
  }

  private func launch(_ names: [String]) {
    if let running = names.first(where: device.guests.isRunning) {
      return fail("`\(running)` is running already")
    }
    device.guests.launch(names) { [weak self] in self?.didLaunch(names) }
  }

  private func didLaunch(_ names: [String]) {
    for name in names {
      if let cause = device.guests.exitCause(of: name), step.expectation?.exit == nil {
        fail("`\(name)` did not come up: \(cause.text)")
      }
    }
    isDone = true
  }

  // MARK: comparing

  func compare() {
    guard let expectation = step.expectation else { return }
    for comparison in expectation.compare(with: observation) {
      device.note(
        .expectation(
          step: number, expected: comparison.expected, found: comparison.found,
          isMet: comparison.isMet, at: source.place(step.expectationPosition)))
    }
  }

  private func observe(_ answer: ConfigurationAnswer, in observation: inout Observation) {
    observation.values = answer.values
    observation.hasConflict = answer.hasConflict
    guard case .configuration(let lookup) = step.action else { return }
    observation.showsValues = world.mayShow(lookup.key, of: lookup.guest)
  }

  var observation: Observation {
    let about = step.action.receiver.flatMap { device.identity(of: $0) == nil ? nil : $0 } ?? guest
    let identity = about.flatMap(device.identity)
    var observation = requests.first?.observation(on: device) ?? Observation()
    observation.exit = guest.flatMap {
      device.guests.isRunning($0) ? nil : device.guests.exitCause(of: $0)?.code
    }
    observation.identity = identity.map { world.reference($0.identity) }
    observation.isManaged = identity?.isManaged
    if let extensionRun {
      observation.identity = world.reference(extensionRun.identity)
      observation.isManaged = extensionRun.isManaged
    }
    observation.isAccepted = isAccepted
    observe(enrollmentIn: &observation)
    observation.sheet = sheet
    if let configured { observe(configured, in: &observation) }
    if let decision = requests.first?.decision, decision.isOfFileOrSecret {
      observation.owner = world.reference(decision.owner ?? "")
      if requests.first?.end == .delivered, decision.operation.isReading {
        observation.received = String(decoding: found, as: UTF8.self)
      }
    }
    if case .managedApp(let question) = step.action {
      observation.received = question.received(found, on: device)
      observation.isReceivedSecret = true
    }
    if case .administratorEvents = step.action {
      observation.received = device.management.events.map(\.line).joined(separator: "\n")
    }
    if case .served = step.action { observation.received = served.joined(separator: "\n") }
    observation.returned = requests.dropFirst().map { $0.observation(on: device) }
    return observation
  }
}

extension StepRun {
  /// How far the account that the step is about has come, and whether the app got a token.
  private func observe(enrollmentIn observation: inout Observation) {
    if case .acquireToken = step.action { observation.hasToken = !found.isEmpty }
    guard let guest, let name = step.action.enrolledAccount,
      let view = device.enrollment.view(of: world.account(name), in: guest)
    else { return observation.enrollment = answered }
    observation.enrollmentState = Expectation.EnrollmentState(rawValue: view.state)
    observation.enrollment = view.status
    observation.compliance = view.compliance
  }

  /// The status that the app got where it named no account.
  private var answered: EnrollmentStatus? {
    guard case .enroll = step.action else { return nil }
    return requests.first.flatMap { EnrollmentStatus(rawValue: $0.status) }
  }

  /// The run of an extension that got the step's item: it is another guest than the one that the step names, and
  /// may have ended.
  private var extensionRun: Participant? {
    guard let receiver = requests.first?.decision.receiver,
      let run = InstanceName(receiver.guest), run.extension == step.action.receiver
    else { return nil }
    return receiver
  }
}

extension RequestDecision {
  fileprivate var isOfFileOrSecret: Bool {
    switch operation {
    case .openFile, .moveFile, .removeFile, .protectData, .unprotectData, .keychainQuery: true
    default: false
    }
  }
}

extension Operation {
  fileprivate var isReading: Bool {
    [.openFile, .unprotectData, .keychainQuery].contains(self)
  }
}

/// A request of a step, and what came of it.
private struct RequestRun {
  let decision: RequestDecision
  /// Where what moves is to arrive; nil where nothing does.
  let arrival: InboxFile?
  var end: RequestEnd?
  var status = 0

  func observation(on device: Device) -> Observation {
    Observation(
      verdict: decision.verdict, end: end, status: status,
      received: arrival?.text(on: device))
  }
}
