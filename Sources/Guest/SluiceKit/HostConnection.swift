internal import EventLoop
internal import Wire

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
