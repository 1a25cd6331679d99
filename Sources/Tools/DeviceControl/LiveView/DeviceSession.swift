internal import DeviceClient
internal import Dispatch
internal import Encodings
internal import PageServer
internal import Scenario
internal import Synchronization

/// A client of the device's control socket. It requests the device's activity, its guests' output
/// and, if enabled, steps.
///
/// Calls block until the device answers, so they run on the session's own threads.
final class DeviceSession: Sendable {
  private let latest: Mutex<Latest>
  private let isAsking = Atomic(false)
  private let openSteps = Atomic(0)
  private let questions = DispatchQueue(label: "questions")
  private let steps = DispatchQueue(label: "steps")

  /// The device's last answers as JSON. An answer is nil if the device does not reply.
  struct Latest: Sendable {
    var device: WatchedDevice
    var output: String?
    var work: String?
  }

  init(_ device: WatchedDevice) { latest = Mutex(Latest(device: device)) }

  var answers: Latest { latest.withLock { $0 } }

  /// Sends requests to the device without waiting for its answers. Does nothing while earlier requests are unanswered.
  /// If another device has replaced this device, later polls go to the replacement.
  func poll() {
    guard !isAsking.exchange(true, ordering: .relaxed) else { return }
    questions.async { [self] in
      ask()
      isAsking.store(false, ordering: .relaxed)
    }
  }

  private func ask() {
    let device = answers.device
    let connection = device.connect()
    let result = { (method: String) in
      connection.flatMap { (try? $0.call(method))?["result"]?.line }
    }
    let (work, output) = (result("status"), result("output"))
    let next = connection == nil ? device.successor : nil
    latest.withLock { $0 = Latest(device: next ?? device, output: output, work: work) }
  }

  // MARK: Steps

  /// The requests that a page with control over the device can make.
  var routes: [PageRoute] {
    [
      PageRoute(.get, "world") { [self] request in describeWorld(request.answer) },
      PageRoute(.post, "steps") { [self] request in
        guard let step = (try? JSONReader.read(request.body))?.array?.first?.string else {
          return request.refuse(.badRequest)
        }
        let hangUp = carryOut(step, while: { request.isConnected }, request.answer)
        guard let hangUp else { return request.refuse(.tooManyRequests) }
        request.whenDisconnected(hangUp)
      },
    ]
  }

  private static let mostSteps = 64

  /// Makes the device perform a step after the queued steps.
  ///
  /// - Parameters:
  ///   - step: The step as YAML or JSON, or as its name with values, as in `sluice ctl`.
  ///   - isWanted: Returns whether the client is still waiting. If it returns false, the step is not started.
  ///   - answer: Called with the device's answer as JSON, on another thread.
  /// - Returns: A function to call if the client disconnects, which stops the step's repetitions; nil if too many steps
  ///   are queued.
  func carryOut(
    _ step: String, while isWanted: @escaping @Sendable () -> Bool,
    _ answer: @escaping @Sendable (String) -> Void
  ) -> (@Sendable () -> Void)? {
    guard openSteps.load(ordering: .relaxed) < Self.mostSteps else { return nil }
    openSteps.add(1, ordering: .relaxed)
    let call = StepCall()
    steps.async { [self] in
      defer { openSteps.subtract(1, ordering: .relaxed) }
      guard isWanted() else { return }
      guard let connection = answers.device.connect() else { return answer(Self.absence) }
      call.line.withLock { [line = connection.line] in $0 = line }
      // A client that disconnected while its step was queued could not cancel the step.
      guard isWanted() else { return }
      answer(Self.call("step", Self.parameters(of: step), connection))
      call.line.withLock { $0 = nil }
    }
    return { call.line.withLock { $0?.hangUp() } }
  }

  private final class StepCall: Sendable {
    /// The connection while the step is running; otherwise nil.
    let line = Mutex<ControlLine?>(nil)
  }

  private static func parameters(of step: String) -> String {
    let isStructured = step.contains { "{:\n".contains($0) }
    if !isStructured, let json = StepLine.json(StepLine.words(step)) { return json }
    return JSONWriter.text { $0.array { $0.string(step) } }
  }

  /// Calls `answer` on another thread with the apps, accounts and policies that steps can name, as JSON.
  func describeWorld(_ answer: @escaping @Sendable (String) -> Void) {
    questions.async { [self] in
      guard let connection = answers.device.connect() else { return answer(Self.absence) }
      answer(
        JSONWriter.objectLine { writer in
          for method in ["apps", "accounts", "policies"] {
            let answer = try? JSONReader.read(Self.call(method, nil, connection))
            writer.member(named: method) { writer in
              writer.raw((answer?["result"]?[method]?.line ?? "[]").utf8)
            }
          }
        })
    }
  }

  /// The answer to pages if the device does not reply.
  private static let absence = #"{"error":{"message":"no device answers"}}"#

  private static func call(
    _ method: String, _ parameters: String?, _ connection: ControlConnection
  ) -> String {
    (try? connection.call(method, parameters))?.line ?? absence
  }
}
