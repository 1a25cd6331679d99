internal import Dispatch
internal import Encodings
public import Foundation
internal import Output
internal import SwiftSyntax

/// Parses untrusted files in a child process before this process parses them.
///
/// A hostile file can crash or stall the parser. For many constructs (`try await `, `A<`, `.b()`, `() ->`, `#if`), its
/// recursion is unbounded; for others, its time is quadratic. The child process therefore has resource limits. If it
/// exits, the result is an error about one file. Files that pass are parsed here with a larger stack.
public final class SourceTrial {
  private let executable: URL
  private let arguments: [String]
  private let runLimit: RunLimit
  private var process: (process: Process, requests: FileHandle, answers: FileHandle)?
  /// The processor time for all files so far, in milliseconds, and the total size of these files in bytes.
  private var (spent, size) = (0, 0)

  /// Creates a trial.
  ///
  /// - Parameters:
  ///   - executable: The program to run as the child process. It must call ``serve(_:)``.
  ///   - arguments: The command-line arguments with which the program calls ``serve(_:)``.
  ///   - runLimit: The limit on the processor time for all files of a run.
  public init(_ executable: URL, _ arguments: [String], runLimit: RunLimit = RunLimit()) {
    self.executable = executable
    self.runLimit = runLimit
    self.arguments = arguments
    signal(SIGPIPE, SIG_IGN)
  }

  deinit { end() }

  /// The maximum size of a file, in bytes.
  public static let sizeLimit = 16 << 20
  /// The maximum depth of a syntax tree. Each call in a chain of method calls adds two levels.
  static let depthLimit = 4_000
  /// The limit on the processor time for a file, in seconds. ``secondsLimitForMebibyte`` is added for each MiB.
  static let secondsLimit = 5
  static let secondsLimitForMebibyte = 10
  /// The limit on the processor time for all files of a run: a number of seconds, plus a number of seconds for each
  /// MiB.
  public struct RunLimit: Sendable {
    var seconds = 20
    var secondsForMebibyte = 20

    /// Creates the default limit.
    public init() {}
  }
  /// The size in bytes of the stack on which the child process parses. This process parses on a stack of the size
  /// ``stack``.
  private static let trialStack = 64 << 20
  private static let stack = 512 << 20
  private static let addressSpace = 8 << 30

  /// Parses a file in the child process, and then in this process.
  ///
  /// - Throws: ``SyntaxFaults`` if the file is not Swift, or the parser fails.
  func parse(_ bytes: [UInt8], file: String) throws(SyntaxFaults) -> ParsedSource {
    guard bytes.count <= Self.sizeLimit else {
      throw SyntaxFaults(
        unread: file, "the file has \(bytes.count) bytes; the maximum is \(Self.sizeLimit)")
    }
    size += bytes.count
    let budget = Self.milliseconds(runLimit.seconds, runLimit.secondsForMebibyte, for: size)
    guard spent < budget else {
      throw SyntaxFaults(
        unread: file,
        "not read: earlier files used \(spent / 1_000) seconds of processor time; the limit of a run is \(runLimit.seconds) seconds plus \(runLimit.secondsForMebibyte) per MiB"
      )
    }
    let faults: [SyntaxError]
    var stage = Stage.parsing
    do {
      let answer = try answer(to: bytes, &stage)
      spent += answer.milliseconds
      faults = answer.faults
    } catch {
      // The file has used up its limit or crashed the parser, so it is charged the full limit.
      spent += Self.milliseconds(Self.secondsLimit, Self.secondsLimitForMebibyte, for: bytes.count)
      throw SyntaxFaults(unread: file, ending(stage))
    }
    guard faults.isEmpty else {
      throw SyntaxFaults(
        faults.map { fault in
          Diagnostic(
            .file(file, Position(line: fault.line, column: fault.column)), fault.message,
            rule: fault.rule)
        })
    }
    return try ParsedSource(bytes, file: file)
  }

  private static func milliseconds(_ seconds: Int, _ perMebibyte: Int, for bytes: Int) -> Int {
    1_000 * seconds + 1_000 * perMebibyte * bytes / (1 << 20)
  }

  /// Runs `body` on a thread whose stack is large enough for every syntax tree that passes the trial.
  public static func withStack(_ body: @escaping @Sendable () throws -> Void) throws {
    try run(body, stackSize: stack).get()
  }

  private static func run(
    _ body: @escaping @Sendable () throws -> Void, stackSize: Int
  ) -> Result<Void, any Error> {
    let outcome = Outcome()
    let thread = Thread {
      outcome.result = Result { try body() }
      outcome.isOver.signal()
    }
    thread.stackSize = stackSize
    thread.start()
    outcome.isOver.wait()
    return outcome.result
  }

  /// The result of a thread. The thread writes it and then signals; the waiting thread reads it afterwards.
  private final class Outcome: @unchecked Sendable {
    var result: Result<Void, any Error> = .success(())
    let isOver = DispatchSemaphore(value: 0)
  }

  // MARK: Requests to the trial process

  private struct SyntaxError: Codable {
    var line: Int
    var column: Int
    var message: String
    var rule: String
  }

  private struct Answer: Codable {
    var faults: [SyntaxError]
    /// The processor time that the file took in the child process.
    var milliseconds: Int
  }

  /// The stages in which the child process handles a file. It parses the file, sends an empty frame, and then checks
  /// the parsed file.
  private enum Stage {
    case parsing, checking

    var noun: String {
      switch self {
      case .parsing: "parser"
      case .checking: "check"
      }
    }
  }

  /// The child process has exited before it answered.
  private struct Ended: Error {}

  private func answer(to bytes: [UInt8], _ stage: inout Stage) throws -> Answer {
    let (_, requests, answers) = try running()
    try requests.write(contentsOf: Self.framed(Data(bytes)))
    while let answer = try Self.frame(from: answers) {
      if !answer.isEmpty { return try JSONDecoder().decode(Answer.self, from: answer) }
      stage = .checking
    }
    throw Ended()
  }

  private func running() throws -> (process: Process, requests: FileHandle, answers: FileHandle) {
    if let process { return process }
    let child = Process()
    let (requests, answers) = (Pipe(), Pipe())
    child.executableURL = executable
    child.arguments = arguments
    child.environment = ProcessInfo.processInfo.environment.merging(
      ["SWIFT_BACKTRACE": "enable=no"], uniquingKeysWith: { $1 })
    child.standardInput = requests
    child.standardOutput = answers
    child.standardError = FileHandle.nullDevice
    try child.run()
    let running = (child, requests.fileHandleForWriting, answers.fileHandleForReading)
    process = running
    return running
  }

  /// Ends the child process after a failure, and returns the reason why it could not process the file.
  private func ending(_ stage: Stage) -> String {
    guard let process = process?.process else { return "the parser cannot be started" }
    end()
    guard process.terminationReason == .uncaughtSignal else {
      return "the \(stage.noun) exited with status \(process.terminationStatus)"
    }
    switch process.terminationStatus {
    case SIGXCPU, SIGKILL:
      return
        "the \(stage.noun) exceeded its limit of \(Self.secondsLimit) seconds of processor time plus \(Self.secondsLimitForMebibyte) per MiB"
    case SIGSEGV, SIGBUS:
      return
        "constructs are nested too deeply for the \(stage.noun); split the longest expressions and types"
    default:  // open: any other signal
      return "the \(stage.noun) was terminated by signal \(process.terminationStatus)"
    }
  }

  private func end() {
    guard let process else { return }
    self.process = nil
    try? process.requests.close()
    process.process.waitUntilExit()
  }

  // MARK: Answers of the trial process

  /// Handles requests to parse files until standard input ends. The child process calls this function.
  ///
  /// - Parameter use: Processes each parsed file, within the same limits.
  public static func serve(_ use: @escaping @Sendable (ParsedSource) -> Void) throws {
    heed(SIGXCPU)
    limit(__rlimit_resource_t(RLIMIT_CORE.rawValue), to: 0)
    limit(__rlimit_resource_t(RLIMIT_AS.rawValue), to: addressSpace)
    while let bytes = try frame(from: .standardInput) {
      limitTime(for: bytes.count)
      let start = clock()
      let found = Found()
      let parsed: @Sendable (ParsedSource) -> Void = { source in
        try? FileHandle.standardOutput.write(contentsOf: framed(Data()))
        use(source)
      }
      _ = run({ found.faults = faults(in: Array(bytes), parsed) }, stackSize: trialStack)
      // POSIX fixes CLOCKS_PER_SEC at 1,000,000.
      let answer = Answer(faults: found.faults, milliseconds: (clock() - start) / 1_000)
      try FileHandle.standardOutput.write(contentsOf: framed(JSONEncoder().encode(answer)))
    }
  }

  /// The result of a thread, which is read after the thread has ended.
  private final class Found: @unchecked Sendable {
    var faults: [SyntaxError] = []
  }

  private static func faults(in bytes: [UInt8], _ use: (ParsedSource) -> Void) -> [SyntaxError] {
    do throws(SyntaxFaults) {
      let source = try ParsedSource(bytes, file: "")
      if let deep = deepNode(below: Syntax(source.tree), rest: depthLimit) {
        let position = source.position(of: deep)
        return [
          SyntaxError(
            line: position.line, column: position.column,
            message: "constructs are nested too deeply; the maximum is \(depthLimit) levels",
            rule: "nesting")
        ]
      }
      use(source)
      return []
    } catch {
      return error.diagnostics.map { diagnostic in
        guard case .file(_, let position) = diagnostic.place else {
          preconditionFailure("a syntax error has no position")
        }
        return SyntaxError(
          line: position.line, column: position.column, message: diagnostic.message,
          rule: diagnostic.rule)
      }
    }
  }

  private static func deepNode(below node: Syntax, rest: Int) -> Syntax? {
    guard rest > 0 else { return node }
    for child in node.children(viewMode: .sourceAccurate) {
      if let deep = deepNode(below: child, rest: rest - 1) { return deep }
    }
    return nil
  }

  private static func limit(_ resource: __rlimit_resource_t, to value: Int) {
    var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
    setrlimit(resource, &limit)
  }

  /// Unblocks a signal and restores its default action. The parent process may have blocked or ignored it
  /// (sigprocmask(2), execve(2)).
  private static func heed(_ number: Int32) {
    signal(number, SIG_DFL)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Sets the limit on the processor time for the next file. If the file exceeds it, SIGXCPU ends the process.
  ///
  /// - Parameter count: The size of the file, in bytes.
  private static func limitTime(for count: Int) {
    // POSIX fixes CLOCKS_PER_SEC at 1,000,000.
    let spent = clock() / 1_000_000 + 1
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
    limit.rlim_cur = rlim_t(spent + secondsLimit + secondsLimitForMebibyte * count / (1 << 20))
    setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
  }

  // MARK: Frames

  /// Returns the bytes with a 64-bit length prefix.
  private static func framed(_ bytes: Data) -> Data {
    withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { Data($0) } + bytes
  }

  /// Reads the next frame. Returns nil if the input ends before the frame is complete.
  private static func frame(from file: FileHandle) throws -> Data? {
    guard let length = try read(8, from: file) else { return nil }
    let count = length.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
    return try read(Int(clamping: count), from: file)
  }

  private static func read(_ count: Int, from file: FileHandle) throws -> Data? {
    var bytes = Data()
    while bytes.count < count {
      guard let more = try file.read(upToCount: count - bytes.count), !more.isEmpty else {
        return nil
      }
      bytes += more
    }
    return bytes
  }
}
