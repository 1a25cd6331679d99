internal import EventLoop
internal import Wire

#if canImport(Glibc)
  internal import Glibc
#endif

/// The connection to the host: the pipe of this process, or an in-memory stand-in for tests.
protocol HostPort: AnyObject {
  /// Sends a message that wants no answer.
  func send(_ body: GuestMessage.Body)

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - task: the identity that the task acts for; nil for the one that the process acts for.
  ///   - sources: numbers of the items that what the request moves was made of.
  /// - Returns: the number of the request.
  @discardableResult
  func request(
    _ body: GuestMessage.Body, as task: TaskContext?, madeOf sources: [UInt64],
    _ completion: @escaping (RequestOutcome) -> Void
  ) -> UInt64

  /// Confirms the present delivery only once the returned function is called.
  func postponeAcknowledgement() -> () -> Void

  /// Runs `body` on a thread of its own, and then `finish` with its value on this one.
  func work<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value, then finish: @escaping (Value) -> Void)
}

extension HostPort {
  /// Sends a request that moves nothing that was made of other items, as far as is known.
  @discardableResult
  func request(
    _ body: GuestMessage.Body, as task: TaskContext?,
    _ completion: @escaping (RequestOutcome) -> Void
  ) -> UInt64 { request(body, as: task, madeOf: [], completion) }

  /// Sends a request under the identity of the present thread, where it has one.
  ///
  /// - Parameter window: the window that the task belongs to; nil for the one in front.
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
  /// The context of the present thread's identity; nil where the thread has none.
  static var present: TaskContext? {
    ThreadIdentity.current.accountID.map { TaskContext(thread: $0) }
  }
}

// MARK: - Connection

/// A guest's end of the pipe: requests out, answers in, deliveries acknowledged.
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
  /// Called when no more messages are handled, while there still is a connection.
  var willEnd: (() -> Void)?
  /// The messages from before ``run(_:)``.
  private var early: [HostMessage] = []

  /// The number of bytes that a guest reads at once: guests are many, and their memory counts.
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

  /// Handles messages until the host orders a stop or goes away, then closes everything.
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

  /// Whether ``run(_:)`` ends only when everything that was sent has arrived.
  private var isFinishing = false

  /// Sends one last message, after which ``run(_:)`` returns, when the host has taken everything.
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

  /// - Returns: the number of the request.
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

  /// Runs `body` on a thread of its own, and then `finish` with its value on this one.
  func work<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value, then finish: @escaping (Value) -> Void
  ) {
    loop.work(body, then: finish)
  }

  /// Calls `body` later; at once where the loop has no memory for a timer.
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
        return .goOn
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
    // Handled when the message was decoded.
    case .handshake, .memory: break
    }
  }

  func postponeAcknowledgement() -> () -> Void {
    receipts.postpone()
    return { [unowned self] in
      receipts.finish()
      // At the end of a read it comes by itself.
      guard !isHandlingRead else { return }
      acknowledge()
      flush()
    }
  }

  /// Sends one acknowledgement for all deliveries of a read, and gives back the memory that they came in.
  private func acknowledge() {
    for offset in memory.takeCopied() {
      outgoing.append(GuestMessage(.release(offset: offset)), using: arena)
    }
    guard let sequence = receipts.acknowledge() else { return }
    outgoing.append(GuestMessage(.acknowledge(through: sequence)), using: arena)
  }

  /// Sends now, except within a read: messages from callbacks go out together at its end.
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

/// The handshake: hello out, welcome in, before anything else.
private struct Handshake {
  private(set) var early: [HostMessage] = []

  /// The host's answer to a hello.
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
          return .goOn
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
      throw .lost("it answered the handshake with something else")
    }
    switch answer {
    case .welcome(let welcome): return welcome
    case .rejected(let reason): throw .rejected(reason)
    }
  }
}

// MARK: - Recipients

/// The part of a guest that handles a message of the host.
private enum MessageRecipient {
  case handshake(Handshake.Answer)
  case memory(PayloadMemory.Change)
  /// The request whose number the message bears.
  case request(RequestOutcome)
  /// The event loop, which stops.
  case loop
  /// The app. `receipt` is the number of a delivery, which the guest acknowledges; nil for other messages.
  case application(receipt: UInt64?)
}

extension HostMessage.Body {
  /// The part of the guest that handles the message.
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

/// The requests that wait for their outcomes, by their numbers.
private struct OpenRequests {
  private var next: UInt64 = 1
  private var completions: [UInt64: (RequestOutcome) -> Void] = [:]

  /// Returns the number of a new request.
  mutating func open(_ completion: @escaping (RequestOutcome) -> Void) -> UInt64 {
    defer { next += 1 }
    completions[next] = completion
    return next
  }

  /// Returns the function that takes the outcome of a request; nil where no such request waits.
  mutating func close(_ number: UInt64) -> ((RequestOutcome) -> Void)? {
    completions.removeValue(forKey: number)
  }
}

/// The deliveries that have come, and those of them that are acknowledged: all up to a number.
private struct Receipts {
  private var received: UInt64 = 0
  private var acknowledged: UInt64 = 0
  /// The number of deliveries that have not been dealt with.
  private var unfinished = 0

  mutating func receive(_ sequence: UInt64) { received = sequence }

  /// Puts acknowledgements off until ``finish()``; several nest.
  mutating func postpone() { unfinished += 1 }

  mutating func finish() { unfinished -= 1 }

  /// Returns the number up to which deliveries are to be acknowledged now; nil where there is nothing to acknowledge.
  mutating func acknowledge() -> UInt64? {
    guard received > acknowledged, unfinished == 0 else { return nil }
    acknowledged = received
    return received
  }
}

// MARK: - Memory

/// The memory that the host has lent this process: large payloads are put there for the host, and found there.
private final class PayloadMemory {
  private var outbox: SharedRegion?
  private var blocks: BlockAllocator?
  private var inbox: SharedRegion?
  /// The inbox, for reading.
  private var window: SharedWindow?
  /// The offsets of payloads in the inbox that were copied, and that the host has not been told of.
  private var copied: [Int] = []
  /// Largest payload that goes through memory, in bytes.
  private var limit = ProtocolVersion.defaultFrameLimit

  /// A change of the memory that the host has made.
  enum Change {
    /// Memory of `count` bytes, whose descriptor comes with the message.
    case lent(SharedMemoryUse, count: Int)
    /// The host has read the payload at that offset of the outbox.
    case released(offset: Int)
  }

  /// Bytes of freed memory that a process with large payloads keeps for them.
  private static let freedMemory = 8 << 20
  /// The room in a frame for what is not payload.
  private static let frameMargin = 64 * 1024

  /// Decodes a message that has come through `pipe`, and takes in what it says of memory.
  ///
  /// - Throws: ``WireError`` where the frame holds no message, or the memory that it is about cannot be mapped.
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
      // Without it, payloads go on inline.
      outbox = try? SharedRegion.adopt(descriptor, count, for: .writing)
      blocks = BlockAllocator(count, alignment: SharedBytes.alignment)
      return true
    case .inbox:
      inbox = try? SharedRegion.adopt(descriptor, count, for: .reading)
      window = inbox.map { SharedWindow(UnsafeRawBufferPointer($0.bytes), limit: count) }
      return inbox != nil
    }
  }

  /// Puts a payload into the outbox; nil where there is no room.
  func place(_ payload: UnsafeRawBufferPointer) -> SharedBytes? {
    guard payload.count <= limit, let outbox, let offset = blocks?.allocate(payload.count) else {
      return nil
    }
    let place = SharedBytes(offset: offset, count: payload.count)
    UnsafeMutableRawBufferPointer(rebasing: outbox.bytes[offset..<(offset + payload.count)])
      .copyMemory(from: payload)
    return place
  }

  /// Returns the offsets in the inbox that the host is to be told of.
  func takeCopied() -> [Int] {
    guard !copied.isEmpty else { return [] }
    defer { copied.removeAll() }
    return copied
  }
}

// MARK: - Errors

/// The reason why there is no host to talk to.
public enum ConnectionError: Error, Sendable, CustomStringConvertible {
  /// Descriptor 3 is no connection: the process was not started by a host.
  case noHost(String)
  /// The host refuses this process.
  case rejected(String)
  /// The host went away, or sent something that makes no sense.
  case lost(String)

  public var description: String {
    switch self {
    case .noHost(let why): "no host on descriptor \(ProtocolVersion.descriptor): \(why)"
    case .rejected(let why): "the host refuses this process: \(why)"
    case .lost(let why): "the host is gone: \(why)"
    }
  }
}
