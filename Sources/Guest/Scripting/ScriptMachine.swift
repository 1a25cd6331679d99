internal import CScript
internal import Glibc

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

// MARK: - Limits

/// The limits of a script.
package struct ScriptLimits: Sendable, Hashable {
  /// Instructions of Lua's machine for one callback, or for the file itself.
  package var instructions: UInt64 = 50_000_000
  /// Bytes of the whole script at one time.
  package var memory = 32 << 20
  /// Milliseconds of processor time for one callback, or for the file itself.
  package var milliseconds: UInt32 = 5_000
  /// The treatment of a process whose script is still within one call of Lua's own library a second after the limit.
  package var overdue = Overdue.endProcess

  /// The treatment of a process whose script does not stop in time.
  package enum Overdue: Sendable {
    case endProcess
    case wait
  }

  /// The default limits.
  package init() {}
}

// MARK: - Files

/// The text of a script from the disk.
package struct ScriptFile: Sendable {
  /// The name as errors show it: the file's name, for a script in a bundle with the bundle's name before it.
  package let name: String
  package let text: [UInt8]

  /// The length limit of a script in bytes.
  package static let longest = 1 << 20

  /// Reads the file at `path`.
  ///
  /// - Throws: ``ScriptError`` where the file cannot be read, is too long, or is not UTF-8.
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

/// The reason why a script cannot go on.
package struct ScriptError: Error, Sendable, Hashable, CustomStringConvertible {
  package let code: Code
  /// `file:line: sentence [code]`.
  package let description: String

  /// The kind of failure. Raw values are the codes at the end of the sentence.
  package enum Code: String, Sendable, CaseIterable {
    /// The text is not Lua.
    case syntax = "script-syntax"
    /// An error that the script did not catch.
    case uncaught = "script-error"
    case instructions = "script-instructions"
    case memory = "script-memory"
    case time = "script-time"
    /// The file cannot be read, or is no text.
    case file = "script-file"
  }

  /// - Parameter sentence: the sentence with place and code.
  init(_ sentence: String) {
    description = sentence
    code = Code.allCases.first { sentence.hasSuffix("[\($0.rawValue)]") } ?? .uncaught
  }
}

/// An argument that a call does not take: an error in the script, with its position.
struct ScriptMisuse: Error {
  let description: String

  init(_ description: String) { self.description = description }
}
