internal import class EventLoop.Pipe
internal import class EventLoop.Timer
internal import EventLoop
internal import Foundation
internal import Output
internal import Scenario
internal import Simulation

/// A device's control socket, with its connected clients.
///
/// The server has its own loop, because a restart of the device closes the device's loop. The
/// device's current loop runs the server's loop as an embedded loop.
final class ControlServer {
  private let loop: EventLoop
  private let socket: ControlSocket
  private var listener: Listener?
  private var clients: [ControlClient] = []
  /// The timer that disconnects clients that make no request. It belongs to the loop of the current
  /// device.
  private var silence: Timer?
  /// Called with each request. The receiver may queue the request or answer it immediately.
  var onRequest: (ControlJob) -> Void = { _ in }
  var onHangUp: () -> Void = {}

  private var watched: [Int32] = []

  /// The maximum number of connections to accept before guests are served again.
  private static let mostInTurn = 8
  /// The interval at which the server checks for clients that make no request, in milliseconds.
  private static let checkInterval: UInt64 = 1_000

  /// Creates the socket, and listens.
  ///
  /// - Throws: ``RunError`` if a running device uses the socket, or the socket cannot be created.
  init(at path: String) throws(RunError) {
    do throws(EventLoopError) {
      loop = try EventLoop()
    } catch {
      throw RunError(.command, "\(error)", rule: "socket", origin: .own)
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

  /// Calls `body` when one of the signals arrives. From this call on, the signals have no other
  /// effect.
  func watch(_ signals: [Int32], _ body: @escaping () -> Void) throws(EventLoopError) {
    for signal in signals { _ = try SignalWatcher(signal, on: loop, body) }
    watched = signals
    poll()
  }

  /// Serves the clients whenever `outer` runs.
  func embed(in outer: EventLoop) throws(EventLoopError) {
    _ = try EmbeddedLoop(loop, in: outer)
    // The outer loop is used, because nothing would wait for a timer of the embedded loop.
    silence = try Timer(on: outer) { [weak self] in self?.endSilence() }
    awaitFirstRequests()
    poll()
  }

  /// Sends queued output. Call it after you send something outside of a callback.
  func poll() { loop.drain() }

  /// Sends new journal events to the clients that follow the journal.
  func follow() {
    var hasFollowers = false
    for client in clients where client.follower != nil {
      client.follow()
      hasFollowers = true
    }
    if hasFollowers { poll() }
  }

  // MARK: Clients

  private func accept(_ pipe: Pipe) {
    guard let peer = pipe.peer, ControlPeer.isAllowed(peer) else { return pipe.close() }
    let client = ControlClient(pipe, from: peer.process, of: self)
    hangUp(ClientRoom.leaving(for: peer.process, among: clients.map(\.standing)))
    clients.append(client)
    guard clients.count <= ClientRoom.mostClients else {
      return client.refuse(
        ControlError(
          .busy, "too many clients are connected; the maximum is \(ClientRoom.mostClients)"))
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
    silence?.start(after: Self.checkInterval, every: Self.checkInterval)
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

  /// Runs `body` on another thread, and then calls `finish` with its result on this thread.
  func work<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value, then finish: @escaping (Value) -> Void
  ) {
    loop.work(body, then: finish)
  }

  fileprivate func didClose(_ client: ControlClient) {
    clients.removeAll { $0 === client }
    onHangUp()
  }

  /// Removes the socket, so no more clients can connect.
  func stopListening() {
    listener?.close()
    listener = nil
    poll()
  }

  /// Closes the server. Clients have one second to read their pending answers.
  func close() {
    guard !loop.isClosed else { return }
    stopListening()
    for client in clients { client.follow() }
    let limit = ContinuousClock.now + .seconds(1)
    while clients.contains(where: \.isWriting), ContinuousClock.now < limit {
      loop.drain()
      usleep(1_000)
    }
    for client in clients { client.close() }
    closeWatchers()
  }

  /// Stops watching signals. Later signals are ignored, so they cannot end the process while it
  /// removes the device's folder.
  private func closeWatchers() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in watched { sigaddset(&signals, signal) }
    // libuv restores the default action of an unwatched signal, so the signals must be blocked.
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    loop.close()
    for number in watched { signal(number, SIG_IGN) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}

/// Determines which processes may control a device: all processes of its user and of root, except its guests, which run
/// as the same user.
private enum ControlPeer {
  static func isAllowed(_ peer: Pipe.Peer) -> Bool {
    guard peer.user == geteuid() || peer.user == 0 else { return false }
    return !isConfined(peer.process) || isConfined(getpid())
  }

  /// Returns whether the kernel prevents a process from gaining privileges (`NoNewPrivs`, proc_pid_status(5)). True for
  /// all guests and for the processes that they start, and for a process that has exited.
  private static func isConfined(_ process: Int32) -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    else { return true }
    // Only the beginning of a line may match, because the file also contains the name, which the
    // process chooses.
    let line = status.split(separator: "\n").first { $0.hasPrefix("NoNewPrivs:") }
    return line?.dropFirst("NoNewPrivs:".count).trimmingCharacters(in: .whitespaces) != "0"
  }
}

// MARK: - Clients

/// A connection to the control socket. It transports lines in both directions, with a bounded buffer for each
/// direction.
private final class ControlClient: ControlRequester {
  private let pipe: Pipe
  private let process: Int32
  private unowned let server: ControlServer
  /// The bytes that were received after the last line end.
  private var incoming: [UInt8] = []
  /// The number of requests without an answer.
  private var open = 0
  var follower: JournalFollower?
  /// Whether the server has stopped reading requests, because the client has closed its end or will be disconnected
  /// after its last answer.
  private var hasEnded = false
  private(set) var isClosed = false
  private var hasAsked = false
  /// Whether the client has read all sent data. If not, sent data has been waiting since `lastTaken`.
  private var isTaking = true
  private var lastTaken = ContinuousClock.now
  private var lastHeard = ContinuousClock.now
  private let connected = ContinuousClock.now

  /// The maximum size of a message, in bytes.
  private static let longestLine = 1 << 20
  /// The maximum total size of the answers that are queued for a client, in bytes.
  private static let backlog = 4 << 20
  /// The number of unanswered requests at which the server stops reading the client's input.
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

  // MARK: Input

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
    refuse(ControlError(.invalidRequest, "the message is longer than \(Self.longestLine) bytes"))
  }

  /// Sends an error that does not belong to a request, and then closes the connection.
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
        begin(request) { batch.complete(index, $0) }
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

  func didAnswer() {
    open -= 1
    if open < Self.mostOpen, !hasEnded, !isClosed { try? pipe.startReading() }
    closeIfDone()
  }

  // MARK: Output

  func send(_ line: [UInt8]) {
    guard !isClosed else { return }
    // The limit covers only earlier answers. This answer is sent completely, whatever its size.
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

  /// Sends journal events until the client stops reading. The remaining events are not queued, but read from the
  /// journal's file later.
  func follow() {
    while !isClosed, !hasEnded, pipe.queuedBytes == 0, let lines = follower?.next() {
      for line in lines { send(line) }
    }
  }

  private func closeIfDone() {
    if hasEnded, open == 0, pipe.queuedBytes == 0 { close() }
  }

  /// The time after which a client with unread data may be disconnected to make room for another client.
  private static let patience = Duration.seconds(3)

  /// Whether the client can be disconnected without loss: it has closed the connection, waits for nothing, or has left
  /// sent data unread for too long.
  private var isIdle: Bool {
    if isClosed || isGone { return true }
    if !isTaking { return lastTaken + Self.patience < .now }
    return open == 0 && follower == nil
  }

  var standing: ClientStanding {
    // Input that arrived while this process was too slow to read it is not silence.
    ClientStanding(
      process: process, hasAsked: hasAsked || pipe.unreadBytes ?? 0 > 0, isIdle: isIdle,
      connected: connected, lastHeard: lastHeard)
  }

  var isGone: Bool { isClosed || pipe.isHungUp }

  var isWriting: Bool { !isClosed && pipe.queuedBytes > 0 }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    pipe.close()
    server.didClose(self)
  }
}

// MARK: Client limits

/// The properties of a client that determine whether it is disconnected to make room for another client.
package struct ClientStanding: Sendable {
  package var process: Int32
  /// Whether the client has made a request, or has sent input that the server has not read yet.
  package var hasAsked: Bool
  /// Whether the client can be disconnected without loss, because it waits for nothing or does not read.
  package var isIdle: Bool
  package var connected: ContinuousClock.Instant
  /// The time of the last input from the client.
  package var lastHeard: ContinuousClock.Instant
}

/// The limits on a control socket's clients, and the choice of clients to disconnect. A client is
/// identified by its index in an array.
package enum ClientRoom {
  package static let mostClients = 32
  /// The maximum number of clients from one process that have not made a request.
  package static let mostSilent = 8
  /// The timeout for a client's first request.
  package static let patience = Duration.seconds(30)

  /// Returns the clients to disconnect for a new client of `process`; empty if there is room.
  ///
  /// If too many clients of `process` have made no request, the clients with the oldest input among them are
  /// disconnected. Otherwise, if the maximum number of clients is reached, one idle client is disconnected. It is
  /// chosen by three criteria, in this order: no request, the process with the most clients, and the oldest input.
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

  /// Returns the clients that have exceeded the timeout for their first request.
  package static func overdue(
    among clients: [ClientStanding], at now: ContinuousClock.Instant
  ) -> [Int] {
    clients.indices.filter { !clients[$0].hasAsked && clients[$0].connected + patience <= now }
  }
}
