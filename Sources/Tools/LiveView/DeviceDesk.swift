internal import JSON
internal import NIOCore
internal import NIOPosix
internal import Scenario
internal import Simulation
internal import Synchronization

/// The device as its control socket has it: what it works on, what guests wrote and, where that is asked for, steps.
///
/// Each call waits for the device, and so is made on threads of the desk's own.
final class DeviceDesk: Sendable {
  private let latest: Mutex<Latest>
  private let isAsking = Atomic(false)
  private let openSteps = Atomic(0)
  private let questions = NIOThreadPool(numberOfThreads: 1)
  private let steps = NIOThreadPool(numberOfThreads: 1)

  /// What the device answered last, as JSON; nil: it does not answer.
  struct Latest: Sendable {
    var device: WatchedDevice
    var output: String?
    var work: String?
  }

  init(_ device: WatchedDevice) {
    latest = Mutex(Latest(device: device))
    questions.start()
    steps.start()
  }

  /// The device, and what it answered last.
  var answers: Latest { latest.withLock { $0 } }

  /// Asks the device again and again; where another has come in its place, that one.
  func watch(from loop: any EventLoop) {
    loop.scheduleRepeatedTask(initialDelay: .zero, delay: .seconds(1)) { [self] _ in
      guard !isAsking.exchange(true, ordering: .relaxed) else { return }
      questions.submit { [self] _ in
        ask()
        isAsking.store(false, ordering: .relaxed)
      }
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

  // MARK: steps

  /// The most steps that wait.
  private static let mostSteps = 64

  /// Has the device carry out a step, after those before it.
  ///
  /// - Parameters:
  ///   - step: the step as YAML or JSON, or its name with values, as of `sluice ctl`.
  ///   - isWanted: whether somebody still waits for the step; one for which nobody does is not begun.
  ///   - answer: is told the device's answer, as JSON, on another thread.
  /// - Returns: what ends the step's repetitions, once nobody waits for them any more; nil where too many steps wait already.
  func carryOut(
    _ step: String, while isWanted: @escaping @Sendable () -> Bool,
    _ answer: @escaping @Sendable (String) -> Void
  ) -> (@Sendable () -> Void)? {
    guard openSteps.load(ordering: .relaxed) < Self.mostSteps else { return nil }
    openSteps.add(1, ordering: .relaxed)
    let call = StepCall()
    steps.submit { [self] _ in
      defer { openSteps.subtract(1, ordering: .relaxed) }
      guard isWanted() else { return }
      guard let connection = answers.device.connect() else { return answer(Self.absence) }
      call.line.withLock { [line = connection.line] in $0 = line }
      // Who has gone meanwhile could not hang up.
      guard isWanted() else { return }
      answer(Self.call("step", Self.parameters(of: step), connection))
      call.line.withLock { $0 = nil }
    }
    return { call.line.withLock { $0?.hangUp() } }
  }

  /// The call by which a step is carried out.
  private final class StepCall: Sendable {
    /// nil while the step is not carried out.
    let line = Mutex<ControlLine?>(nil)
  }

  private static func parameters(of step: String) -> String {
    let isStructured = step.contains { "{:\n".contains($0) }
    if !isStructured, let json = StepLine.json(StepLine.words(step)) { return json }
    var writer = JSONWriter()
    writer.array { $0.string(step) }
    return writer.text
  }

  /// Tells the apps, accounts and policies that steps can name, as JSON, on another thread.
  func describeWorld(_ answer: @escaping @Sendable (String) -> Void) {
    questions.submit { [self] _ in
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

  /// The answer for a device that gives none.
  private static let absence = #"{"error":{"message":"no device answers"}}"#

  private static func call(
    _ method: String, _ parameters: String?, _ connection: ControlConnection
  ) -> String {
    (try? connection.call(method, parameters))?.line ?? absence
  }
}
