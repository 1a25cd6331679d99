internal import Dispatch
public import Foundation
internal import JSON
internal import Output
internal import SwiftSyntax

/// A trial of files in a separate process, before this process reads them.
///
/// For many constructs (`try await `, `A<`, `.b()`, `() ->`, `#if`) the parser's recursion is unbounded, and for others
/// its time is quadratic: a hostile file can crash the process or stall it. The trial's process has limits, and its end
/// is an error about one file. Files that pass are read here with a larger stack.
public final class SourceTrial {
  private let executable: URL
  private let arguments: [String]
  private let runLimit: RunLimit
  private var process: (process: Process, requests: FileHandle, answers: FileHandle)?
  /// The processor time that the files so far have taken, in milliseconds, and their bytes.
  private var (spent, size) = (0, 0)

  /// Creates a trial.
  ///
  /// - Parameters:
  ///   - executable: a program that calls ``serve(_:)``.
  ///   - arguments: the arguments with which it does.
  ///   - runLimit: the processor time for all files of the run.
  public init(_ executable: URL, _ arguments: [String], runLimit: RunLimit = RunLimit()) {
    self.executable = executable
    self.runLimit = runLimit
    self.arguments = arguments
    signal(SIGPIPE, SIG_IGN)
  }

  deinit { end() }

  /// The largest file that is read, in bytes.
  public static let sizeLimit = 16 << 20
  /// The deepest tree that is walked: each method of a chain takes two levels.
  static let depthLimit = 4_000
  /// The processor time for a file, in seconds: for an empty file, and for each further MiB.
  static let secondsLimit = 5
  static let secondsLimitForMebibyte = 10
  /// The processor time for all files of a run, in seconds: for those of no bytes, and for each MiB besides.
  public struct RunLimit: Sendable {
    var seconds = 20
    var secondsForMebibyte = 20

    /// The limit of the program.
    public init() {}
  }
  /// The stack of the thread that parses in a trial, and of the one that reads what has passed it.
  private static let trialStack = 64 << 20
  private static let stack = 512 << 20
  private static let addressSpace = 8 << 30

  /// Reads a file that passes.
  ///
  /// - Throws: ``SyntaxFaults`` if the file is not Swift, or the parser cannot read it.
  func parse(_ bytes: [UInt8], file: String) throws(SyntaxFaults) -> ParsedSource {
    guard bytes.count <= Self.sizeLimit else {
      throw SyntaxFaults(
        unread: file, "the file has \(bytes.count) bytes; at most \(Self.sizeLimit) are read")
    }
    size += bytes.count
    let budget = Self.milliseconds(runLimit.seconds, runLimit.secondsForMebibyte, for: size)
    guard spent < budget else {
      throw SyntaxFaults(
        unread: file,
        "not read: the files before it took \(spent / 1_000) seconds of processor time; expected \(runLimit.seconds) at most in a run, and \(runLimit.secondsForMebibyte) for each MiB"
      )
    }
    let faults: [SyntaxError]
    var stage = Stage.parsing
    do {
      let answer = try answer(to: bytes, &stage)
      spent += answer.milliseconds
      faults = answer.faults
    } catch {
      // It has taken all that a file has, or has crashed.
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

  /// Runs `body` on a thread with stack enough for every tree that passes.
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

  /// Written by one thread before it signals, and read by the other after.
  private final class Outcome: @unchecked Sendable {
    var result: Result<Void, any Error> = .success(())
    let isOver = DispatchSemaphore(value: 0)
  }

  // MARK: asking

  private struct SyntaxError: Codable {
    var line: Int
    var column: Int
    var message: String
    var rule: String
  }

  private struct Answer: Codable {
    var faults: [SyntaxError]
    /// The processor time that the file has taken.
    var milliseconds: Int
  }

  /// What the other process does with a file. An empty frame before the answer tells that the file has parsed.
  private enum Stage {
    case parsing, checking

    var noun: String {
      switch self {
      case .parsing: "parser"
      case .checking: "check"
      }
    }
  }

  /// The end of the other process, in the middle of a file.
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

  /// Ends the process, and tells why it could not read the file.
  private func ending(_ stage: Stage) -> String {
    guard let process = process?.process else { return "the parser could not be started" }
    end()
    guard process.terminationReason == .uncaughtSignal else {
      return "the \(stage.noun) ended with status \(process.terminationStatus)"
    }
    switch process.terminationStatus {
    case SIGXCPU, SIGKILL:
      return
        "the \(stage.noun) does not come to an end; expected \(Self.secondsLimit) seconds of processor time at most, and \(Self.secondsLimitForMebibyte) for each MiB"
    case SIGSEGV, SIGBUS:
      return
        "constructs are nested too deep for the \(stage.noun); split the longest expressions and types"
    default:  // open: any other signal
      return "the \(stage.noun) ended by signal \(process.terminationStatus)"
    }
  }

  private func end() {
    guard let process else { return }
    self.process = nil
    try? process.requests.close()
    process.process.waitUntilExit()
  }

  // MARK: answering

  /// Answers about files, one after the other, until standard input ends.
  ///
  /// - Parameter use: what is done with each file that parses; it is tried, too.
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
      // clock(3) counts in millionths, whatever the system.
      let answer = Answer(faults: found.faults, milliseconds: (clock() - start) / 1_000)
      try FileHandle.standardOutput.write(contentsOf: framed(JSONEncoder().encode(answer)))
    }
  }

  /// Written by a thread that is over when it is read.
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
            message: "constructs are nested too deep; at most \(depthLimit) levels are read",
            rule: "nesting")
        ]
      }
      use(source)
      return []
    } catch {
      return error.diagnostics.map { diagnostic in
        guard case .file(_, let position) = diagnostic.place else {
          preconditionFailure("what is wrong with a file has a place in it")
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

  /// Lets a signal end the process that the parent may have left blocked or ignored (sigprocmask(2), execve(2)).
  private static func heed(_ number: Int32) {
    signal(number, SIG_DFL)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Gives the process time for one more file; SIGXCPU ends it when that is used up.
  private static func limitTime(for count: Int) {
    // clock(3) counts in millionths, whatever the system.
    let spent = clock() / 1_000_000 + 1
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
    limit.rlim_cur = rlim_t(spent + secondsLimit + secondsLimitForMebibyte * count / (1 << 20))
    setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
  }

  // MARK: frames

  /// The bytes behind their number, as 64 bits.
  private static func framed(_ bytes: Data) -> Data {
    withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { Data($0) } + bytes
  }

  /// The next frame; nil at the end, also in the middle of a frame.
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
