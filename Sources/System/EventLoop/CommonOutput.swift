internal import CSpawn
internal import CUV

#if canImport(Glibc)
  internal import Glibc
#endif

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

    init(of process: Int32, in output: CommonOutput) {
      self.process = process
      self.output = output
    }

    /// Reads at once what has been written until now, as does ``Pipe/readRest()``.
    public func readRest() { if !output.isClosing { output.readRest() } }

    /// Stops reading what the process writes.
    public func close() { output.readers[process] = nil }
  }
}
