internal import CSpawn
internal import CUV

#if canImport(Glibc)
  internal import Glibc
#endif

/// One end of a two-way byte stream between processes.
public final class Pipe: Handle {
  /// Called with the bytes of one read; they are gone when it returns.
  public var onRead: ((UnsafeRawBufferPointer) -> Void)?
  /// Called once when the other end is closed, or reading fails with the error given.
  public var onEnd: ((EventLoopError?) -> Void)?
  /// Called when all queued bytes have been written.
  public var onDrain: (() -> Void)?
  /// Whether reads are being delivered.
  public private(set) var isReading = false

  /// The content that a pipe takes in.
  public enum Content: Sendable {
    case bytes
    /// Bytes, and descriptors that come with them: see ``takeDescriptor()``.
    case bytesAndDescriptors
  }

  /// Makes a pipe that is not connected yet: ``ChildProcess`` connects it, or ``open(_:)``.
  ///
  /// - Throws: ``EventLoopError`` where the system refuses.
  public init(on loop: EventLoop, taking content: Content = .bytes) throws(EventLoopError) {
    super.init(UV_NAMED_PIPE, on: loop)
    let takesDescriptors: Int32 = content == .bytes ? 0 : 1
    try EventLoopError.check(.openPipe, uv_pipe_init(loop.raw, pipe, takesDescriptors))
    adopt()
  }

  /// Makes a pipe for a child's output, and the descriptor that the child is to write to.
  ///
  /// The descriptor belongs to the caller, who closes it once the child has it.
  ///
  /// - Throws: ``EventLoopError`` where the system refuses.
  public static func capture(
    on loop: EventLoop
  ) throws(EventLoopError) -> (pipe: Pipe, childEnd: Int32) {
    var ends: (uv_file, uv_file) = (-1, -1)
    let code = withUnsafeMutablePointer(to: &ends) {
      $0.withMemoryRebound(to: uv_file.self, capacity: 2) {
        uv_pipe($0, Int32(UV_NONBLOCK_PIPE.rawValue), 0)
      }
    }
    try EventLoopError.check(.openPipe, code)
    var made: Pipe?
    do throws(EventLoopError) {
      let pipe = try Pipe(on: loop)
      made = pipe
      try pipe.open(ends.0)
      return (pipe, ends.1)
    } catch {
      made?.close()
      Glibc.close(ends.0)
      Glibc.close(ends.1)
      throw error
    }
  }

  private var pipe: UnsafeMutablePointer<uv_pipe_t> {
    memory.assumingMemoryBound(to: uv_pipe_t.self)
  }
  fileprivate var stream: UnsafeMutablePointer<uv_stream_t> { cuv_stream(memory) }

  /// Takes over a descriptor that is already connected.
  ///
  /// - Throws: ``EventLoopError`` where the system refuses.
  public func open(_ descriptor: Int32) throws(EventLoopError) {
    try EventLoopError.check(.openPipe, uv_pipe_open(pipe, descriptor))
  }

  /// Starts to deliver reads; nothing where it does already, or the pipe is closing.
  ///
  /// - Throws: ``EventLoopError`` where the system refuses.
  public func startReading() throws(EventLoopError) {
    guard !isClosing, !isReading else { return }
    let code = uv_read_start(
      stream,
      { raw, _, buffer in
        let shared = Handle.of(raw).loop.readBuffer
        buffer?.pointee = uv_buf_init(
          shared.baseAddress?.assumingMemoryBound(to: CChar.self), UInt32(shared.count))
      },
      { raw, count, _ in (Handle.of(raw) as? Pipe)?.didRead(count) })
    try EventLoopError.check(.read, code)
    isReading = true
  }

  /// Stops delivering reads.
  public func stopReading() {
    guard isReading else { return }
    isReading = false
    uv_read_stop(stream)
  }

  /// Reads at once all that the other end has written until now, unless ``onRead`` stops it: for a pipe that is about
  /// to be closed, or a deadline that has passed.
  public func readRest() {
    var descriptor: uv_os_fd_t = -1
    guard isReading, uv_fileno(raw, &descriptor) == 0 else { return }
    // As much as a pipe holds, should the other end go on writing.
    for _ in 0..<16 where isReading {
      let count = Glibc.read(descriptor, loop.readBuffer.baseAddress, loop.readBuffer.count)
      guard count != 0 else { return didRead(Int(UV_EOF.rawValue)) }
      guard count > 0 else { return }
      onRead?(UnsafeRawBufferPointer(rebasing: loop.readBuffer[..<count]))
    }
  }

  /// Reads at once what the other end has written until now, whether or not reads are being delivered.
  ///
  /// - Parameter most: the largest number of bytes; one read delivers ``EventLoop/readSize`` of them at most.
  /// - Returns: the number of bytes that ``onRead`` got; 0 where there are none.
  public func readNow(upTo most: Int) -> Int {
    var descriptor: uv_os_fd_t = -1
    guard !isClosing, most > 0, uv_fileno(raw, &descriptor) == 0 else { return 0 }
    let buffer = UnsafeMutableRawBufferPointer(rebasing: loop.readBuffer.prefix(most))
    let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    guard count != 0 else {
      didRead(Int(UV_EOF.rawValue))
      return 0
    }
    guard count > 0 else { return 0 }
    onRead?(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    return count
  }

  /// The number of bytes that the other end has written and this one has not read; nil where the system does not tell.
  public var unreadBytes: Int? { count(UInt(FIONREAD)) }

  /// The least number of bytes that this end has written and the other one has not read; some are the kernel's own
  /// overhead. nil where the system does not tell.
  public var untakenBytes: Int? { count(UInt(TIOCOUTQ)) }

  private func count(_ request: UInt) -> Int? {
    var descriptor: uv_os_fd_t = -1
    var count: Int32 = 0
    guard !isClosing, uv_fileno(raw, &descriptor) == 0, ioctl(descriptor, request, &count) == 0
    else { return nil }
    return Int(count)
  }

  private func didRead(_ count: Int) {
    if count > 0 {
      onRead?(UnsafeRawBufferPointer(rebasing: loop.readBuffer[..<count]))
    } else if count < 0 {
      stopReading()
      let isEnd = count == Int(UV_EOF.rawValue) || count == -Int(ECONNRESET)
      onEnd?(isEnd ? nil : EventLoopError(.read, Int32(count)))
    }
  }

  /// Writes as much as the kernel takes now, and nothing while earlier bytes are queued.
  ///
  /// - Returns: the number of bytes taken, 0 to `bytes.count`.
  /// - Throws: ``EventLoopError`` where the pipe is closing or the system refuses.
  public func tryWrite(_ bytes: UnsafeRawBufferPointer) throws(EventLoopError) -> Int {
    guard !isClosing else { throw EventLoopError(.write, -EPIPE) }
    var buffer = uv_buf_init(
      UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: CChar.self)),
      UInt32(clamping: min(bytes.count, Int(Int32.max))))
    let written = uv_try_write(stream, &buffer, 1)
    if written == -EAGAIN { return 0 }
    try EventLoopError.check(.write, written)
    return Int(written)
  }

  /// Sends `bytes`, and with the first of them a descriptor, which stays the caller's.
  ///
  /// - Returns: false, and nothing has been sent, where that cannot be done at once.
  public func send(_ bytes: UnsafeRawBufferPointer, with descriptor: Int32) -> Bool {
    var own: uv_os_fd_t = -1
    guard !isClosing, queuedBytes == 0, uv_fileno(raw, &own) == 0 else { return false }
    let sent = cuv_send_descriptor(own, bytes.baseAddress, bytes.count, descriptor)
    guard sent > 0 else { return false }
    if sent < bytes.count {
      // A pipe that is at its end takes no more, and its end is told elsewhere.
      try? write(UnsafeRawBufferPointer(rebasing: bytes[sent...]))
    }
    return true
  }

  /// The first descriptor that has come and was not taken yet, which belongs to the caller; nil where there is none.
  ///
  /// It comes with the first byte that it was sent with, or earlier.
  public func takeDescriptor() -> Int32? {
    guard uv_pipe_pending_count(pipe) > 0, let holder = try? Pipe(on: loop) else { return nil }
    defer { holder.close() }
    var descriptor: uv_os_fd_t = -1
    guard uv_accept(stream, holder.stream) == 0, uv_fileno(holder.raw, &descriptor) == 0
    else { return nil }
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    return copy >= 0 ? copy : nil
  }

  /// Queues `bytes` for writing; ``onDrain`` is called when all queued bytes have gone out.
  ///
  /// - Throws: ``EventLoopError`` where the pipe is closing or the system refuses.
  public func write(_ bytes: UnsafeRawBufferPointer) throws(EventLoopError) {
    guard !isClosing else { throw EventLoopError(.write, -EPIPE) }
    let code = WriteRequest.start(bytes, on: stream) { [weak self] in
      guard let self else { return }
      loop.callbackCount &+= 1
      guard !isClosing, queuedBytes == 0 else { return }
      onDrain?()
    }
    try EventLoopError.check(.write, code)
  }

  /// The number of bytes that wait in the process because the kernel takes no more.
  public var queuedBytes: Int { uv_stream_get_write_queue_size(stream) }

  override func willClose() {
    isReading = false
    onRead = nil
    onEnd = nil
    onDrain = nil
  }
}

/// Bytes on their way to the other end: they must outlive the call that queues them.
private final class WriteRequest {
  private let request = UnsafeMutablePointer<uv_write_t>.allocate(capacity: 1)
  private let bytes: UnsafeMutableRawBufferPointer
  private let onEnd: () -> Void

  private init(_ source: UnsafeRawBufferPointer, _ onEnd: @escaping () -> Void) {
    bytes = .allocate(byteCount: source.count, alignment: 1)
    bytes.copyMemory(from: source)
    self.onEnd = onEnd
  }

  deinit {
    request.deallocate()
    bytes.deallocate()
  }

  static func start(
    _ source: UnsafeRawBufferPointer, on stream: UnsafeMutablePointer<uv_stream_t>,
    _ onEnd: @escaping () -> Void
  ) -> Int32 {
    let write = WriteRequest(source, onEnd)
    let retained = Unmanaged.passRetained(write)
    write.request.pointee.data = retained.toOpaque()
    var buffer = uv_buf_init(
      write.bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt32(write.bytes.count))
    let code = uv_write(write.request, stream, &buffer, 1) { request, _ in
      guard let data = request?.pointee.data else { return }
      Unmanaged<WriteRequest>.fromOpaque(data).takeRetainedValue().onEnd()
    }
    if code < 0 { retained.release() }
    return code
  }
}

// MARK: - Unix sockets

/// A Unix socket at a path that only this process's user may connect to.
///
/// Its file is removed when it is closed.
public final class Listener: Handle {
  private var onConnection: ((Pipe) -> Void)?
  private let mostInTurn: Int
  /// The number of connections that were taken in this turn.
  private var takenInTurn = 0
  /// Whether libuv holds a connection that is left for the next turn.
  private var hasPending = false

  /// Longest path in bytes (`sun_path` in unix(7), with its end).
  public static let longestPath = 107

  /// Listens at a path.
  ///
  /// - Parameters:
  ///   - path: the path, at which there is nothing yet.
  ///   - mostInTurn: the number of connections that are taken before other handles of the loop, and of the one that it
  ///     is embedded in, have their turn; nil: all that come. With a number the loop is run by
  ///     ``EventLoop/runOnce()`` or ``EventLoop/settle(limit:)``.
  ///   - onConnection: gets each new connection, which does not read yet.
  /// - Throws: ``EventLoopError``, with EADDRINUSE where something is at the path.
  public init(
    at path: String, on loop: EventLoop, mostInTurn: Int? = nil,
    _ onConnection: @escaping (Pipe) -> Void
  ) throws(EventLoopError) {
    self.onConnection = onConnection
    self.mostInTurn = mostInTurn ?? .max
    super.init(UV_NAMED_PIPE, on: loop)
    guard path.utf8.count <= Self.longestPath else {
      throw EventLoopError(.listen, -ENAMETOOLONG)
    }
    try EventLoopError.check(.listen, uv_pipe_init(loop.raw, pipe, 0))
    adopt()
    do throws(EventLoopError) {
      try EventLoopError.check(.listen, uv_pipe_bind(pipe, path))
      // No process can connect before it listens.
      try EventLoopError.check(.listen, chmod(path, S_IRUSR | S_IWUSR) == 0 ? 0 : -errno)
      try EventLoopError.check(
        .listen,
        uv_listen(cuv_stream(memory), 16) { stream, status in
          (Handle.of(stream) as? Listener)?.didConnect(status)
        })
    } catch {
      close()
      throw error
    }
  }

  private var pipe: UnsafeMutablePointer<uv_pipe_t> {
    memory.assumingMemoryBound(to: uv_pipe_t.self)
  }

  private func didConnect(_ status: Int32) {
    // A client that has gone again, or for which no descriptor is left, cannot be told.
    guard status == 0 else { return }
    // libuv watches the socket no longer until the connection at hand is accepted.
    guard takenInTurn < mostInTurn else {
      hasPending = true
      return
    }
    take()
  }

  private func beginTurn() {
    takenInTurn = 0
    guard !isClosing, hasPending else { return }
    hasPending = false
    take()
  }

  private func take() {
    guard let connection = try? Pipe(on: loop) else { return }
    takenInTurn += 1
    if takenInTurn == mostInTurn { loop.postpone { [weak self] in self?.beginTurn() } }
    guard uv_accept(cuv_stream(memory), connection.stream) == 0 else { return connection.close() }
    onConnection?(connection)
  }

  override func willClose() { onConnection = nil }
}

extension Pipe {
  /// The process at the other end of a Unix socket, as the kernel saw it when it connected (SO_PEERCRED in unix(7)).
  public struct Peer: Sendable {
    public var process: Int32
    public var user: UInt32
  }

  /// Whether the other end is closed for good. A peer that has only shut down its writing still reads.
  public var isHungUp: Bool {
    var descriptor: uv_os_fd_t = -1
    guard !isClosing, uv_fileno(raw, &descriptor) == 0 else { return true }
    var poll = pollfd(fd: descriptor, events: 0, revents: 0)
    return Glibc.poll(&poll, 1, 0) > 0 && poll.revents & Int16(POLLHUP | POLLERR) != 0
  }

  /// The process at the other end; nil where the pipe is no connected Unix socket.
  public var peer: Peer? {
    var descriptor: uv_os_fd_t = -1
    guard !isClosing, uv_fileno(raw, &descriptor) == 0 else { return nil }
    var peer = cuv_peer()
    guard cuv_peer_of(descriptor, &peer) == 0 else { return nil }
    return Peer(process: peer.process, user: peer.user)
  }
}

// MARK: - Output of many processes

/// One socket for the output of many processes, for those that are many and write little: the kernel tells who has written.
public final class CommonOutput: Handle {
  private let ends: (reading: Int32, writing: Int32)
  private var readers: [Int32: (UnsafeRawBufferPointer) -> Void] = [:]
  /// The largest number of messages that are read at once, so that other handles have their turn; or as many as hold
  /// ``EventLoop/readSize`` bytes.
  private static let most = 64
  /// Memory of its own: what a guest has written is read while the loop's buffer holds what came from another.
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: EventLoop.readSize, alignment: 16)

  /// Opens the socket.
  ///
  /// - Throws: ``EventLoopError`` where the system refuses.
  public init(on loop: EventLoop) throws(EventLoopError) {
    var made: [Int32] = [-1, -1]
    try EventLoopError.check(.openPipe, cspawn_output(&made))
    ends = (made[0], made[1])
    super.init(UV_POLL, on: loop)
    do throws(EventLoopError) {
      try EventLoopError.check(.openPipe, uv_poll_init(loop.raw, poll, ends.reading))
    } catch {
      for end in made { Glibc.close(end) }
      throw error
    }
    adopt()
    uv_poll_start(poll, Int32(UV_READABLE.rawValue)) { raw, _, _ in
      (Handle.of(raw) as? CommonOutput)?.readRest()
    }
  }

  deinit { buffer.deallocate() }

  private var poll: UnsafeMutablePointer<uv_poll_t> {
    memory.assumingMemoryBound(to: uv_poll_t.self)
  }

  /// The descriptor for the output of all of the processes.
  public var descriptor: Int32 { ends.writing }

  /// Calls `body` with what the process writes, a write at a time, until the share is closed.
  public func share(
    of process: Int32, _ body: @escaping (UnsafeRawBufferPointer) -> Void
  ) -> Share {
    readers[process] = body
    return Share(of: process, in: self)
  }

  /// Reads what has been written until now.
  private func readRest() {
    var total = 0
    for _ in 0..<Self.most where total < buffer.count {
      var writer: Int32 = 0
      let count = cspawn_receive(
        ends.reading, buffer.baseAddress, UInt(buffer.count), &writer)
      guard count >= 0 else { return }
      total += count
      readers[writer]?(UnsafeRawBufferPointer(rebasing: buffer[..<Int(count)]))
    }
  }

  override func willClose() { readers.removeAll() }

  override func didClose() {
    Glibc.close(ends.reading)
    Glibc.close(ends.writing)
    super.didClose()
  }

  /// The output of one process.
  public final class Share {
    private let process: Int32
    private let output: CommonOutput

    fileprivate init(of process: Int32, in output: CommonOutput) {
      self.process = process
      self.output = output
    }

    /// Reads at once what has been written until now, as does ``Pipe/readRest()``.
    public func readRest() { if !output.isClosing { output.readRest() } }

    /// Stops reading what the process writes.
    public func close() { output.readers[process] = nil }
  }
}
