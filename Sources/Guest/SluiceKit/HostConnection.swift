internal import EventLoop
internal import Wire

#if canImport(Glibc)
  internal import Glibc
#endif

/// The connection to the host: this process's pipe or, in tests, an in-memory substitute.
protocol HostPort: AnyObject {
  /// Sends a message that has no answer.
  func send(_ body: GuestMessage.Body)

  /// Sends a request and returns its number.
  ///
  /// - Parameters:
  ///   - task: The task's identity. If nil, file requests use the process's identity, and other requests use the
  ///     guest's acting identity.
  ///   - sources: The numbers of the items from which the request's content was made.
  @discardableResult
  func request(
    _ body: GuestMessage.Body, as task: TaskContext?, madeOf sources: [UInt64],
    _ completion: @escaping (RequestOutcome) -> Void
  ) -> UInt64

  /// Postpones the acknowledgement of the current delivery until ``finishAcknowledgement()`` is called. If this
  /// function is called several times, ``finishAcknowledgement()`` must be called as many times.
  func postponeAcknowledgement()
  func finishAcknowledgement()

  /// Runs `body` on a separate thread, and then calls `finish` with the result on this thread.
  func work<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value, then finish: @escaping (Value) -> Void)
}

extension HostPort {
  @discardableResult
  func request(
    _ body: GuestMessage.Body, as task: TaskContext?,
    _ completion: @escaping (RequestOutcome) -> Void
  ) -> UInt64 { request(body, as: task, madeOf: [], completion) }

  /// Sends a request with the current thread identity, if any.
  ///
  /// - Parameter window: The window of the task; nil for the front window.
  @discardableResult
  func request(
    _ body: GuestMessage.Body, in window: String? = nil,
    _ completion: @escaping (RequestOutcome) -> Void
  ) -> UInt64 {
    let task = TaskContext(thread: ThreadIdentity.current.accountID, window: window ?? "")
    return request(body, as: task.isEmpty ? nil : task, completion)
  }
}

extension TaskContext {
  /// The task context with the identity of the current thread; nil if the thread has none.
  static var present: TaskContext? {
    ThreadIdentity.current.accountID.map { TaskContext(thread: $0) }
  }
}

// MARK: - Connection

/// The guest's end of the pipe. It sends requests, receives outcomes, and acknowledges deliveries.
final class HostConnection: HostPort {
  let welcome: Welcome
  let loop: EventLoop
  private let pipe: Pipe
  private let arena = Arena(capacity: 16 * 1024)
  private let memory = PayloadMemory()
  private var parser: FrameParser
  private var outgoing = FrameBuffer()
  private var requests = OpenRequests()
  private var receipts = Receipts()
  private var handler: ((HostMessage) -> Void)?
  /// Called after the last message has been handled, before the connection closes.
  var willEnd: (() -> Void)?
  /// Messages that arrived before ``run(_:)``.
  private var early: [HostMessage] = []

  /// The read size in bytes. It is small because a device runs many guests.
  private static let readSize = 32 * 1024

  init(
    hello: Hello, on descriptor: Int32 = ProtocolVersion.descriptor
  ) throws(ConnectionError) {
    do {
      loop = try EventLoop(readSize: Self.readSize)
      pipe = try Pipe(on: loop, taking: .bytesAndDescriptors)
      try pipe.open(descriptor)
    } catch {
      throw .noHost(error.reason)
    }
    var handshake = Handshake()
    parser = FrameParser()
    var hello = hello
    hello.takesMemory = true
    outgoing.append(GuestMessage(.hello(hello)), using: arena)
    welcome = try handshake.perform(loop, pipe, &outgoing, &parser, arena, memory)
    arena.placement = { [memory] in memory.place($0) }
    early = handshake.early
    parser.limit = welcome.frameLimit
  }

  /// Handles messages until the host requests a stop or disconnects, and then closes the
  /// connection.
  func run(_ handler: @escaping (HostMessage) -> Void) {
    self.handler = handler
    pipe.onRead = { [unowned self] bytes in didRead(bytes) }
    pipe.onEnd = { [loop] _ in loop.stop() }
    pipe.onDrain = { [unowned self] in flush() }
    isHandlingRead = true
    for message in early { handle(message) }
    isHandlingRead = false
    early = []
    acknowledge()
    flush()
    if (try? pipe.startReading()) != nil { loop.run() }
    willEnd?()
    flush()
    if isFinishing { finishSending() }
    loop.close()
  }

  /// Whether ``run(_:)`` waits until all output has been sent.
  private var isFinishing = false

  /// Sends a last message, and makes ``run(_:)`` return after all output has been sent.
  func finish(with body: GuestMessage.Body) {
    isFinishing = true
    outgoing.append(GuestMessage(body), using: arena)
    loop.stop()
  }

  private func finishSending() {
    pipe.stopReading()
    while !outgoing.isEmpty || pipe.queuedBytes > 0 {
      loop.runOnce()
      flush()
    }
  }

  func send(_ body: GuestMessage.Body) {
    outgoing.append(GuestMessage(body), using: arena)
    flushWhenIdle()
  }

  @discardableResult
  func request(
    _ body: GuestMessage.Body, as task: TaskContext?, madeOf sources: [UInt64],
    _ completion: @escaping (RequestOutcome) -> Void
  ) -> UInt64 {
    let number = requests.open(completion)
    outgoing.append(
      GuestMessage(request: number, body, task: task, from: sources), using: arena)
    flushWhenIdle()
    return number
  }

  func work<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value, then finish: @escaping (Value) -> Void
  ) {
    loop.work(body, then: finish)
  }

  /// Calls `body` after the delay, or immediately if no timer can be created.
  func after(milliseconds: UInt64, _ body: @escaping () -> Void) {
    var fired: Timer?
    let timer = try? Timer(on: loop) {
      fired?.close()
      fired = nil
      body()
    }
    guard let timer else { return body() }
    fired = timer
    timer.start(after: milliseconds)
  }

  private var isHandlingRead = false

  private func didRead(_ bytes: UnsafeRawBufferPointer) {
    isHandlingRead = true
    do {
      try parser.consume(bytes) { frame in
        handle(try memory.message(frame, from: pipe, arena: arena))
        return .proceed
      }
    } catch {
      loop.stop()
    }
    isHandlingRead = false
    acknowledge()
    flush()
  }

  private func handle(_ message: HostMessage) {
    switch message.body.recipient {
    case .request(let outcome): requests.close(message.request)?(outcome)
    case .loop: loop.stop()
    case .application(let receipt):
      if let receipt { receipts.receive(receipt) }
      handler?(message)
    // These messages were handled when they were decoded.
    case .handshake, .memory: break
    }
  }

  func postponeAcknowledgement() { receipts.postpone() }

  func finishAcknowledgement() {
    receipts.finish()
    // During a read, the acknowledgement is sent at its end.
    guard !isHandlingRead else { return }
    acknowledge()
    flush()
  }

  /// Acknowledges, with one message, all deliveries that one read contained. Releases their shared memory.
  private func acknowledge() {
    for offset in memory.takeCopied() {
      outgoing.append(GuestMessage(.release(offset: offset)), using: arena)
    }
    guard let sequence = receipts.acknowledge() else { return }
    outgoing.append(GuestMessage(.acknowledge(through: sequence)), using: arena)
  }

  /// Sends buffered messages, unless a read is being handled: messages from the read's callbacks are sent together at
  /// its end.
  private func flushWhenIdle() {
    if !isHandlingRead, handler != nil { flush() }
  }

  private func flush() {
    guard !outgoing.isEmpty, pipe.queuedBytes == 0 else { return }
    do throws(EventLoopError) {
      let written = try pipe.tryWrite(outgoing.bytes)
      if written < outgoing.count {
        try pipe.write(UnsafeRawBufferPointer(rebasing: outgoing.bytes[written...]))
      }
    } catch {
      loop.stop()
    }
    outgoing.removeAll()
  }
}

// MARK: - Handshake

/// The exchange of hello and welcome, which precedes all other messages.
private struct Handshake {
  private(set) var early: [HostMessage] = []

  enum Answer {
    case welcome(Welcome)
    case rejected(reason: String)
  }

  mutating func perform(
    _ loop: EventLoop, _ pipe: Pipe, _ outgoing: inout FrameBuffer, _ parser: inout FrameParser,
    _ arena: Arena, _ memory: PayloadMemory
  ) throws(ConnectionError) -> Welcome {
    var messages: [HostMessage] = []
    var failure: String?
    var incoming = FrameParser()
    pipe.onRead = { bytes in
      do {
        try incoming.consume(bytes) { frame in
          messages.append(try memory.message(frame, from: pipe, arena: arena))
          return .proceed
        }
      } catch {
        failure = "\(error)"
      }
    }
    pipe.onEnd = { error in failure = error?.reason ?? "it closed the connection" }
    do throws(EventLoopError) {
      try pipe.startReading()
      try pipe.write(outgoing.bytes)
    } catch {
      throw .noHost(error.reason)
    }
    outgoing.removeAll()
    while messages.isEmpty, failure == nil { loop.runOnce() }
    pipe.stopReading()
    parser = incoming
    guard let first = messages.first else { throw .lost(failure ?? "") }
    early = Array(messages.dropFirst())
    guard case .handshake(let answer) = first.body.recipient else {
      throw .lost("the host answered the handshake with another message")
    }
    switch answer {
    case .welcome(let welcome): return welcome
    case .rejected(let reason): throw .rejected(reason)
    }
  }
}

// MARK: - Recipients

/// The part of a guest that handles a message from the host.
private enum MessageRecipient {
  case handshake(Handshake.Answer)
  case memory(PayloadMemory.Change)
  /// The completion of the request that the message answers.
  case request(RequestOutcome)
  /// The event loop. The message stops it.
  case loop
  /// The app. `receipt` is the sequence number of a delivery to acknowledge; nil for other messages.
  case application(receipt: UInt64?)
}

extension HostMessage.Body {
  fileprivate var recipient: MessageRecipient {
    switch self {
    case .welcome(let welcome): .handshake(.welcome(welcome))
    case .rejected(let reason): .handshake(.rejected(reason: reason))
    case .sharedMemory(let use, let count): .memory(.lent(use, count: count))
    case .release(let offset): .memory(.released(offset: offset))
    case .outcome(let outcome): .request(outcome)
    case .stop: .loop
    case .delivery(let delivery): .application(receipt: delivery.sequence)
    case .openedURL(let sequence, _, _, _): .application(receipt: sequence)
    case .extensionRequest, .loadProgress, .provideRepresentation, .cancelProvide, .provideItem,
      .identitySwitchRequired, .identityChanged, .delegateCall, .notice, .enrollmentNotice,
      .complianceNotice, .enrolledAccounts, .appConfiguration, .perform, .clockAdvanced,
      .managedAppChanged:
      .application(receipt: nil)
    }
  }
}

// MARK: - Requests and receipts

private struct OpenRequests {
  private var next: UInt64 = 1
  private var completions: [UInt64: (RequestOutcome) -> Void] = [:]

  mutating func open(_ completion: @escaping (RequestOutcome) -> Void) -> UInt64 {
    defer { next += 1 }
    completions[next] = completion
    return next
  }

  mutating func close(_ number: UInt64) -> ((RequestOutcome) -> Void)? {
    completions.removeValue(forKey: number)
  }
}

/// The deliveries that were received and acknowledged. An acknowledgement covers all deliveries up
/// to a number.
private struct Receipts {
  private var received: UInt64 = 0
  private var acknowledged: UInt64 = 0
  /// The number of ``postpone()`` calls without a matching ``finish()`` call.
  private var unfinished = 0

  mutating func receive(_ sequence: UInt64) { received = sequence }

  /// Postpones acknowledgements until ``finish()`` is called. If this function is called several times, ``finish()``
  /// must be called as many times.
  mutating func postpone() { unfinished += 1 }

  mutating func finish() { unfinished -= 1 }

  /// Returns the highest sequence number to acknowledge now; nil if there is nothing to acknowledge.
  mutating func acknowledge() -> UInt64? {
    guard received > acknowledged, unfinished == 0 else { return nil }
    acknowledged = received
    return received
  }
}

// MARK: - Memory

/// The memory shared with the host, which carries large payloads in both directions.
private final class PayloadMemory {
  private var outbox: SharedRegion?
  private var blocks: BlockAllocator?
  private var inbox: SharedRegion?
  /// A read-only view of the inbox; nil if there is no inbox.
  private var window: SharedWindow?
  /// The inbox offsets of payloads that this process has copied but not yet released to the host.
  private var copied: [Int] = []
  /// The maximum size of a payload in shared memory, in bytes.
  private var limit = ProtocolVersion.defaultFrameLimit

  /// A change by the host to the shared memory.
  enum Change {
    /// The host lent a region of `count` bytes. Its descriptor accompanies the message.
    case lent(SharedMemoryUse, count: Int)
    /// The host has read the payload at this offset of the outbox.
    case released(offset: Int)
  }

  /// The number of freed bytes that a process with large payloads retains for reuse.
  private static let freedMemory = 8 << 20
  /// The part of a frame that is reserved for everything but the payload, in bytes.
  private static let frameMargin = 64 * 1024

  /// Decodes a message from `pipe`, and applies its changes to the shared memory.
  ///
  /// - Throws: ``WireError`` if the frame is malformed, a descriptor is missing, or the inbox cannot be mapped.
  func message(
    _ frame: UnsafeRawBufferPointer, from pipe: Pipe, arena: Arena
  ) throws(WireError) -> HostMessage {
    let message = try HostMessage(frame, arena: arena, inbox: window)
    if let window { for payload in window.named { copied.append(payload.offset) } }
    switch message.body.recipient {
    case .handshake(.welcome(let welcome)): limit = welcome.frameLimit - Self.frameMargin
    case .memory(.lent(let use, let count)):
      guard adopt(use, count, pipe.takeDescriptor()) else {
        throw .malformedMessage(length: frame.count)
      }
    case .memory(.released(let offset)): _ = blocks?.release(offset)
    case .handshake(.rejected), .request, .loop, .application: break
    }
    return message
  }

  private func adopt(_ use: SharedMemoryUse, _ count: Int, _ descriptor: Int32?) -> Bool {
    guard let descriptor else { return false }
    defer { close(descriptor) }
    FreedMemory.keep(upTo: Self.freedMemory)
    switch use {
    case .outbox:
      // If the memory cannot be mapped, payloads are still sent inline.
      outbox = try? SharedRegion.adopt(descriptor, count, for: .writing)
      blocks = BlockAllocator(count, alignment: SharedBytes.alignment)
      return true
    case .inbox:
      inbox = try? SharedRegion.adopt(descriptor, count, for: .reading)
      window = inbox.map { SharedWindow(UnsafeRawBufferPointer($0.bytes), limit: count) }
      return inbox != nil
    }
  }

  /// Copies a payload into the outbox; returns nil if there is no outbox or no room, or the payload is too large.
  func place(_ payload: UnsafeRawBufferPointer) -> SharedBytes? {
    guard payload.count <= limit, let outbox, let offset = blocks?.allocate(payload.count) else {
      return nil
    }
    let place = SharedBytes(offset: offset, count: payload.count)
    UnsafeMutableRawBufferPointer(rebasing: outbox.bytes[offset..<(offset + payload.count)])
      .copyMemory(from: payload)
    return place
  }

  func takeCopied() -> [Int] {
    guard !copied.isEmpty else { return [] }
    defer { copied.removeAll() }
    return copied
  }
}

// MARK: - Errors

/// A failure to connect to the host, or a lost connection.
public enum ConnectionError: Error, Sendable, CustomStringConvertible {
  /// Descriptor 3 is not a usable connection, usually because no host started the process. The associated value is
  /// the system's reason.
  case noHost(String)
  /// The host rejected this process. The associated value is the host's reason.
  case rejected(String)
  /// The host disconnected or sent an invalid message. The associated value is the reason.
  case lost(String)

  public var description: String {
    switch self {
    case .noHost(let why):
      "file descriptor \(ProtocolVersion.descriptor) is not a connection to a host: \(why)"
    case .rejected(let why): "the host refuses this process: \(why)"
    case .lost(let why): "the connection to the host is lost: \(why)"
    }
  }
}
