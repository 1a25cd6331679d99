internal import DeviceClient
internal import Encodings
internal import Foundation
internal import Model
internal import Synchronization

/// A device in its own process, and the connections to it.
///
/// The device shuts down when this object is released, or when this process ends for any reason. A call blocks a thread
/// of this object, never a thread of Swift's tasks.
final class DeviceProcess: Sendable {
  /// The path of the control socket.
  let socket: String
  let calls = CallLog()
  /// This process's end of the socket that is the device's standard input and output. Closing it shuts the device down.
  private let lifeline: FileHandle
  /// The device's standard error, in a file.
  private let messages: FileHandle
  private let connection: Mutex<ControlConnection>
  private let follower: ControlLine
  private let queue = DispatchQueue(label: "SluiceTesting")

  /// The queue in which devices start. It limits the number of devices that start at the same time, because more
  /// devices would only slow each other down.
  private static let starts: OperationQueue = {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = max(2, ProcessInfo.processInfo.activeProcessorCount)
    return queue
  }()

  /// Starts the device of a scenario, and waits until it is up.
  ///
  /// - Parameter program: The path of `sluice`.
  static func start(_ program: String, _ scenario: String) async throws -> DeviceProcess {
    try await withCheckedThrowingContinuation { continuation in
      starts.addOperation {
        continuation.resume(with: Result { try DeviceProcess(program, scenario) })
      }
    }
  }

  private init(_ program: String, _ scenario: String) throws {
    socket = "\(NSTemporaryDirectory())phone-\(UUID().uuidString).sock"
    messages = try Self.temporaryFile()
    lifeline = try Self.launch(program, scenario, at: socket, messages)
    let journal = try ControlConnection(socket)
    follower = journal.line
    let requests = try ControlConnection(socket)
    // The device disconnects clients that make no request for a while, and this process may be slow.
    _ = try requests.call("status")
    connection = Mutex(requests)
    let reader = JournalReader(journal, calls)
    try reader.begin()
    Thread.detachNewThread { reader.run() }
  }

  deinit {
    follower.hangUp()
    try? lifeline.close()
  }

  // MARK: Starting

  /// Creates a temporary file, removes its name, and returns it open.
  private static func temporaryFile() throws -> FileHandle {
    // mkstemp(3) replaces the last six characters.
    var path = Array((NSTemporaryDirectory() + "phone-XXXXXX").utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw PhoneError("cannot create a file: \(reason)") }
    unlink(path)
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Starts the process, and waits until the device is up.
  ///
  /// - Returns: This process's end of the device's standard input and output.
  private static func launch(
    _ program: String, _ scenario: String, at socket: String, _ messages: FileHandle
  ) throws -> FileHandle {
    let (lifeline, end) = try socketPair()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["up", scenario, "--attached", "--socket", socket]
    process.standardInput = end
    process.standardOutput = end
    process.standardError = messages
    do {
      try process.run()
    } catch {
      throw PhoneError("`\(program)` does not start: \(error)")
    }
    try end.close()
    // The first line reports that the device is up. Without one, the process has ended.
    guard !lifeline.availableData.isEmpty else {
      throw PhoneError("the device of `\(scenario)` does not start\n\(text(of: messages))")
    }
    return lifeline
  }

  /// Creates two connected sockets that other programs do not inherit. An inherited socket would keep the device up.
  private static func socketPair() throws -> (own: FileHandle, other: FileHandle) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw PhoneError("cannot create a socket: \(reason)")
    }
    return (
      FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
      FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    )
  }

  private static func text(of messages: FileHandle) -> String {
    try? messages.seek(toOffset: 0)
    return String(decoding: (try? messages.readToEnd()) ?? Data(), as: UTF8.self)
  }

  private static var reason: String { String(cString: strerror(errno)).lowercased() }

  // MARK: Calls

  /// Calls a method of the control socket, and returns its result.
  ///
  /// - Parameter parameters: An object or array as JSON text; nil for no parameters.
  func call(_ method: String, _ parameters: String? = nil) async throws -> JSONValue {
    let answer = try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(with: Result { try self.answer(method, parameters) })
      }
    }
    if let result = answer["result"] { return result }
    throw PhoneError(answer["error"]?["message"]?.string ?? "the device's answer has no result")
  }

  private func answer(_ method: String, _ parameters: String?) throws -> JSONValue {
    do {
      return try connection.withLock { try $0.call(method, parameters) }
    } catch {
      throw PhoneError("the device has exited: \(error)\n\(Self.text(of: messages))")
    }
  }
}

// MARK: - Calls of the SDK

/// Reads a device's journal on its own thread.
private final class JournalReader: Sendable {
  private let connection: Mutex<ControlConnection>
  private let calls: CallLog

  init(_ connection: sending ControlConnection, _ calls: CallLog) {
    self.connection = Mutex(connection)
    self.calls = calls
  }

  /// Subscribes to the journal from its beginning.
  func begin() throws {
    let answer = try connection.withLock {
      try $0.call("journal", #"{"position":0,"limit":1000,"follow":true}"#)
    }
    for event in answer["result"]?["events"]?.array ?? [] { add(event) }
  }

  /// Reads events until the device closes the connection.
  func run() {
    connection.withLock { connection in
      while let line = try? connection.nextLine() {
        if let event = try? JSONReader.read(line)["params"] { add(event) }
      }
    }
    calls.end()
  }

  private func add(_ value: JSONValue) {
    if let event = try? JournalEvent(value) { calls.add(event) }
  }
}

/// The calls that the SDK has made to apps, and the waits for calls. A call that satisfies a wait is removed, so it
/// satisfies no other wait.
final class CallLog: Sendable {
  private struct State {
    var reader = SDKCallReader()
    var calls: [RecordedSDKCall] = []
    var waits: [Wait] = []
    var lastWait = 0
    /// The numbers of waits that timed out or were cancelled before ``begin(_:)`` could store them.
    var abandoned: Set<Int> = []
    var isOver = false
  }

  private struct Wait: Sendable {
    let number: Int
    let matches: @Sendable (RecordedSDKCall) -> Bool
    let continuation: CheckedContinuation<RecordedSDKCall?, Never>
  }

  private let state = Mutex(State())

  /// Waits for a call that matches, and that has satisfied no other wait.
  ///
  /// - Returns: The call; nil if there is none within the time, the task is cancelled, or the device is down.
  func next(
    within limit: Duration, _ matches: @escaping @Sendable (RecordedSDKCall) -> Bool
  ) async -> RecordedSDKCall? {
    let number = state.withLock { state in
      state.lastWait += 1
      return state.lastWait
    }
    let timer = Task {
      try await Task.sleep(for: limit)
      giveUp(number)
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        begin(Wait(number: number, matches: matches, continuation: continuation))
      }
    } onCancel: {
      giveUp(number)
    }
  }

  private enum Beginning {
    case found(RecordedSDKCall), waits, over
  }

  private func begin(_ wait: Wait) {
    let beginning: Beginning = state.withLock { state in
      if let index = state.calls.firstIndex(where: wait.matches) {
        return .found(state.calls.remove(at: index))
      }
      if state.isOver || state.abandoned.contains(wait.number) { return .over }
      state.waits.append(wait)
      return .waits
    }
    switch beginning {
    case .found(let call): wait.continuation.resume(returning: call)
    case .over: wait.continuation.resume(returning: nil)
    case .waits: break
    }
  }

  /// Adds the SDK's calls that a journal event reports. A call that matches a pending wait ends this wait instead.
  func add(_ event: JournalEvent) {
    let found = state.withLock { state in
      state.reader.calls(by: event.kind).compactMap { call in
        guard let index = state.waits.firstIndex(where: { $0.matches(call) }) else {
          state.calls.append(call)
          return nil as (Wait, RecordedSDKCall)?
        }
        return (state.waits.remove(at: index), call)
      }
    }
    for (wait, call) in found { wait.continuation.resume(returning: call) }
  }

  /// Ends all waits, because no call follows.
  func end() {
    let waits = state.withLock { state in
      defer { state.waits = [] }
      state.isOver = true
      return state.waits
    }
    for wait in waits { wait.continuation.resume(returning: nil) }
  }

  private func giveUp(_ number: Int) {
    let wait: Wait? = state.withLock { state in
      guard let index = state.waits.firstIndex(where: { $0.number == number }) else {
        state.abandoned.insert(number)
        return nil
      }
      return state.waits.remove(at: index)
    }
    wait?.continuation.resume(returning: nil)
  }
}
