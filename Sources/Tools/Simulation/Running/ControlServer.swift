internal import class EventLoop.Pipe
internal import class EventLoop.Timer
internal import EventLoop
internal import Foundation
internal import Output
internal import Scenario

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

  /// Runs `body` on another thread, and then `finish` with its value on this thread.
  func work<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value, then finish: @escaping (Value) -> Void
  ) {
    loop.work(body, then: finish)
  }

  fileprivate func didClose(_ client: ControlClient) {
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
private enum ControlPeer {
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

// MARK: - Clients

/// One connection to the control socket. Lines come in and go out, and both directions are bounded.
private final class ControlClient: ControlRequester {
  private let pipe: Pipe
  /// The process at the other end.
  private let process: Int32
  private unowned let server: ControlServer
  /// The bytes that have come since the last end of a line.
  private var incoming: [UInt8] = []
  /// The number of requests that wait for their answer.
  private var open = 0
  /// The client's place in the journal; nil: the client does not follow the journal.
  var follower: JournalFollower?
  /// Whether the client has closed its end, or is to be closed once it has its answers.
  private var hasEnded = false
  private(set) var isClosed = false
  /// Whether the client has made a request yet.
  private var hasAsked = false
  /// Whether the client has taken all that was sent; and the last time when it had, where it has not.
  private var isTaking = true
  private var lastTaken = ContinuousClock.now
  /// The time of the last bytes from the client.
  private var lastHeard = ContinuousClock.now
  private let connected = ContinuousClock.now

  /// The longest message, in bytes.
  private static let longestLine = 1 << 20
  /// The size of the answers that may wait for a client that does not read them, in bytes.
  private static let backlog = 4 << 20
  /// The number of a client's requests that may wait before no more are read.
  private static let mostOpen = 64

  init(_ pipe: Pipe, from process: Int32, of server: ControlServer) {
    self.pipe = pipe
    self.process = process
    self.server = server
  }

  func start() {
    pipe.onRead = { [unowned self] bytes in read(bytes) }
    pipe.onEnd = { [unowned self] _ in end() }
    pipe.onDrain = { [unowned self] in
      isTaking = true
      follow()
      closeIfDone()
    }
    do {
      try pipe.startReading()
    } catch {
      close()
    }
  }

  // MARK: incoming

  private func read(_ bytes: UnsafeRawBufferPointer) {
    lastHeard = .now
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      incoming.append(contentsOf: rest[..<end])
      rest = rest[(end + 1)...]
      let line = incoming
      incoming.removeAll(keepingCapacity: true)
      guard line.count <= Self.longestLine else { return refuseLength() }
      if !line.allSatisfy(Self.isBlank) { handle(line) }
      if isClosed || hasEnded { return }
    }
    incoming.append(contentsOf: rest)
    if incoming.count > Self.longestLine { return refuseLength() }
    if open >= Self.mostOpen { pipe.stopReading() }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")].contains(byte)
  }

  private func refuseLength() {
    refuse(ControlError(.invalidRequest, "a message has at most \(Self.longestLine) bytes"))
  }

  /// Sends an error that answers no request, and hangs up.
  func refuse(_ error: ControlError) {
    send(ControlAnswer.error(error))
    hasEnded = true
    pipe.stopReading()
    closeIfDone()
  }

  private func end() {
    if !incoming.isEmpty {
      let line = incoming
      incoming = []
      handle(line)
    }
    hasEnded = true
    closeIfDone()
  }

  private func handle(_ line: [UInt8]) {
    hasAsked = true
    switch ControlRequest.read(line) {
    case .one(let request):
      begin(request) { [weak self] answer in
        if let answer { self?.send(answer) }
      }
    case .batch(let requests):
      let batch = ControlBatch(count: requests.count) { [weak self] answer in
        if let answer { self?.send(answer) }
      }
      for (index, request) in requests.enumerated() {
        begin(request) { batch.settle(index, $0) }
      }
    }
  }

  private func begin(
    _ request: Result<ControlRequest, ControlRequest.Refusal>,
    _ done: @escaping ([UInt8]?) -> Void
  ) {
    switch request {
    case .failure(let refusal): done(ControlAnswer.error(refusal.error, id: refusal.id))
    case .success(let request):
      open += 1
      server.onRequest(ControlJob(request, of: self, done))
    }
  }

  /// Notes that one of the client's requests is settled.
  func settled() {
    open -= 1
    if open < Self.mostOpen, !hasEnded, !isClosed { try? pipe.startReading() }
    closeIfDone()
  }

  // MARK: outgoing

  func send(_ line: [UInt8]) {
    guard !isClosed else { return }
    // An answer is sent whole, however long it is.
    guard pipe.queuedBytes <= Self.backlog else { return close() }
    do {
      try write(line + [UInt8(ascii: "\n")])
    } catch {
      return close()
    }
    if pipe.queuedBytes > 0, isTaking { lastTaken = .now }
    isTaking = pipe.queuedBytes == 0
  }

  private func write(_ bytes: [UInt8]) throws {
    let taken = try bytes.withUnsafeBytes { try pipe.tryWrite($0) }
    guard taken < bytes.count else { return }
    try bytes[taken...].withUnsafeBytes { try pipe.write($0) }
  }

  /// Sends more of the journal while the client takes it: the rest stays in the file.
  func follow() {
    while !isClosed, !hasEnded, pipe.queuedBytes == 0, let lines = follower?.next() {
      for line in lines { send(line) }
    }
  }

  private func closeIfDone() {
    if hasEnded, open == 0, pipe.queuedBytes == 0 { close() }
  }

  /// The time that a client may take nothing of what is sent, before other clients come first.
  private static let patience = Duration.seconds(3)

  /// Whether the client may be hung up on without loss: it waits for nothing, or takes nothing of what is sent.
  private var isIdle: Bool {
    if isClosed || isGone { return true }
    if !isTaking { return lastTaken + Self.patience < .now }
    return open == 0 && follower == nil
  }

  var standing: ClientStanding {
    ClientStanding(
      process: process, hasAsked: hasAsked, isIdle: isIdle, connected: connected,
      lastHeard: lastHeard)
  }

  /// Whether the client will never read an answer.
  var isGone: Bool { isClosed || pipe.isHungUp }

  /// Whether answers are still on their way to the client.
  var isWriting: Bool { !isClosed && pipe.queuedBytes > 0 }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    pipe.close()
    server.didClose(self)
  }
}

// MARK: - Room for clients

/// The standing of a client of the control socket, by which it keeps its place or loses it to another.
package struct ClientStanding: Sendable {
  /// The process at the other end.
  package var process: Int32
  /// Whether the client has made a request yet.
  package var hasAsked: Bool
  /// Whether the client may be hung up on without loss: it waits for nothing.
  package var isIdle: Bool
  package var connected: ContinuousClock.Instant
  /// The time of the last bytes from the client.
  package var lastHeard: ContinuousClock.Instant

  /// Creates the standing of a client.
  package init(
    process: Int32, hasAsked: Bool, isIdle: Bool, connected: ContinuousClock.Instant,
    lastHeard: ContinuousClock.Instant
  ) {
    self.process = process
    self.hasAsked = hasAsked
    self.isIdle = isIdle
    self.connected = connected
    self.lastHeard = lastHeard
  }
}

/// The room for clients of a control socket: the clients that make room for others. Clients are named by their place in
/// an array.
package enum ClientRoom {
  /// The number of clients at a time.
  package static let mostClients = 32
  /// The number of clients of one process at a time that have asked for nothing yet.
  package static let mostSilent = 8
  /// The time that a client has for its first request.
  package static let patience = Duration.seconds(30)

  /// The clients that are hung up on for a new one of `process`; none where there is room.
  ///
  /// First a process makes room itself: of its clients that have asked for nothing, the longest silent one goes. Then
  /// of all that wait for nothing, those go first that have asked for nothing, of them those of the process with most
  /// clients, and of them the longest silent one.
  package static func leaving(for process: Int32, among clients: [ClientStanding]) -> [Int] {
    let silent = clients.indices.filter { clients[$0].process == process && !clients[$0].hasAsked }
    if silent.count >= mostSilent {
      return silent.sorted { clients[$0].lastHeard < clients[$1].lastHeard }
        .prefix(silent.count - mostSilent + 1).map { $0 }
    }
    guard clients.count >= mostClients else { return [] }
    var crowds: [Int32: Int] = [:]
    for client in clients { crowds[client.process, default: 0] += 1 }
    let first = clients.indices.filter { clients[$0].isIdle }.min { one, other in
      let (a, b) = (clients[one], clients[other])
      if a.hasAsked != b.hasAsked { return !a.hasAsked }
      let (crowdA, crowdB) = (crowds[a.process, default: 0], crowds[b.process, default: 0])
      return crowdA == crowdB ? a.lastHeard < b.lastHeard : crowdA > crowdB
    }
    return first.map { [$0] } ?? []
  }

  /// The clients that have not asked for anything in the time for it.
  package static func overdue(
    among clients: [ClientStanding], at now: ContinuousClock.Instant
  ) -> [Int] {
    clients.indices.filter { !clients[$0].hasAsked && clients[$0].connected + patience <= now }
  }
}
