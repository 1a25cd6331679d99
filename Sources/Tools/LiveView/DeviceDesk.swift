internal import JSON
internal import NIOCore
internal import NIOPosix
internal import Simulation
internal import Synchronization

/// The device as its control socket has it: what it works on, what guests wrote and, where that is asked for, steps.
///
/// Each call waits for the device, and so is made on threads of the desk's own.
final class DeviceDesk: Sendable {
  private let device: WatchedDevice
  private let latest = Mutex(Latest())
  private let isAsking = Atomic(false)
  private let questions = NIOThreadPool(numberOfThreads: 1)
  private let steps = NIOThreadPool(numberOfThreads: 1)

  /// What the device answered last, as JSON; nil: it does not answer.
  struct Latest: Sendable {
    var output: String?
    var work: String?
  }

  init(_ device: WatchedDevice) {
    self.device = device
    questions.start()
    steps.start()
  }

  /// What the device answered last.
  var answers: Latest { latest.withLock { $0 } }

  /// Asks the device again and again.
  func watch(from loop: any EventLoop) {
    loop.scheduleRepeatedTask(initialDelay: .zero, delay: .seconds(1)) { [self] _ in
      guard !isAsking.exchange(true, ordering: .relaxed) else { return }
      questions.submit { [self] _ in
        let connection = connect()
        let result = { (method: String) in
          connection.flatMap { (try? $0.call(method))?["result"]?.line }
        }
        let (work, output) = (result("status"), result("output"))
        latest.withLock { $0 = Latest(output: output, work: work) }
        isAsking.store(false, ordering: .relaxed)
      }
    }
  }

  private func connect() -> ControlConnection? {
    let socket = device.socket ?? (try? WatchedDevice(device.name))?.socket
    return socket.flatMap { try? ControlConnection($0) }
  }

  // MARK: steps

  /// Has the device carry out a step, after those before it.
  ///
  /// - Parameters:
  ///   - step: the step as YAML or JSON.
  ///   - answer: is told the device's answer, as JSON, on another thread.
  func carryOut(_ step: String, _ answer: @escaping @Sendable (String) -> Void) {
    steps.submit { [self] _ in
      var writer = JSONWriter()
      writer.array { $0.string(step) }
      answer(call("step", writer.text))
    }
  }

  /// Tells the apps, accounts and policies that steps can name, as JSON, on another thread.
  func describeWorld(_ answer: @escaping @Sendable (String) -> Void) {
    questions.submit { [self] _ in
      answer(
        JSONWriter.objectLine { writer in
          for method in ["apps", "accounts", "policies"] {
            let list = (try? JSONReader.read(call(method)))?["result"]?[method]
            writer.member(named: method) { $0.raw((list?.line ?? "[]").utf8) }
          }
        })
    }
  }

  private func call(_ method: String, _ parameters: String? = nil) -> String {
    guard let connection = connect(),
      let answer = try? connection.call(method, parameters)
    else { return #"{"error":{"message":"no device answers"}}"# }
    return answer.line
  }
}

extension JSONValue {
  /// The value as JSON in one line.
  fileprivate var line: String {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.text
  }
}
