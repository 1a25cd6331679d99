internal import Foundation
internal import JSON
internal import Simulation
internal import Synchronization

/// The device as its control socket has it: what it works on, what guests wrote and, where that is asked for, steps.
///
/// Each call waits for the device, and so is made on a thread of its own.
final class DeviceDesk: Sendable {
  private let device: WatchedDevice
  private let latest = Mutex(Latest())
  private let steps = DispatchQueue(label: "steps")

  /// What the device answered last, as JSON; nil: it does not answer.
  struct Latest: Sendable {
    var output: String?
    var work: String?
  }

  init(_ device: WatchedDevice) { self.device = device }

  /// What the device answered last.
  var answers: Latest { latest.withLock { $0 } }

  /// Asks the device again and again, on a thread of its own.
  func watch() {
    Thread.detachNewThread { [self] in
      var connection: ControlConnection?
      while true {
        connection = connection ?? connect()
        let work = connection.flatMap { Self.result(of: "status", $0) }
        let output = connection.flatMap { Self.result(of: "output", $0) }
        if work == nil { connection = nil }
        latest.withLock { $0 = Latest(output: output, work: work) }
        Thread.sleep(forTimeInterval: Self.pause)
      }
    }
  }

  /// Seconds between two questions.
  private static let pause = 1.0

  private func connect() -> ControlConnection? {
    let socket = device.socket ?? (try? WatchedDevice(device.name))?.socket
    return socket.flatMap { try? ControlConnection($0) }
  }

  private static func result(of method: String, _ connection: ControlConnection) -> String? {
    (try? connection.call(method))?["result"]?.line
  }

  // MARK: steps

  /// Has the device carry out a step, after those before it.
  ///
  /// - Parameters:
  ///   - step: the step as YAML or JSON.
  ///   - answer: is told the device's answer, as JSON, on another thread.
  func carryOut(_ step: String, _ answer: @escaping @Sendable (String) -> Void) {
    steps.async { [self] in
      var writer = JSONWriter()
      writer.array { $0.string(step) }
      answer(call("step", writer.text))
    }
  }

  /// Tells the apps, accounts and policies that steps can name, as JSON, on another thread.
  func describeWorld(_ answer: @escaping @Sendable (String) -> Void) {
    DispatchQueue.global().async { [self] in
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
