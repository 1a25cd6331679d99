internal import CScript

/// Lua with one script in it (CScript), until this object goes.
final class ScriptMachine {
  private let script: OpaquePointer
  private let sink: Sink

  /// The receiver of log lines.
  private final class Sink {
    var write: (String) -> Void = { _ in }
  }

  /// The state in which a task stopped.
  enum Step {
    case done(ScriptValue)
    /// `account` is the one of the innermost `accounts.within`; nil where no scope sets one.
    case asks(ScriptCall, account: String?, [ScriptValue])
    case failed(ScriptError)
  }

  /// - Parameter name: the file's name, as errors show it.
  init(name: String, limits: ScriptLimits) throws(ScriptError) {
    sink = Sink()
    let calls = ScriptCall.allCases.map(\.rawValue).joined(separator: "\n")
    let events = ScriptEvent.allCases.map(\.rawValue).joined(separator: "\n")
    let context = Unmanaged.passUnretained(sink).toOpaque()
    let made = name.withCString { name in
      calls.withCString { calls in
        events.withCString { events in
          var environment = script_environment(
            name: name, calls: calls, events: events, log: { ScriptMachine.log($0, $1, $2) },
            context: context)
          return script_create(&environment, limits.raw)
        }
      }
    }
    guard let made else {
      throw ScriptError("\(name): no memory for a script [\(ScriptError.Code.memory.rawValue)]")
    }
    script = made
  }

  deinit { script_destroy(script) }

  private static func log(
    _ context: UnsafeMutableRawPointer?, _ text: UnsafePointer<CChar>?, _ count: Int
  ) {
    guard let context, let text else { return }
    let bytes = UnsafeRawBufferPointer(start: text, count: count)
    Unmanaged<Sink>.fromOpaque(context).takeUnretainedValue()
      .write(String(decoding: bytes, as: UTF8.self))
  }

  /// Called with each line that the script logs, while a task is resumed.
  var onLog: (String) -> Void {
    get { sink.write }
    set { sink.write = newValue }
  }

  /// The number of bytes that the script occupies.
  var memory: Int { script_memory(script) }

  /// The seed of `random`.
  func seed(_ seed: UInt64) { _ = script_seed(script, seed) }

  /// Sets the time that `device.now()` returns.
  func setTime(_ seconds: Int) { script_set_time(script, Int64(seconds)) }

  /// Sets a text such as `device.name`.
  func set(_ name: String, to text: String) {
    _ = text.withCString { script_set_text(script, name, $0, text.utf8.count) }
  }

  // MARK: tasks

  /// The script itself as a task.
  func compile(_ text: [UInt8]) throws(ScriptError) -> OpaquePointer {
    let task = text.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        script_compile(script, $0.baseAddress, $0.count)
      }
    }
    guard let task else { throw error }
    return task
  }

  func handles(_ event: ScriptEvent) -> Bool { script_handles(script, event.number) }

  /// A task that runs a callback.
  ///
  /// - Throws: ``ScriptError`` where there is no memory for the task. The script must have the callback.
  func begin(_ event: ScriptEvent) throws(ScriptError) -> OpaquePointer {
    guard let task = script_begin(script, event.number) else { throw error }
    return task
  }

  /// Resumes a task until it ends, fails or makes a call.
  ///
  /// - Parameter bytes: the arguments; later the answer, with its first byte.
  func resume(_ task: OpaquePointer, with bytes: [UInt8]) -> Step {
    let step = script_resume(script, task, bytes, bytes.count)
    switch step.status {
    case SCRIPT_DONE: return .done(values(of: step).first ?? .nothing)
    case SCRIPT_ASKS:
      let values = values(of: step)
      return .asks(
        ScriptCall.allCases[Int(step.call)], account: values.first?.text,
        Array(values.dropFirst()))
    default:  // open: `SCRIPT_FAILED`, of a C enumeration
      return .failed(error)
    }
  }

  func release(_ task: OpaquePointer) { script_release(script, task) }

  private func values(of step: script_step) -> [ScriptValue] {
    ScriptValue.all(in: UnsafeRawBufferPointer(start: step.bytes, count: step.count))
  }

  private var error: ScriptError { ScriptError(String(cString: script_error(script))) }
}

extension ScriptLimits {
  fileprivate var raw: script_limits {
    script_limits(
      instructions: instructions, memory: memory, milliseconds: milliseconds,
      ends_process: overdue == .endProcess)
  }
}
