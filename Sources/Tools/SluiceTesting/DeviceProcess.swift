internal import DeviceClient
internal import Encodings
internal import Foundation
internal import Model
internal import Synchronization

/// A device in its own process, and the connections to it.
///
/// The device goes down when this object is released, or when this process ends for any reason. Calls
/// block threads of their own, never those of Swift's tasks.
final class DeviceProcess: Sendable {
  /// The folder of the socket and of temporary files.
  let folder: String
  let events = EventLog()
  /// The other end of the device's standard input. The device goes down when it is closed.
  private let lifeline: FileHandle
  private let calls: Mutex<ControlConnection>
  private let follower: ControlLine
  private let queue = DispatchQueue(label: "SluiceTesting")

  /// The queue of starting devices. More at a time would only slow each other down.
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
    let folder = try Self.makeFolder()
    self.folder = folder
    do {
      lifeline = try Self.launch(program, scenario, in: folder)
      let connection = try ControlConnection(Self.socket(in: folder))
      follower = connection.line
      calls = Mutex(try ControlConnection(Self.socket(in: folder)))
      let reader = JournalReader(connection, events)
      try reader.begin()
      Thread.detachNewThread { reader.run() }
    } catch {
      Self.remove(folder)
      throw error
    }
  }

  deinit {
    follower.hangUp()
    try? lifeline.close()
    Self.remove(folder)
  }

  // MARK: Starting

  private static func socket(in folder: String) -> String { "\(folder)/control" }

  /// Creates a folder that only this user can access.
  private static func makeFolder() throws -> String {
    var path = Array((NSTemporaryDirectory() + "phone-XXXXXX").utf8CString)
    guard mkdtemp(&path) != nil else { throw PhoneError("cannot create a folder: \(reason)") }
    return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func remove(_ folder: String) {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Starts the process, and waits until the device is up.
  ///
  /// - Returns: This process's end of the device's standard input and output.
  private static func launch(
    _ program: String, _ scenario: String, in folder: String
  ) throws -> FileHandle {
    let (lifeline, end) = try socketPair()
    let path = "\(folder)/messages"
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    guard let errors = FileHandle(forWritingAtPath: path) else {
      throw PhoneError("cannot write `\(path)`: \(reason)")
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["up", scenario, "--attached", "--socket", socket(in: folder)]
    process.standardInput = end
    process.standardOutput = end
    process.standardError = errors
    do {
      try process.run()
    } catch {
      throw PhoneError("`\(program)` does not start: \(error)")
    }
    try end.close()
    // The first line reports that the device is up. Without one, the process has ended.
    guard !lifeline.availableData.isEmpty else {
      throw PhoneError("the device of `\(scenario)` does not start\n\(messages(in: folder))")
    }
    // A removal by `deinit` fails if the device removes its socket at the same time.
    process.terminationHandler = { _ in remove(folder) }
    return lifeline
  }

  /// Creates two connected sockets that other programs do not inherit. They would otherwise keep the
  /// device up.
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

  /// Returns the process's messages on standard error.
  private static func messages(in folder: String) -> String {
    (try? String(contentsOfFile: "\(folder)/messages", encoding: .utf8)) ?? ""
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
      return try calls.withLock { try $0.call(method, parameters) }
    } catch {
      throw PhoneError("the device has ended: \(error)\n\(Self.messages(in: folder))")
    }
  }
}

// MARK: - Events

/// Reads a device's journal on its own thread.
private final class JournalReader: Sendable {
  private let connection: Mutex<ControlConnection>
  private let events: EventLog

  init(_ connection: sending ControlConnection, _ events: EventLog) {
    self.connection = Mutex(connection)
    self.events = events
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
    events.end()
  }

  private func add(_ value: JSONValue) {
    if let event = try? JournalEvent(value) { events.add(event) }
  }
}

/// The events of a journal so far, and the waits for later ones. Each event satisfies one wait.
final class EventLog: Sendable {
  private struct State {
    var events: [JournalEvent] = []
    /// The indices of the events that have satisfied a wait.
    var taken: Set<Int> = []
    var waits: [Wait] = []
    var lastWait = 0
    /// The numbers of waits that ended before they began.
    var abandoned: Set<Int> = []
    var isOver = false
  }

  private struct Wait: Sendable {
    let number: Int
    let matches: @Sendable (JournalEvent) -> Bool
    let continuation: CheckedContinuation<JournalEvent?, Never>
  }

  private let state = Mutex(State())

  /// Waits for an event that matches, and that has satisfied no other wait.
  ///
  /// - Returns: The event; nil if there is none within the time, the task is cancelled, or the device is down.
  func next(
    within limit: Duration, _ matches: @escaping @Sendable (JournalEvent) -> Bool
  ) async -> JournalEvent? {
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
    case found(JournalEvent), waits, over
  }

  private func begin(_ wait: Wait) {
    let beginning: Beginning = state.withLock { state in
      for (index, event) in state.events.enumerated()
      where !state.taken.contains(index) && wait.matches(event) {
        state.taken.insert(index)
        return .found(event)
      }
      if state.isOver || state.abandoned.contains(wait.number) { return .over }
      state.waits.append(wait)
      return .waits
    }
    switch beginning {
    case .found(let event): wait.continuation.resume(returning: event)
    case .over: wait.continuation.resume(returning: nil)
    case .waits: break
    }
  }

  func add(_ event: JournalEvent) {
    let wait: Wait? = state.withLock { state in
      state.events.append(event)
      guard let index = state.waits.firstIndex(where: { $0.matches(event) }) else { return nil }
      state.taken.insert(state.events.count - 1)
      return state.waits.remove(at: index)
    }
    wait?.continuation.resume(returning: event)
  }

  /// Ends all waits, because no event follows.
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
