@testable import Scripting

/// A script in this process, without a host. `answers` answers the script's calls.
final class Bench {
  private let machine: ScriptMachine
  private(set) var log: [String] = []
  /// The functions that the script has called, with the account of their scope.
  private(set) var asked: [(function: String, account: String?, arguments: [ScriptValue])] = []
  private var answers: [[ScriptValue]]

  init(
    _ limits: ScriptLimits = .small, answers: [[ScriptValue]] = []
  ) throws(ScriptError) {
    machine = try ScriptMachine(name: "test.lua", limits: limits)
    self.answers = answers
    machine.seed(1)
    machine.setTime(1_767_225_600)
    machine.onLog = { [unowned self] in log.append($0) }
  }

  /// Runs a script to its end.
  ///
  /// - Returns: The script's result.
  /// - Throws: The script's error.
  func run(_ text: String) throws(ScriptError) -> ScriptValue {
    let task = try machine.compile(Array(text.utf8))
    defer { machine.release(task) }
    return try finish(task)
  }

  /// Calls the script's callback for `event`.
  func call(_ event: ScriptEvent, _ arguments: [ScriptValue] = []) throws(ScriptError)
    -> ScriptValue
  {
    let task = try machine.begin(event)
    defer { machine.release(task) }
    return try finish(task, arguments)
  }

  var memory: Int { machine.memory }

  private func finish(
    _ task: OpaquePointer, _ arguments: [ScriptValue] = []
  ) throws(ScriptError) -> ScriptValue {
    var bytes = Self.bytes(arguments)
    while true {
      switch machine.resume(task, with: bytes) {
      case .done(let value): return value
      case .failed(let error): throw error
      case .asks(let function, let account, let arguments):
        asked.append((function.name, account, arguments))
        let answer = answers.isEmpty ? [] : answers.removeFirst()
        bytes = [UInt8(ascii: "=")] + Self.bytes(answer)
      }
    }
  }

  private static func bytes(_ values: [ScriptValue]) -> [UInt8] {
    var bytes: [UInt8] = []
    for value in values { value.append(to: &bytes) }
    return bytes
  }
}

extension ScriptLimits {
  /// Low limits. A script that hangs in one call fails the test, but does not end the process.
  static var small: ScriptLimits {
    var limits = ScriptLimits()
    limits.instructions = 2_000_000
    limits.memory = 4 << 20
    limits.milliseconds = 20_000
    limits.overdue = .wait
    return limits
  }
}
