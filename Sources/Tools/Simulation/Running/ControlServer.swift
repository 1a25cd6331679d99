internal import Diagnostics
internal import EventLoop
internal import class EventLoop.Pipe
internal import Foundation

/// The control socket of a device and everybody who is connected to it.
///
/// It has a loop of its own, since a device that restarts ends its loop; whatever loop the device has runs it.
final class ControlServer {
  private let loop: EventLoop
  private let socket: ControlSocket
  private var listener: Listener?
  private var clients: [ControlClient] = []
  /// Takes requests as they come, in callbacks: to be carried out later, or answered at once.
  var onRequest: (ControlJob) -> Void = { _ in }
  /// Called when a client has gone.
  var onHangUp: () -> Void = {}

  /// Signals that ``watch(_:_:)`` is called back for.
  private var watched: [Int32] = []

  /// Clients at a time.
  static let mostClients = 32

  /// - Throws: ``RunError`` where a running device has the socket, or it cannot be made.
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
      listener = try Listener(at: socket.path, on: loop) { [unowned self] in accept($0) }
    } catch {
      socket.release()
      loop.close()
      throw RunError(.file(path), "\(error)", rule: "socket")
    }
    socket.release()
  }

  var path: String { socket.path }

  var clientCount: Int { clients.count }

  /// Calls back when one of the signals comes; they do nothing else from now on.
  func watch(_ signals: [Int32], _ body: @escaping () -> Void) throws(EventLoopError) {
    for signal in signals { _ = try SignalWatcher(signal, on: loop, body) }
    watched = signals
    poll()
  }

  /// Handles what clients do whenever `outer` runs.
  func embed(in outer: EventLoop) throws(EventLoopError) {
    _ = try EmbeddedLoop(loop, in: outer)
    poll()
  }

  /// To be called after whatever was sent outside of a callback.
  func poll() { loop.settle() }

  /// Sends more of the journal to those who follow it.
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
    let client = ControlClient(pipe, of: self)
    if clients.count >= Self.mostClients { makeRoom() }
    clients.append(client)
    guard clients.count <= Self.mostClients else {
      return client.refuse(
        ControlError(.busy, "\(Self.mostClients) clients are connected, and no more may be"))
    }
    client.start()
  }

  /// Hangs up on the client that has been silent for longest and waits for nothing.
  private func makeRoom() {
    let idle = clients.filter(\.isIdle)
    guard let first = idle.first else { return }
    idle.dropFirst().reduce(first) { $1.isIdler(than: $0) ? $1 : $0 }.close()
  }

  func take(_ job: ControlJob) { onRequest(job) }

  /// Runs `body` on another thread, and then `finish` with its value on this one.
  func work<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value, then finish: @escaping (Value) -> Void
  ) {
    loop.work(body, then: finish)
  }

  func didClose(_ client: ControlClient) {
    clients.removeAll { $0 === client }
    onHangUp()
  }

  /// Nobody can connect any more; the socket is removed.
  func stopListening() {
    listener?.close()
    listener = nil
    poll()
  }

  /// Ends it: nobody can connect any more, and whoever is owed an answer gets a second to take it.
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

  /// What removes the device's folder afterwards is not ended in the middle of it by a signal that says once more what has
  /// been heard.
  private func closeWatchers() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in watched { sigaddset(&signals, signal) }
    // libuv gives a signal that nobody watches its default action.
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    loop.close()
    for number in watched { signal(number, SIG_IGN) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}

/// Who may drive a device: its user and root, but none of its guests, who run as the same user.
enum ControlPeer {
  static func isAllowed(_ peer: Pipe.Peer) -> Bool {
    guard peer.user == geteuid() || peer.user == 0 else { return false }
    return !isConfined(peer.process) || isConfined(getpid())
  }

  /// Whether a process can gain no privileges, as all guests and what they start (proc_pid_status(5)); so is one that
  /// is gone.
  private static func isConfined(_ process: Int32) -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    else { return true }
    // A process chooses its name, which is a line of this file, too: what it is called must say nothing.
    let line = status.split(separator: "\n").first { $0.hasPrefix("NoNewPrivs:") }
    return line?.dropFirst("NoNewPrivs:".count).trimmingCharacters(in: .whitespaces) != "0"
  }
}
