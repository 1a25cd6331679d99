internal import EventLoop
internal import Foundation
internal import Host
internal import JSON
internal import Model
internal import Output
package import Scenario

/// A scenario's device that is up until it is told to go down, and the requests of its clients.
///
/// All work is done on one thread. Steps run one after the other, in the order of the requests, whichever client makes
/// them; while a step runs, clients can connect, and requests that need no step are answered.
package final class RunningDevice {
  /// The name of the device.
  package let name: String
  private let run: CaseRun
  private let server: ControlServer
  private let queue = StepQueue()
  private let shutdown: Shutdown
  private let steps: ClientSteps
  /// The declarations that administrators want applied.
  private let administration: Administration
  private let methods: DeviceMethods
  private let recording: Recording?

  /// Brings the device up; clients can connect from then on.
  ///
  /// - Parameters:
  ///   - test: a case to run first; nil for none.
  ///   - socket: the path of the control socket; nil: the default path.
  ///   - recording: the recording of what comes in; nil: none is made.
  /// - Throws: ``RunError`` where the device or its socket cannot be brought up.
  package init(
    _ prepared: PreparedScenario, running test: Case? = nil, _ settings: RunSettings,
    socket: String? = nil, recording: Recording? = nil
  ) throws(RunError) {
    self.recording = recording
    let blueprint = try prepared.onlyDevice
    let folder = settings.device ?? "\(settings.folder)/device"
    name = blueprint.scenario.device.name
    let idle = Case(position: Position(line: 1, column: 1), name: "", steps: [])
    let path = socket ?? ControlSocket.path(of: name)
    run = try CaseRun(test ?? idle, of: [blueprint], settings, folder: folder)
    do throws(RunError) {
      server = try ControlServer(at: path)
    } catch {
      run.end()
      throw error
    }
    shutdown = Shutdown(run)
    steps = ClientSteps(of: blueprint.scenario, on: run, queue, shutdown, recording)
    administration = Administration(run, server, shutdown, recording)
    methods = DeviceMethods(
      view: DeviceView(of: blueprint, in: folder, run, server, queue),
      journal: JournalResponder(run, server, shutdown.cancellation), steps: steps,
      administration: administration, shutdown: shutdown)
    try begin()
  }

  private func begin() throws(RunError) {
    do throws(RunError) {
      try run.begin()
    } catch {
      server.close()
      throw error
    }
    server.onRequest = { [unowned self] in methods.take($0) }
    run.onOwnRequest = { [unowned self] decision, requester in
      if !shutdown.hasBegun { recording?.note(own: decision, of: requester) }
    }
    server.onHangUp = { [unowned self] in queue.dropAbandoned() }
    // A step that is done at once, many times, never runs the loop.
    run.onRound = { [unowned self] in
      server.poll()
      server.follow()
    }
    // The loop of the device runs that of the server.
    run.onDevice = { [unowned self] device in try? server.embed(in: device.loop) }
    do throws(EventLoopError) {
      try server.embed(in: run.device.loop)
      try server.watch([SIGTERM, SIGINT, SIGHUP]) { [unowned self] in shutdown.begin() }
    } catch {
      run.end()
      server.close()
      throw RunError(.command, "\(error)", rule: "socket", fault: .own)
    }
  }

  /// The path of the control socket.
  package var socket: String { server.path }

  /// Carries out the steps of the case to run first, and records them.
  ///
  /// - Throws: ``RunError`` where the journal cannot be read.
  package func runCase() throws(RunError) -> CaseRecording {
    try run.record { run.carryOut() }
  }

  /// Handles requests until the device is to go down; then stops every guest, in bounded time.
  ///
  /// - Returns: the guests that ran, those that were killed, and the number of steps that had not begun.
  /// - Throws: ``RunError`` where the device went down by itself: it stopped, or did not come up after a restart.
  package func runUntilDown() throws(RunError) -> DownReport {
    while !shutdown.hasBegun {
      administration.goOn()
      server.follow()
      if queue.isEmpty {
        run.device.loop.runOnce()
      } else {
        steps.carryOutNext()
        server.poll()
      }
      if !shutdown.hasBegun { run.recover() }
      if !shutdown.hasBegun, run.isOver { shutdown.begin() }
    }
    run.end()
    let report = goDown()
    if let fault = run.device.fault { throw RunError(stopped: fault) }
    guard let why = run.restartFailure else { return report }
    throw RunError(
      .command, "the device did not come up again: \(why)", rule: "device", fault: .own)
  }

  /// Answers all clients that wait: the device is down.
  private func goDown() -> DownReport {
    let dropped = queue.end(Shutdown.error)
    administration.end(Shutdown.error)
    let report = DownReport(
      device: name, guests: shutdown.guests,
      killed: shutdown.guests.filter { run.device.guests.wasKilled($0) }, dropped: dropped)
    // A client that hears that the device is down finds the socket's path free.
    server.stopListening()
    shutdown.answer(report)
    server.close()
    return report
  }
}

extension GuestSupervisor {
  /// Whether the guest did not stop when it was asked.
  fileprivate func wasKilled(_ guest: String) -> Bool {
    switch exitCause(of: guest) {
    case .unresponsive, .killed: true
    case .stopped, .exited, .signalled, .memoryPressure, .protocolViolation, .memoryLimit,
      .processLimit, .diskQuota, .notStarted, nil:
      false
    }
  }
}

// MARK: - Shutdown

/// A run that goes on until it is told to end, such as a case on its device.
protocol Interruptible: AnyObject {
  var runningGuests: [String] { get }
  /// Ends all waiting at once.
  func interrupt()
  /// Ends every guest at once.
  func killAll()
}

extension CaseRun: Interruptible {}

/// The end of a running device: the clients that have asked for it, and the guests that ran when it began.
final class Shutdown {
  private let run: any Interruptible
  private(set) var hasBegun = false
  /// Cancels searches on behalf of clients.
  let cancellation = Cancellation()
  /// The guests that ran when the shutdown began.
  private(set) var guests: [String] = []
  /// The requests that are answered when the device is down.
  private var requests: [ControlJob] = []

  init(_ run: any Interruptible) { self.run = run }

  /// Begins the shutdown: a step that runs ends at once. A second call kills the guests, without waiting for them to
  /// stop.
  func begin() {
    if hasBegun { run.killAll() } else { guests = run.runningGuests }
    hasBegun = true
    run.interrupt()
    cancellation.cancel()
  }

  /// Begins the shutdown for a client, which gets an answer when the device is down; a second request hurries nothing.
  func begin(for job: ControlJob) {
    requests.append(job)
    if !hasBegun { begin() }
  }

  /// Checks that the shutdown has not begun.
  ///
  /// - Throws: ``ControlError`` once it has.
  func checkNotBegun() throws(ControlError) {
    guard !hasBegun else { throw Self.error }
  }

  /// The error of requests that the device does not carry out any more.
  static let error = ControlError(.ending, "the device goes down")

  /// Answers the clients that have asked for the shutdown.
  func answer(_ report: DownReport) {
    for job in requests { job.answer { ControlAnswer.result($0, report.writeMembers) } }
  }
}

/// The end of a device that went down.
package struct DownReport: Sendable {
  /// The name of the device.
  package let device: String
  /// The guests that ran when the device was told to go down.
  package let guests: [String]
  /// The guests that did not stop when they were asked, and were killed.
  package let killed: [String]
  /// The number of steps that had not begun.
  package let dropped: Int

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("down", true)
    writer.member("device", device)
    writer.array("guests") { for guest in guests { $0.string(guest) } }
    writer.array("killed") { for guest in killed { $0.string(guest) } }
    writer.member("dropped", dropped)
  }
}
