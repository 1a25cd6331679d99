internal import Diagnostics
internal import EventLoop
internal import Foundation
internal import Host
internal import JSON
package import Scenario
internal import Transfer

/// A scenario's device that is up until it is told to go down, and what administrators ask of it meanwhile.
///
/// All of it is one thread. Steps run one after the other, in the order in which they were asked for, whoever asks;
/// while one runs, clients connect and are heard, and what no step is needed for is answered.
package final class RunningDevice {
  let blueprint: Blueprint
  let folder: String
  let run: CaseRun
  let server: ControlServer
  let steps: StepReader
  /// Steps that nobody has begun yet, and the one that runs.
  private var waiting: [ControlJob] = []
  /// How many steps have begun.
  private(set) var stepCount = 0
  private(set) var isBusy = false
  /// Who is told when the device is down.
  private var enders: [ControlJob] = []
  private(set) var isEnding = false
  /// Guests that ran when the device was told to go down.
  private var lastGuests: [String] = []
  /// Ends what is looked up for clients.
  let cancellation = Cancellation()
  /// Declarations that administrators want applied.
  lazy var administration = Administration(of: self)

  /// Brings the device up; clients can connect from then on.
  ///
  /// - Parameters:
  ///   - test: a case to run first; nil for none.
  ///   - socket: nil: where sockets are by default.
  /// - Throws: ``RunError``.
  package init(
    _ prepared: PreparedScenario, running test: Case? = nil, _ settings: RunSettings,
    socket: String? = nil
  ) throws(RunError) {
    blueprint = prepared.blueprint
    folder = settings.device ?? "\(settings.folder)/device"
    steps = StepReader(blueprint.scenario)
    let path = socket ?? ControlSocket.path(of: blueprint.scenario.device.name)
    let idle = Case(position: Position(line: 1, column: 1), name: "", steps: [])
    run = try CaseRun(test ?? idle, of: blueprint, settings, folder: folder)
    do throws(RunError) {
      server = try ControlServer(at: path)
    } catch {
      run.end()
      throw error
    }
    try begin()
  }

  private func begin() throws(RunError) {
    do throws(RunError) {
      try run.begin()
    } catch {
      server.close()
      throw error
    }
    server.onRequest = { [unowned self] in take($0) }
    server.onHangUp = { [unowned self] in dropJobs() }
    // A step that is done at once, many times, never comes to the loop.
    run.onRound = { [unowned self] in
      server.poll()
      server.follow()
    }
    // Whoever runs the device's loop runs the server's with it.
    run.onDevice = { [unowned self] device in try? server.embed(in: device.loop) }
    do throws(EventLoopError) {
      try server.embed(in: run.device.loop)
      try server.watch([SIGTERM, SIGINT, SIGHUP]) { [unowned self] in end() }
    } catch {
      run.end()
      server.close()
      throw RunError(.command, "\(error)", rule: "socket", fault: .own)
    }
  }

  /// Path of the control socket.
  package var socket: String { server.path }

  /// What the device is called.
  package var name: String { blueprint.scenario.device.name }

  /// Carries out the steps of the case to run first.
  ///
  /// - Throws: ``RunError`` where the journal cannot be read.
  package func runCase() throws(RunError) -> CaseRecording {
    try run.record { run.carryOut() }
  }

  /// Does what it is asked until it is to go down; then stops every guest, in bounded time.
  ///
  /// - Returns: what became of its guests.
  /// - Throws: ``RunError`` where the device went down by itself: it was to start anew, and did not come up.
  package func runUntilDown() throws(RunError) -> DownReport {
    while !isEnding {
      administration.goOn()
      server.follow()
      if waiting.isEmpty {
        run.device.loop.runOnce()
      } else {
        perform(waiting.removeFirst())
        server.poll()
      }
      if !isEnding, run.whyDown != nil || run.device.fault != nil { end() }
    }
    var report = DownReport(device: name)
    report.guests = lastGuests
    run.end()
    report.killed = report.guests.filter { guest in
      switch run.device.guests.exitCause(of: guest) {
      case .unresponsive, .killed: true
      default: false
      }
    }
    report.dropped = waiting.count
    let gone = ControlError(.ending, "the device goes down")
    for job in waiting { job.refuse(gone) }
    administration.end(gone)
    // Whoever hears that it is down finds the socket's place free.
    server.stopListening()
    for job in enders { job.answer { ControlAnswer.result($0, report.writeMembers) } }
    server.close()
    if let fault = run.device.fault { throw RunError(stopped: fault) }
    guard let why = run.whyDown else { return report }
    throw RunError(
      .command, "the device did not come up again: \(why)", rule: "device", fault: .own)
  }

  // MARK: requests

  private func take(_ job: ControlJob) {
    do throws(ControlError) {
      try answer(job)
    } catch {
      job.refuse(error)
    }
  }

  private func perform(_ job: ControlJob) {
    guard !job.isAbandoned else { return job.refuse(.abandoned) }
    do throws(ControlError) {
      let step = try step(of: job.request)
      isBusy = true
      defer { isBusy = false }
      try perform(step, for: job)
    } catch {
      job.refuse(error)
    }
  }

  private func perform(_ step: Step, for job: ControlJob) throws(ControlError) {
    stepCount += 1
    var all = StepOutcome()
    for _ in 0..<step.count {
      // What has begun is carried out to its end, and no more is begun for nobody.
      guard !isEnding, !job.isAbandoned, run.whyDown == nil, run.device.fault == nil else { break }
      let start = run.journalSize
      let runs = run.perform(step, number: stepCount, from: .client)
      all.add(
        StepResult(of: try events(from: start)), observed: runs.map(\.observation))
    }
    job.answer { id in ControlAnswer.result(id) { all.writeMembers(to: &$0) } }
  }

  private func events(from start: Int) throws(ControlError) -> [JournalEvent] {
    do throws(RunError) {
      return try JournalFile.read(run.device.journalPath, from: start)
    } catch {
      throw ControlError(.internal, error.description)
    }
  }

  func enqueue(_ job: ControlJob) throws(ControlError) {
    guard !isEnding else { throw ControlError(.ending, "the device goes down") }
    waiting.append(job)
  }

  var waitingCount: Int { waiting.count }

  /// Steps of clients that have gone are not begun.
  private func dropJobs() {
    let abandoned = waiting.filter(\.isAbandoned)
    waiting.removeAll { job in abandoned.contains { $0 === job } }
    for job in abandoned { job.refuse(.abandoned) }
  }

  /// Goes down as soon as it can: a step that runs ends at once. Whoever says it again does not wait for guests to stop
  /// when they are asked.
  private func end() {
    if isEnding { run.killAll() } else { lastGuests = run.device.guests.running }
    isEnding = true
    run.isInterrupted = true
    cancellation.cancel()
  }

  func end(for job: ControlJob) {
    enders.append(job)
    if !isEnding { end() }
  }
}

/// What came of a step, each time that it was carried out.
private struct StepOutcome {
  private var last: StepResult?
  private var observed: [Observation] = []
  private var count = 0
  private var failed = 0

  mutating func add(_ result: StepResult?, observed: [Observation]) {
    last = result
    self.observed = observed
    count += 1
    if result?.holds != true { failed += 1 }
  }

  /// Of the last time, and of how many it did not hold.
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("holds", failed == 0 && count > 0)
    writer.member("times", count)
    writer.member("failed", failed)
    last?.writeMembers(to: &writer)
    writer.array("observed") { writer in
      for observation in observed { observation.write(to: &writer) }
    }
    writer.array("report") { writer in
      for line in last?.report ?? [] { writer.string(line) }
    }
  }
}
