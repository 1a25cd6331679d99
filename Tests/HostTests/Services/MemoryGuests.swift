import EventLoop
import Foundation
import Model
import TestSupport
import Testing
import Wire

@testable import Host

/// A guest in memory. It records the messages that it receives, and sends what a test specifies.
final class MemoryGuest: GuestPort, ProcessHandle {
  let guest: Guest
  let pid: Int32 = 0
  /// The memory that the device lends to the guest.
  let memory = MemoryOfGuest()
  /// All messages sent to the guest, in order.
  private(set) var heard: [HostMessage] = []
  /// The outcomes of the guest's requests, keyed by request because tests read them in every
  /// iteration of the loop.
  private var outcomes: [UInt64: RequestOutcome] = [:]
  /// Called before the guest reads a message.
  var onWrite: () -> Void = {}
  /// Whether the guest does not read its messages.
  var isDeaf = false
  private(set) var isClosing = false
  private(set) var isReading = true
  /// Whether another process keeps the guest's end of the connection open after the guest exits.
  var isHeldOpen = false
  /// Whether the device does not read the guest's messages.
  var isUnheard = false
  private var unread: [UInt8] = []
  private var untaken: [UInt8] = []
  private var answered: Set<UInt64> = []
  private unowned let supervisor: GuestSupervisor
  private var parser = FrameParser()
  private var lastRequest: UInt64 = 0
  private var exit: ChildProcess.Exit?
  /// Whether the guest was asked to stop.
  private var isStopped = false

  init(_ guest: Guest, _ supervisor: GuestSupervisor) {
    self.guest = guest
    self.supervisor = supervisor
  }

  // MARK: Sending

  /// Sends a message.
  ///
  /// - Parameter request: Whether an answer is expected.
  /// - Returns: The number of the request; 0 for a message without an answer.
  @discardableResult
  func say(
    _ body: GuestMessage.Body, as task: TaskContext? = nil, isRequest: Bool = true,
    madeOf sources: [UInt64] = []
  ) -> UInt64 {
    if isRequest { lastRequest += 1 }
    let number = isRequest ? lastRequest : 0
    var frames = FrameBuffer()
    let arena = Arena()
    arena.placement = { [memory] in memory.place($0) }
    frames.append(GuestMessage(request: number, body, task: task, from: sources), using: arena)
    unread += frames.bytes
    guard !isUnheard else { return number }
    readRest()
    settle()
    return number
  }

  /// Makes a request.
  ///
  /// - Returns: The outcome if it is known immediately; nil if the request waits.
  @discardableResult
  func ask(_ body: GuestMessage.Body, as task: TaskContext? = nil) -> RequestOutcome? {
    outcome(of: say(body, as: task))
  }

  /// Performs the handshake. The guest is ready afterwards.
  func sayHello(takingMemory takesMemory: Bool = false) {
    say(.hello(Hello(takesMemory: takesMemory)), isRequest: false)
  }

  /// Confirms all deliveries, and returns their memory.
  func acknowledge() {
    for payload in memory.takeUnreleased() {
      say(.release(offset: payload.offset), isRequest: false)
    }
    guard let last = deliveries.last else { return }
    say(.acknowledge(through: last.sequence), isRequest: false)
  }

  /// Makes the next request reuse the number of the last request.
  func repeatLastNumber() { lastRequest -= 1 }

  /// Reads the guest's messages from now on.
  func listen() {
    isDeaf = false
    let bytes = untaken
    untaken = []
    bytes.withUnsafeBytes(take)
    supervisor.didDrain(guest)
  }

  /// Answers each wipe call by leaving the deletion to the SDK.
  func answerWipe() {
    for message in heard {
      guard case .delegateCall(let ask, .wipe, _) = message.body else { continue }
      if answered.insert(ask).inserted {
        say(.delegateAnswer(ask: ask, isSuccess: false), isRequest: false)
      }
    }
  }

  /// Returns the outcome of a request; nil while the request waits.
  func outcome(of request: UInt64) -> RequestOutcome? { outcomes[request] }

  /// The delivered items, in order.
  var deliveries: [Delivery] {
    heard.compactMap { if case .delivery(let delivery) = $0.body { delivery } else { nil } }
  }

  // MARK: ProcessHandle

  let takesDescendantsAlong = true
  let parentOfInit: Int32? = nil

  func signalGroup(_ signal: Int32) -> Bool {
    if signal == SIGKILL || signal == SIGTERM { exit = .signal(Int(signal)) }
    return true
  }

  func awaitStop() {}

  func watch() {}

  func endAtOnce() { exit(.signal(9)) }

  /// Ends the process, whatever the guest was asked.
  func exit(_ exit: ChildProcess.Exit) {
    self.exit = exit
    settle()
  }

  /// Ends the process if the guest was killed or asked to stop.
  func settle() {
    if exit == nil, isStopped { exit = .status(0) }
    guard let exit, guest.process.handle === self else { return }
    supervisor.transaction {
      if case .exited = guest.state {} else { supervisor.didExit(guest, exit) }
      if !isHeldOpen { supervisor.didEnd(guest) }
    }
  }

  // MARK: GuestPort

  var unreadBytes: Int? { unread.count }
  var untakenBytes: Int? { 0 }

  func readRest() {
    guard isReading, !unread.isEmpty else { return }
    let bytes = unread
    unread = []
    bytes.withUnsafeBytes { supervisor.router?.didRead($0, from: guest) }
  }

  func readNow(upTo most: Int) -> Int {
    let bytes = Array(unread.prefix(most))
    unread.removeFirst(bytes.count)
    if !bytes.isEmpty { bytes.withUnsafeBytes { supervisor.router?.didRead($0, from: guest) } }
    return bytes.count
  }

  func startReading() { isReading = true }
  func stopReading() { isReading = false }
  func close() { isClosing = true }

  func tryWrite(_ bytes: UnsafeRawBufferPointer) -> Int {
    onWrite()
    guard !isDeaf else { return 0 }
    take(bytes)
    return bytes.count
  }

  func write(_ bytes: UnsafeRawBufferPointer) { untaken += bytes }

  var queuedBytes: Int { untaken.count }

  func send(_ bytes: UnsafeRawBufferPointer, with descriptor: Int32) -> Bool {
    guard !isDeaf else { return false }
    memory.descriptor = descriptor
    take(bytes)
    return true
  }

  private func take(_ bytes: UnsafeRawBufferPointer) {
    do {
      try parser.consume(bytes) { [unowned self] frame in
        let message = try memory.message(frame)
        heard.append(message)
        if case .outcome(let outcome) = message.body, outcomes[message.request] == nil {
          outcomes[message.request] = outcome
        }
        if case .stop = message.body { isStopped = true }
        return .proceed
      }
    } catch {
      fatalError("the device sent an invalid message: \(error)")
    }
  }
}

/// Starts guests in memory.
final class MemoryLauncher: GuestLauncher {
  private(set) var started: [MemoryGuest] = []

  func launch(
    _ guest: Guest, reaching servers: ServerAccess, for supervisor: GuestSupervisor
  ) throws {
    try FileManager.default.createDirectory(
      atPath: guest.container, withIntermediateDirectories: true)
    let memory = MemoryGuest(guest, supervisor)
    guest.process.connection = GuestConnection(
      guest: guest, port: memory, frameLimit: 1 << 20)
    guest.process.handle = memory
    started.append(memory)
  }
}

/// A real device whose guests are in memory.
final class QuietLab {
  let device: Device
  private let launcher = MemoryLauncher()
  private let folder: Workspace

  static let anna = Account(upn: "anna@contoso.com", objectID: "anna", tenantID: "contoso")

  init(_ adjust: (inout DeviceConfiguration) -> Void = { _ in }) throws {
    folder = try Workspace()
    var configuration = DeviceConfiguration(
      name: "quiet", folder: folder.path("device"), programs: .init(guest: "", launch: ""))
    configuration.accounts = [Self.anna]
    configuration.deadlines = .manual
    adjust(&configuration)
    device = try Device(configuration) { [launcher] _, _, _, _ in launcher }
  }

  deinit {
    // No guest remains that would keep the device open, however a test has ended.
    device.guests.stopAll {}
    for guest in launcher.started where guest.guest.isRunning {
      guest.isHeldOpen = false
      guest.exit(.signal(9))
    }
    device.close()
  }

  var services: DeviceServices { device.services }

  /// The journal's events so far.
  var events: [JournalEvent.Kind] {
    get throws {
      try journalText.split(separator: "\n").map { try JournalEvent(line: String($0)).kind }
    }
  }

  var journalText: String {
    get throws {
      device.guests.transaction {}
      return try String(contentsOfFile: device.journalPath, encoding: .utf8)
    }
  }

  var decisions: [RequestDecision] {
    get throws {
      try events.compactMap { if case .decided(let decision) = $0 { decision } else { nil } }
    }
  }

  /// Each exit of a guest in the journal, with its cause.
  var exits: [String] {
    get throws {
      try events.compactMap { event in
        if case .guestExited(let guest, let cause, _) = event { "\(guest) \(cause)" } else { nil }
      }
    }
  }

  /// Installs and starts a guest.
  func app(
    _ name: String, saysHello: Bool = true,
    _ adjust: (inout AppDescription) -> Void = { _ in }
  ) throws -> MemoryGuest {
    var app = AppDescription(name: name, bundleID: "com.example.\(name)")
    adjust(&app)
    try device.install(app)
    let guest = try launch(name)
    if saysHello { guest.sayHello() }
    return guest
  }

  /// Installs and starts an app with the SDK to which Anna is signed in.
  func managed(_ name: String, takingMemory takesMemory: Bool = false) throws -> MemoryGuest {
    var app = AppDescription(name: name, bundleID: "com.example.\(name)", integratesSDK: true)
    app.team = "CONTOSO"
    try device.install(app)
    try device.accounts.presetSignIn(Self.anna, in: name)
    let guest = try launch(name)
    guest.sayHello(takingMemory: takesMemory)
    return guest
  }

  private func launch(_ name: String) throws -> MemoryGuest {
    device.guests.launch([name]) {}
    guard let guest = started(name).last else {
      throw NeverHappened(description: "`\(name)` did not start")
    }
    return guest
  }

  /// Returns the guest's protocol violation; nil if there is none.
  func violation(of guest: MemoryGuest) -> String? {
    guard case .protocolViolation(let why)? = device.guests.exitCause(of: guest.guest.name) else {
      return nil
    }
    return why
  }

  /// Waits for the work of other threads.
  func wait(_ what: String, until condition: () -> Bool) {
    do {
      try waitUntil(what) {
        device.loop.poll()
        for guest in launcher.started { guest.settle() }
        return condition()
      }
    } catch {
      Issue.record(error)
    }
  }

  /// Returns the processes started under a guest's name. The latest process is the last.
  func started(_ name: String) -> [MemoryGuest] {
    launcher.started.filter { $0.guest.name == name }
  }
}

/// The use of lent memory by a guest in memory. The use is correct, or as a test specifies.
final class MemoryOfGuest {
  private(set) var outbox: SharedRegion?
  private(set) var inbox: SharedRegion?
  /// A descriptor that came with the next message.
  var descriptor: Int32 = -1
  /// The payload location that the guest claims instead of the real one; nil for the real one.
  var claim: ((UnsafeRawBufferPointer) -> SharedBytes?)?
  /// Payloads in the inbox that were not returned.
  private(set) var unreleased: [SharedBytes] = []
  private var window: SharedWindow?
  private var blocks = BlockAllocator(0, alignment: SharedBytes.alignment)

  /// Writes a payload to the outbox. Returns nil if there is no outbox or no space.
  func place(_ payload: UnsafeRawBufferPointer) -> SharedBytes? {
    if let claim { return claim(payload) }
    guard let outbox, let offset = blocks.allocate(payload.count) else { return nil }
    UnsafeMutableRawBufferPointer(rebasing: outbox.bytes[offset..<(offset + payload.count)])
      .copyMemory(from: payload)
    return SharedBytes(offset: offset, count: payload.count)
  }

  func message(_ frame: UnsafeRawBufferPointer) throws -> HostMessage {
    let message = try HostMessage(frame, arena: Arena(), inbox: window)
    unreleased += window?.named ?? []
    if case .sharedMemory(let use, let count) = message.body {
      switch use {
      case .outbox:
        outbox = try SharedRegion.adopt(descriptor, count, for: .writing)
        blocks = BlockAllocator(count, alignment: SharedBytes.alignment)
      case .inbox:
        let region = try SharedRegion.adopt(descriptor, count, for: .reading)
        inbox = region
        window = SharedWindow(UnsafeRawBufferPointer(region.bytes), limit: count)
      }
    }
    if case .release(let offset) = message.body {
      let wasTaken = blocks.release(offset)
      #expect(claim != nil || wasTaken, "the host released memory that this guest had not used")
    }
    return message
  }

  func takeUnreleased() -> [SharedBytes] {
    defer { unreleased = [] }
    return unreleased
  }
}
