internal import CUV

#if canImport(Glibc)
  internal import Glibc
#endif

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
