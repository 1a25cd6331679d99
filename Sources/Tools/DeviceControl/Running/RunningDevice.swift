internal import Encodings
internal import EventLoop
internal import Foundation
internal import Host
internal import Model
internal import Output
package import Scenario
package import Simulation

/// A scenario's device that runs until it is shut down, and serves its clients' requests.
///
/// All work is done on one thread. Clients' steps run one at a time, in the order of the requests.
/// While a step runs, clients can connect, and requests that need no step are answered.
package final class RunningDevice {
  package let name: String
  private let run: CaseRun
  private let server: ControlServer
  private let queue = StepQueue()
  private let shutdown: Shutdown
  private let steps: ClientSteps
  private let administration: Administration
  private let methods: DeviceMethods
  private let recording: Recording?

  /// Starts the device. From then on, clients can connect.
  ///
  /// - Parameters:
  ///   - test: A case to run first; nil for none.
  ///   - socket: The path of the control socket; nil for the default path.
  /// - Throws: ``RunError`` if the device cannot start, or its socket cannot be created.
  package init(
    _ prepared: PreparedScenario, running test: Case? = nil, _ settings: RunSettings,
    socket: String? = nil, recording: Recording? = nil
  ) throws(RunError) {
    self.recording = recording
    let resolved = try prepared.onlyDevice
    let folder = settings.device ?? "\(settings.folder)/device"
    name = resolved.scenario.device.name
    let idle = Case(position: Position(line: 1, column: 1), name: "", steps: [])
    let path = socket ?? ControlSocket.path(of: name)
    run = try CaseRun(test ?? idle, of: [resolved], settings, folder: folder)
    do throws(RunError) {
      server = try ControlServer(at: path)
    } catch {
      run.end()
      throw error
    }
    shutdown = Shutdown(run)
    steps = ClientSteps(of: resolved.scenario, on: run, queue, shutdown, recording)
    administration = Administration(run, server, shutdown, recording)
    methods = DeviceMethods(
      view: DeviceView(of: resolved, in: folder, run, server, queue),
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
    server.onRequest = { [unowned self] in methods.accept($0) }
    run.onOwnRequest = { [unowned self] decision, requester in
      if !shutdown.hasBegun { recording?.record(own: decision, of: requester) }
    }
    server.onHangUp = { [unowned self] in queue.dropAbandoned() }
    // Clients are served here, because the repetitions of an immediate step do not run the loop.
    run.onRound = { [unowned self] in
      server.poll()
      server.follow()
    }
    // The loop of the device runs the server's loop.
    run.onDevice = { [unowned self] device in try? server.embed(in: device.loop) }
    do throws(EventLoopError) {
      try server.embed(in: run.device.loop)
      try server.watch([SIGTERM, SIGINT, SIGHUP]) { [unowned self] in shutdown.begin() }
    } catch {
      run.end()
      server.close()
      throw RunError(.command, "\(error)", rule: "socket", origin: .own)
    }
  }

  package var socket: String { server.path }

  /// Runs and records the case that the device was started with.
  ///
  /// - Throws: ``RunError`` if the journal cannot be read.
  package func runCase() throws(RunError) -> CaseRecording {
    try run.record { run.carryOut() }
  }

  /// Handles requests until shutdown, and then stops all guests. Stopping takes a bounded time.
  ///
  /// - Throws: ``RunError`` if the device stopped unexpectedly, or did not restart.
  package func runUntilDown() throws(RunError) -> DownReport {
    while !shutdown.hasBegun {
      administration.applyDeferred()
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
    if let error = run.device.error { throw RunError(stopped: error) }
    guard let why = run.restartFailure else { return report }
    throw RunError(
      .command, "the device did not restart: \(why)", rule: "device", origin: .own)
  }

  /// Answers all waiting clients after the device has shut down.
  private func goDown() -> DownReport {
    let dropped = queue.end(Shutdown.error)
    administration.end(Shutdown.error)
    let report = DownReport(
      device: name, guests: shutdown.guests,
      killed: shutdown.guests.filter { run.device.guests.wasKilled($0) }, dropped: dropped)
    // A client that is told about the shutdown must find the socket's path free.
    server.stopListening()
    shutdown.answer(report)
    server.close()
    return report
  }
}

extension GuestSupervisor {
  /// Returns whether the guest was killed because it did not stop on request.
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

/// A run that can be interrupted, such as a case on its device.
protocol Interruptible: AnyObject {
  var runningGuests: [String] { get }
  /// Ends every wait of the run immediately.
  func interrupt()
  func killAll()
}

extension CaseRun: Interruptible {}

/// The shutdown of a running device, with the clients that requested it and the guests that were
/// running.
final class Shutdown {
  private let run: any Interruptible
  private(set) var hasBegun = false
  /// The flag that stops clients' searches of the journal once the shutdown begins.
  let cancellation = Cancellation()
  /// The guests that were running when the shutdown began.
  private(set) var guests: [String] = []
  /// The requests that are answered after the device has shut down.
  private var requests: [ControlJob] = []

  init(_ run: any Interruptible) { self.run = run }

  /// Begins the shutdown, and ends a running step. A second call kills the guests without waiting for them to stop.
  func begin() {
    if hasBegun { run.killAll() } else { guests = run.runningGuests }
    hasBegun = true
    run.interrupt()
    cancellation.cancel()
  }

  /// Begins the shutdown for a client. The client is answered after the device has shut down. Unlike ``begin()``, a
  /// second call does not kill the guests.
  func begin(for job: ControlJob) {
    requests.append(job)
    if !hasBegun { begin() }
  }

  func checkNotBegun() throws(ControlError) {
    guard !hasBegun else { throw Self.error }
  }

  static let error = ControlError(.ending, "the device is shutting down")

  /// Answers the clients that requested the shutdown.
  func answer(_ report: DownReport) {
    for job in requests { job.answer { ControlAnswer.result($0, report.writeMembers) } }
  }
}

package struct DownReport: Sendable {
  package let device: String
  /// The guests that were running when the shutdown began.
  package let guests: [String]
  /// The guests that did not stop on request and were therefore killed.
  package let killed: [String]
  /// The number of queued steps that were dropped.
  package let dropped: Int

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("down", true)
    writer.member("device", device)
    writer.array("guests") { for guest in guests { $0.string(guest) } }
    writer.array("killed") { for guest in killed { $0.string(guest) } }
    writer.member("dropped", dropped)
  }
}
