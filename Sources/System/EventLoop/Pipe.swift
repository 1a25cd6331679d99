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

  var pipe: UnsafeMutablePointer<uv_pipe_t> { memory.assumingMemoryBound(to: uv_pipe_t.self) }
  var stream: UnsafeMutablePointer<uv_stream_t> { cuv_stream(memory) }

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
