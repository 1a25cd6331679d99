internal import CScript
internal import Glibc

/// A Lua state with one script (CScript). It is destroyed together with this object.
final class ScriptMachine {
  private let script: OpaquePointer
  private let sink: Sink

  private final class Sink {
    var write: (String) -> Void = { _ in }
  }

  enum Step {
    case done(ScriptValue)
    /// The script called a function, and waits for the answer. `account` is the account of the innermost
    /// `accounts.within` around the call; nil if there is none.
    case asks(ScriptFunction, account: String?, [ScriptValue])
    case failed(ScriptError)
  }

  /// Creates a machine without a script.
  ///
  /// - Parameter name: The file name to show in errors.
  init(name: String, limits: ScriptLimits) throws(ScriptError) {
    sink = Sink()
    let calls = ScriptFunction.all.map(\.name).joined(separator: "\n")
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
      throw ScriptError(
        "\(name): not enough memory for a script [\(ScriptError.Code.memory.rawValue)]")
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

  /// Called with each line that the script logs while a task is resumed.
  var onLog: (String) -> Void {
    get { sink.write }
    set { sink.write = newValue }
  }

  /// The script's memory use in bytes.
  var memory: Int { script_memory(script) }

  /// Seeds Lua's function `random`.
  func seed(_ seed: UInt64) { _ = script_seed(script, seed) }

  /// Sets the time that `device.now()` returns, in seconds since 1970-01-01T00:00:00Z.
  func setTime(_ seconds: Int) { script_set_time(script, Int64(seconds)) }

  /// Sets a string that the script can read, such as `device.name`.
  func set(_ name: String, to text: String) {
    _ = text.withCString { script_set_text(script, name, $0, text.utf8.count) }
  }

  // MARK: Tasks

  /// Returns a task that runs the script file.
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

  /// Returns a task that runs the callback of an event. The script must have set this callback.
  ///
  /// - Throws: ``ScriptError`` if memory is exhausted.
  func begin(_ event: ScriptEvent) throws(ScriptError) -> OpaquePointer {
    guard let task = script_begin(script, event.number) else { throw error }
    return task
  }

  /// Resumes a task until it ends, fails or makes a call.
  ///
  /// - Parameter bytes: When the task starts, the arguments. Later, the answer to the task's call, preceded by a byte:
  ///   `=` for values, `!` for an error.
  func resume(_ task: OpaquePointer, with bytes: [UInt8]) -> Step {
    let step = script_resume(script, task, bytes, bytes.count)
    switch step.status {
    case SCRIPT_DONE: return .done(values(of: step).first ?? .nothing)
    case SCRIPT_ASKS:
      let values = values(of: step)
      return .asks(
        ScriptFunction.all[Int(step.call)], account: values.first?.text,
        Array(values.dropFirst()))
    default:  // open: `SCRIPT_FAILED`, a C enumeration
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

// MARK: - Limits

package struct ScriptLimits: Sendable, Hashable {
  /// The maximum number of Lua VM instructions per callback, and for the file itself.
  package var instructions: UInt64 = 50_000_000
  /// The maximum memory use of the whole script, in bytes.
  package var memory = 32 << 20
  /// The maximum processor time per callback, and for the file itself, in milliseconds.
  package var milliseconds: UInt32 = 5_000
  /// The action if a single call of Lua's own library is still running one second of processor time after the limit.
  package var overdue = Overdue.endProcess

  /// The action if a script does not stop in time.
  package enum Overdue: Sendable {
    case endProcess
    case wait
  }

  package init() {}
}

// MARK: - Files

package struct ScriptFile: Sendable {
  /// The file name for error messages. If the script is in a bundle, the bundle's name precedes it.
  package let name: String
  package let text: [UInt8]

  /// The maximum length of a script, in bytes.
  package static let longest = 1 << 20

  /// Reads a script's file.
  ///
  /// - Throws: ``ScriptError`` if the file is not a regular file, cannot be read, is too long or is not UTF-8.
  package init(path: String) throws(ScriptError) {
    name = Self.name(of: path)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.error(name, "cannot be read: \(Self.lastError)") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Self.error(name, "is not a file")
    }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16 * 1024)
    while bytes.count <= Self.longest {
      let count = Glibc.read(descriptor, &piece, piece.count)
      guard count >= 0 else { throw Self.error(name, "cannot be read: \(Self.lastError)") }
      if count == 0 { break }
      bytes += piece[..<count]
    }
    guard bytes.count <= Self.longest else { throw Self.error(name, "is longer than 1 MiB") }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw Self.error(name, "is not UTF-8")
    }
    text = bytes
  }

  private static var lastError: String { String(cString: strerror(errno)) }

  private static func error(_ name: String, _ what: String) -> ScriptError {
    ScriptError("\(name): the script \(what) [\(ScriptError.Code.file.rawValue)]")
  }

  private static func name(of path: String) -> String {
    let parts = path.split(separator: "/")
    let isInBundle = parts.dropLast().last.map { $0.hasSuffix(".appex") || $0.hasSuffix(".app") }
    return parts.suffix(isInBundle == true ? 2 : 1).joined(separator: "/")
  }
}

// MARK: - Errors

/// The reason why a script has ended.
package struct ScriptError: Error, Sendable, Hashable, CustomStringConvertible {
  package let code: Code
  /// The error as `file:line: message [code]`.
  package let description: String

  /// The kind of failure. The raw value is the code in brackets at the end of ``ScriptError/description``.
  package enum Code: String, Sendable, CaseIterable {
    case syntax = "script-syntax"
    /// The script did not catch an error.
    case uncaught = "script-error"
    case instructions = "script-instructions"
    case memory = "script-memory"
    case time = "script-time"
    /// The file is not a regular file, cannot be read, is too long or is not UTF-8.
    case file = "script-file"
  }

  /// Creates an error with this description. The code is read from the description's end; without a known code there,
  /// it is ``Code/uncaught``.
  ///
  /// - Parameter sentence: The description, as `file:line: message [code]`.
  init(_ sentence: String) {
    description = sentence
    code = Code.allCases.first { sentence.hasSuffix("[\($0.rawValue)]") } ?? .uncaught
  }
}

/// An invalid argument in a call. The script receives it as an error at the position of the call.
struct ScriptMisuse: Error {
  let description: String

  init(_ description: String) { self.description = description }
}
