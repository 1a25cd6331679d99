internal import CSpawn
internal import CUV

#if canImport(Glibc)
  internal import Glibc
#endif

/// One end of a byte stream between processes. A stream from ``capture(on:)`` has one direction; any other stream is a
/// bidirectional socket.
public final class Pipe: Handle {
  /// Called with the bytes of one read, which are valid only during the call.
  public var onRead: ((UnsafeRawBufferPointer) -> Void)?
  /// Called once when the stream ends. The argument is nil if the other end closed or reset the stream, and the error
  /// if reading failed.
  public var onEnd: ((EventLoopError?) -> Void)?
  /// Called when all queued bytes have been written, or discarded because a write failed.
  public var onDrain: (() -> Void)?
  /// Whether the pipe reads and passes the bytes to ``onRead``.
  public private(set) var isReading = false

  /// The content that a pipe receives.
  public enum Content: Sendable {
    case bytes
    /// Bytes and descriptors, see ``takeDescriptor()``.
    case bytesAndDescriptors
  }

  /// Creates an unconnected pipe. ``ChildProcess`` or ``open(_:)`` connects it.
  ///
  /// - Throws: ``EventLoopError`` if the system call fails.
  public init(on loop: EventLoop, taking content: Content = .bytes) throws(EventLoopError) {
    super.init(UV_NAMED_PIPE, on: loop)
    let takesDescriptors: Int32 = content == .bytes ? 0 : 1
    try EventLoopError.check(.openPipe, uv_pipe_init(loop.raw, pipe, takesDescriptors))
    adopt()
  }

  /// Creates a pipe that reads a child's output, and the descriptor that the child writes to. The caller owns the
  /// descriptor and closes it once the child has it.
  ///
  /// - Throws: ``EventLoopError`` if a system call fails.
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

  /// Takes ownership of a connected descriptor.
  ///
  /// - Throws: ``EventLoopError`` if the system call fails. The caller then keeps the descriptor.
  public func open(_ descriptor: Int32) throws(EventLoopError) {
    try EventLoopError.check(.openPipe, uv_pipe_open(pipe, descriptor))
  }

  /// Starts reading and passing the bytes to ``onRead``. Does nothing if the pipe already reads or is closing.
  ///
  /// - Throws: ``EventLoopError`` if the system call fails.
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

  /// Stops reading.
  public func stopReading() {
    guard isReading else { return }
    isReading = false
    uv_read_stop(stream)
  }

  /// Reads the bytes that the other end has written so far, in up to 16 reads, or until ``onRead`` calls
  /// ``stopReading()``. Does nothing if the pipe is not reading. Used before closing a pipe and after a timeout.
  public func readRest() {
    var descriptor: uv_os_fd_t = -1
    guard isReading, uv_fileno(raw, &descriptor) == 0 else { return }
    // The reads are limited, in case the other end keeps writing.
    for _ in 0..<16 where isReading {
      let count = Glibc.read(descriptor, loop.readBuffer.baseAddress, loop.readBuffer.count)
      guard count != 0 else { return didRead(Int(UV_EOF.rawValue)) }
      guard count > 0 else { return }
      onRead?(UnsafeRawBufferPointer(rebasing: loop.readBuffer[..<count]))
    }
  }

  /// Makes one read of the bytes that the other end has written so far, even if ``isReading`` is false.
  ///
  /// - Parameter most: the maximum number of bytes; also limited by ``EventLoop/readSize``.
  /// - Returns: the number of bytes passed to ``onRead``; 0 if there are none.
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

  /// The number of bytes from the other end that wait to be read; nil if the system does not report it.
  public var unreadBytes: Int? { count(UInt(FIONREAD)) }

  /// The kernel memory, in bytes, for data that the other end of a socket has not read yet, including overhead; 0 if
  /// all data has been read; nil if the system does not report the size.
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

  /// Writes as much as the kernel accepts, or nothing while earlier bytes are queued.
  ///
  /// - Returns: the number of bytes written, 0 to `bytes.count`.
  /// - Throws: ``EventLoopError`` if the pipe is closing or the system call fails.
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

  /// Sends `bytes` with a descriptor, which the caller keeps.
  ///
  /// - Returns: false, without sending anything, if this would block, bytes are queued, or the pipe is closing.
  public func send(_ bytes: UnsafeRawBufferPointer, with descriptor: Int32) -> Bool {
    var own: uv_os_fd_t = -1
    guard !isClosing, queuedBytes == 0, uv_fileno(raw, &own) == 0 else { return false }
    let sent = cuv_send_descriptor(own, bytes.baseAddress, bytes.count, descriptor)
    guard sent > 0 else { return false }
    if sent < bytes.count {
      // A pipe at its end accepts no more data, and its end is reported elsewhere.
      try? write(UnsafeRawBufferPointer(rebasing: bytes[sent...]))
    }
    return true
  }

  /// Returns the first received descriptor, which the caller then owns; nil if there is none. A descriptor arrives no
  /// later than the first of the bytes that it was sent with.
  public func takeDescriptor() -> Int32? {
    guard uv_pipe_pending_count(pipe) > 0, let holder = try? Pipe(on: loop) else { return nil }
    defer { holder.close() }
    var descriptor: uv_os_fd_t = -1
    guard uv_accept(stream, holder.stream) == 0, uv_fileno(holder.raw, &descriptor) == 0
    else { return nil }
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    return copy >= 0 ? copy : nil
  }

  /// Writes `bytes`, and queues the bytes that the kernel does not accept. ``onDrain`` is called later, when the queue
  /// is empty.
  ///
  /// - Throws: ``EventLoopError`` if the pipe is closing or the system call fails.
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

  /// The number of bytes queued in this process because the kernel accepts no more.
  public var queuedBytes: Int { uv_stream_get_write_queue_size(stream) }

  override func willClose() {
    isReading = false
    onRead = nil
    onEnd = nil
    onDrain = nil
  }

  /// The process at the other end of a Unix socket at the time of connecting (SO_PEERCRED in unix(7)).
  public struct Peer: Sendable {
    public var process: Int32
    public var user: UInt32
  }

  /// Whether the other end is closed, or this pipe is closing. False if the peer has only shut down writing, because it
  /// can still read.
  public var isHungUp: Bool {
    var descriptor: uv_os_fd_t = -1
    guard !isClosing, uv_fileno(raw, &descriptor) == 0 else { return true }
    var poll = pollfd(fd: descriptor, events: 0, revents: 0)
    return Glibc.poll(&poll, 1, 0) > 0 && poll.revents & Int16(POLLHUP | POLLERR) != 0
  }

  /// The process at the other end; nil if the pipe is not a connected Unix socket.
  public var peer: Peer? {
    var descriptor: uv_os_fd_t = -1
    guard !isClosing, uv_fileno(raw, &descriptor) == 0 else { return nil }
    var peer = cuv_peer()
    guard cuv_peer_of(descriptor, &peer) == 0 else { return nil }
    return Peer(process: peer.process, user: peer.user)
  }
}

/// A queued write, which owns its bytes.
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

// MARK: - Sockets that listen

/// A Unix socket at a path, open only to this process's user, or a port of the loopback interface. Closing a
/// Unix socket removes its file.
public final class Listener: Handle {
  private var onConnection: ((Pipe) -> Void)?
  private let mostInTurn: Int
  /// The number of connections that were accepted in this iteration.
  private var takenInTurn = 0
  /// Whether libuv has a connection that this listener accepts only in the next iteration.
  private var hasPending = false

  /// The maximum length of a path in bytes: `sun_path` in unix(7) without its terminator.
  public static let longestPath = 107

  /// Listens at a path.
  ///
  /// - Parameters:
  ///   - path: the path of the new socket; no file may exist there.
  ///   - mostInTurn: the maximum number of connections accepted before other handles of the loop, and of an outer loop,
  ///     are served; nil for no limit. A limit requires ``EventLoop/runOnce()`` or ``EventLoop/drain(limit:)``.
  ///   - onConnection: called with each new connection, which does not read yet.
  /// - Throws: ``EventLoopError``, with EADDRINUSE if the path exists.
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
      // Processes cannot connect before the socket listens.
      try EventLoopError.check(.listen, chmod(path, S_IRUSR | S_IWUSR) == 0 ? 0 : -errno)
      try listen(backlog: 16)
    } catch {
      close()
      throw error
    }
  }

  /// Listens at 127.0.0.1.
  ///
  /// - Parameters:
  ///   - port: 1 to 65535; 0 lets the system choose a port.
  ///   - onConnection: called with each new connection, which does not read yet.
  /// - Throws: ``EventLoopError``, with EADDRINUSE if another socket listens at the port.
  public init(
    atPort port: UInt16, on loop: EventLoop, _ onConnection: @escaping (Pipe) -> Void
  ) throws(EventLoopError) {
    self.onConnection = onConnection
    mostInTurn = .max
    super.init(UV_TCP, on: loop)
    try EventLoopError.check(.listen, uv_tcp_init(loop.raw, tcp))
    adopt()
    do throws(EventLoopError) {
      var address = sockaddr_in()
      try EventLoopError.check(.listen, uv_ip4_addr("127.0.0.1", Int32(port), &address))
      let code = withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { uv_tcp_bind(tcp, $0, 0) }
      }
      try EventLoopError.check(.listen, code)
      try listen(backlog: 64)
    } catch {
      close()
      throw error
    }
  }

  /// The port of a listener at 127.0.0.1; 0 if this is a Unix socket.
  public var port: UInt16 {
    var address = sockaddr_in()
    var size = Int32(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        raw.pointee.type == UV_TCP ? uv_tcp_getsockname(tcp, address, &size) : -EINVAL
      }
    }
    return code == 0 ? UInt16(bigEndian: address.sin_port) : 0
  }

  private func listen(backlog: Int32) throws(EventLoopError) {
    try EventLoopError.check(
      .listen,
      uv_listen(cuv_stream(memory), backlog) { stream, status in
        (Handle.of(stream) as? Listener)?.didConnect(status)
      })
  }

  private var pipe: UnsafeMutablePointer<uv_pipe_t> {
    memory.assumingMemoryBound(to: uv_pipe_t.self)
  }

  private var tcp: UnsafeMutablePointer<uv_tcp_t> {
    memory.assumingMemoryBound(to: uv_tcp_t.self)
  }

  private func didConnect(_ status: Int32) {
    // The client has disconnected, or no descriptor is left for it. Neither can be reported to it.
    guard status == 0 else { return }
    // libuv stops watching the socket until this connection is accepted.
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
    // A pipe takes the connection of either kind of socket: libuv reads and writes both alike.
    guard uv_accept(cuv_stream(memory), connection.stream) == 0 else { return connection.close() }
    onConnection?(connection)
  }

  override func willClose() { onConnection = nil }
}

// MARK: - Output of many processes

/// One socket for the output of many processes that write little. For each message, the kernel reports the process that
/// wrote it.
public final class CommonOutput: Handle {
  private let ends: (reading: Int32, writing: Int32)
  private var readers: [Int32: (UnsafeRawBufferPointer) -> Void] = [:]
  /// The maximum number of messages that are read before the loop's other handles are served. Reading also ends after
  /// ``EventLoop/readSize`` bytes.
  private static let most = 64
  /// A separate buffer, since the loop's buffer may hold another guest's data during a read.
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: EventLoop.readSize, alignment: 16)

  /// Opens the socket.
  ///
  /// - Throws: ``EventLoopError`` if a system call fails.
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

  /// The descriptor to which all processes write their output.
  public var descriptor: Int32 { ends.writing }

  /// Starts calling `body` with the output of `process`, once for each write, until the returned share is closed.
  /// Writes are truncated to ``EventLoop/readSize`` bytes.
  public func share(
    of process: Int32, _ body: @escaping (UnsafeRawBufferPointer) -> Void
  ) -> Share {
    readers[process] = body
    return Share(of: process, in: self)
  }

  /// Reads the messages that all processes have written so far, up to ``most`` messages or ``EventLoop/readSize``
  /// bytes.
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

  /// The reader of one process's output in the common output.
  public final class Share {
    private let process: Int32
    private let output: CommonOutput

    fileprivate init(of process: Int32, in output: CommonOutput) {
      self.process = process
      self.output = output
    }

    /// Reads output that all processes have written so far, up to 64 messages or ``EventLoop/readSize`` bytes.
    public func readRest() { if !output.isClosing { output.readRest() } }

    /// Stops reading the process's output.
    public func close() { output.readers[process] = nil }
  }
}
