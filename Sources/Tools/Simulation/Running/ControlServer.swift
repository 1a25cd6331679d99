internal import Diagnostics
internal import EventLoop
internal import class EventLoop.Pipe
internal import class EventLoop.Timer
internal import Foundation

/// The control socket of a device, and the clients that are connected to it.
///
/// The server has a loop of its own, since a device that restarts ends its loop; the loop of the present device runs
/// it.
final class ControlServer {
  private let loop: EventLoop
  private let socket: ControlSocket
  private var listener: Listener?
  private var clients: [ControlClient] = []
  /// The timer that hangs up on clients that ask for nothing; it belongs to the loop of the present device.
  private var silence: Timer?
  /// A closure that gets requests as they come, in callbacks: to be carried out later, or answered at once.
  var onRequest: (ControlJob) -> Void = { _ in }
  /// A closure that is called when a client has gone.
  var onHangUp: () -> Void = {}

  /// The signals that ``watch(_:_:)`` calls back for.
  private var watched: [Int32] = []

  /// The number of connections that are taken before guests have their turn.
  private static let mostInTurn = 8
  /// Time between two looks for clients that ask for nothing, in milliseconds.
  private static let lookEvery: UInt64 = 1_000

  /// Makes the socket, and listens.
  ///
  /// - Throws: ``RunError`` where a running device has the socket, or the socket cannot be made.
  init(at path: String) throws(RunError) {
    do throws(EventLoopError) {
      loop = try EventLoop()
    } catch {
      throw RunError(.command, "\(error)", rule: "socket", fault: .own)
    }
    do throws(RunError) {
      socket = try ControlSocket(path)
    } catch {
      loop.close()
      throw error
    }
    do throws(EventLoopError) {
      listener = try Listener(at: socket.path, on: loop, mostInTurn: Self.mostInTurn) {
        [unowned self] in accept($0)
      }
    } catch {
      socket.release()
      loop.close()
      throw RunError(.path(path), "\(error)", rule: "socket")
    }
    socket.release()
  }

  var path: String { socket.path }

  var clientCount: Int { clients.count }

  /// Calls back when one of the signals comes; the signals have no other effect from now on.
  func watch(_ signals: [Int32], _ body: @escaping () -> Void) throws(EventLoopError) {
    for signal in signals { _ = try SignalWatcher(signal, on: loop, body) }
    watched = signals
    poll()
  }

  /// Serves the clients whenever `outer` runs.
  func embed(in outer: EventLoop) throws(EventLoopError) {
    _ = try EmbeddedLoop(loop, in: outer)
    // Nothing would wait for a timer of the embedded loop.
    silence = try Timer(on: outer) { [weak self] in self?.endSilence() }
    awaitFirstRequests()
    poll()
  }

  /// Sends what is queued. To be called after anything was sent outside of a callback.
  func poll() { loop.settle() }

  /// Sends more of the journal to the clients that follow it.
  func follow() {
    var hasFollowers = false
    for client in clients where client.follower != nil {
      client.follow()
      hasFollowers = true
    }
    if hasFollowers { poll() }
  }

  // MARK: clients

  private func accept(_ pipe: Pipe) {
    guard let peer = pipe.peer, ControlPeer.isAllowed(peer) else { return pipe.close() }
    let client = ControlClient(pipe, from: peer.process, of: self)
    hangUp(ClientRoom.leaving(for: peer.process, among: clients.map(\.standing)))
    clients.append(client)
    guard clients.count <= ClientRoom.mostClients else {
      return client.refuse(
        ControlError(.busy, "\(ClientRoom.mostClients) clients are connected, and no more may be"))
    }
    client.start()
    awaitFirstRequests()
  }

  private func hangUp(_ places: [Int]) {
    for client in places.map({ clients[$0] }) { client.close() }
  }

  private func awaitFirstRequests() {
    guard clients.contains(where: { !$0.standing.hasAsked }), silence?.isActive == false
    else { return }
    silence?.start(after: Self.lookEvery, every: Self.lookEvery)
  }

  private func endSilence() {
    let standings = clients.map(\.standing)
    guard standings.contains(where: { !$0.hasAsked }) else {
      silence?.stop()
      return
    }
    hangUp(ClientRoom.overdue(among: standings, at: .now))
    poll()
  }

  func take(_ job: ControlJob) { onRequest(job) }

  /// Runs `body` on another thread, and then `finish` with its value on this thread.
  func work<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value, then finish: @escaping (Value) -> Void
  ) {
    loop.work(body, then: finish)
  }

  func didClose(_ client: ControlClient) {
    clients.removeAll { $0 === client }
    onHangUp()
  }

  /// Removes the socket, so that no client can connect any more.
  func stopListening() {
    listener?.close()
    listener = nil
    poll()
  }

  /// Ends the server: no client can connect any more, and clients that wait for an answer get a second to take it.
  func close() {
    guard !loop.isClosed else { return }
    stopListening()
    for client in clients { client.follow() }
    let limit = ContinuousClock.now + .seconds(1)
    while clients.contains(where: \.isWriting), ContinuousClock.now < limit {
      loop.settle()
      usleep(1_000)
    }
    for client in clients { client.close() }
    closeWatchers()
  }

  /// Ends the watching of signals. A signal that comes again is ignored from now on, so that it does not end the
  /// process in the middle of removing the device's folder.
  private func closeWatchers() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in watched { sigaddset(&signals, signal) }
    // libuv gives a signal without watcher its default action.
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    loop.close()
    for number in watched { signal(number, SIG_IGN) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}

/// The processes that may drive a device: those of its user and of root, but none of its guests, which run as the same
/// user.
enum ControlPeer {
  static func isAllowed(_ peer: Pipe.Peer) -> Bool {
    guard peer.user == geteuid() || peer.user == 0 else { return false }
    return !isConfined(peer.process) || isConfined(getpid())
  }

  /// Whether a process can gain no privileges, as all guests and the processes that they start (proc_pid_status(5));
  /// true for a process that is gone.
  private static func isConfined(_ process: Int32) -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    else { return true }
    // A process chooses its name, which is a line of this file, too: a name must not pass for the line that counts.
    let line = status.split(separator: "\n").first { $0.hasPrefix("NoNewPrivs:") }
    return line?.dropFirst("NoNewPrivs:".count).trimmingCharacters(in: .whitespaces) != "0"
  }
}
