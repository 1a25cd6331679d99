internal import EventLoop
internal import Synchronization

/// The server's socket and its open connections, on the server's thread.
///
/// Connections with and without the secret have separate limits, because any user of this machine can open connections
/// without the secret.
final class PageClients {
  private let site: Site
  private let loop: EventLoop
  private let work = PageWork()
  private var listener: Listener?
  private var latest = 0
  private var clients: [Int: PageClient] = [:]
  /// The numbers of the connections that have not presented the secret, in order of arrival.
  private var strangers: [Int] = []
  private var guests: Set<Int> = []

  /// The maximum number of connections of each kind. A browser opens a few connections per page.
  private static let most = 64

  /// Starts to accept connections.
  ///
  /// - Throws: ``EventLoopError`` if the port is in use or a system call fails.
  init(of site: Site, on loop: EventLoop, port: UInt16) throws(EventLoopError) {
    self.site = site
    self.loop = loop
    work.open(try AsyncSignal(on: loop) { [unowned self] in work.take().forEach { $0(self) } })
    listener = try Listener(atPort: port, on: loop) { [unowned self] pipe in add(pipe) }
  }

  var port: UInt16 { listener?.port ?? 0 }

  subscript(number: Int) -> PageClient? { clients[number] }

  /// Adds a connection. If too many connections have not presented the secret, closes the oldest of them.
  private func add(_ pipe: Pipe) {
    latest += 1
    let connection = PageConnection(latest, work)
    guard let client = try? PageClient(connection, pipe, on: loop, of: self) else {
      return pipe.close()
    }
    clients[latest] = client
    strangers.append(latest)
    if strangers.count > Self.most { clients[strangers[0]]?.close() }
  }

  /// Records that a connection has presented the secret.
  ///
  /// - Returns: false if there are too many such connections.
  private func welcome(_ number: Int) -> Bool {
    strangers.removeAll { $0 == number }
    guard guests.count < Self.most else { return false }
    guests.insert(number)
    return true
  }

  /// Returns whether a connection has presented the secret.
  func isWelcome(_ number: Int) -> Bool { guests.contains(number) }

  func remove(_ number: Int) {
    clients[number] = nil
    strangers.removeAll { $0 == number }
    guests.remove(number)
  }

  // MARK: Answers

  /// Returns the response to a request; nil if a route responds to it, now or later.
  func answer(
    _ head: PageRequestHead, _ body: [UInt8], from connection: PageConnection
  ) -> PageResponse? {
    // The check rejects other host names that resolve to this server, because a foreign page may
    // use them (DNS rebinding).
    guard isOurs(head) else { return PageResponse(refusing: .misdirectedRequest) }
    let path = head.target.prefix { $0 != "?" }
      .split(separator: "/", omittingEmptySubsequences: false)
    guard path.count == 3, path[0].isEmpty, site.secret.matches(path[1]) else {
      return PageResponse(refusing: .notFound)
    }
    guard welcome(connection.number) else { return PageResponse(refusing: .serviceUnavailable) }
    if path[2].isEmpty {
      guard head.method == PageRoute.Method.get.rawValue else {
        return PageResponse(refusing: .methodNotAllowed, allowing: .get)
      }
      return PageResponse(type: "text/html; charset=utf-8", body: site.page)
    }
    guard let route = site.routes.first(where: { $0.path == path[2] }) else {
      return PageResponse(refusing: .notFound)
    }
    guard head.method == route.method.rawValue else {
      return PageResponse(refusing: .methodNotAllowed, allowing: route.method)
    }
    switch route.method {
    case .get: route.answer(PageRequest(body: [], connection: connection))
    case .post:
      guard head["content-type"].first == "application/json" else {
        return PageResponse(refusing: .badRequest)
      }
      route.answer(PageRequest(body: body, connection: connection))
    }
    return nil
  }

  /// Returns whether the request's `Host` field names this server. If there is an `Origin` field, it must also name
  /// this server.
  private func isOurs(_ head: PageRequestHead) -> Bool {
    let names = ["127.0.0.1:\(port)", "localhost:\(port)"]
    let hosts = head["host"]
    return hosts.count == 1 && names.contains { hosts[0] == $0 }
      && head["origin"].allSatisfy { origin in names.contains { "http://\($0)" == origin } }
  }
}

/// A queue of work from other threads for the server's thread.
final class PageWork: Sendable {
  typealias Item = @Sendable (PageClients) -> Void
  private let items = Mutex<[Item]>([])
  private let sender = Mutex<AsyncSignal.Sender?>(nil)

  func open(_ signal: AsyncSignal) {
    let opened = signal.sender
    sender.withLock { $0 = opened }
  }

  func add(_ item: @escaping Item) {
    items.withLock { $0.append(item) }
    sender.withLock { _ = $0?.send() }
  }

  func take() -> [Item] {
    items.withLock { items in
      defer { items = [] }
      return items
    }
  }
}

/// A connection, usable on any thread.
final class PageConnection: Sendable {
  let number: Int
  private let work: PageWork
  private let state = Mutex(State())

  private struct State {
    var isOpen = true
    /// Whether ``send(_:isLast:)`` has been called with the last bytes.
    var isAnswered = false
    /// The number of bytes that the system has not yet accepted.
    var unsent = 0
    var onClose: [@Sendable () -> Void] = []
  }

  /// The number of unsent bytes at which a client counts as too slow.
  private static let mostUnsent = 64 << 10

  init(_ number: Int, _ work: PageWork) {
    self.number = number
    self.work = work
  }

  var isOpen: Bool { state.withLock(\.isOpen) }

  /// Whether the whole answer has been sent or is queued for the server's thread.
  var isAnswered: Bool { state.withLock(\.isAnswered) }

  /// Whether the connection is open and the client is not too slow.
  var isWritable: Bool { state.withLock { $0.isOpen && $0.unsent < Self.mostUnsent } }

  /// Calls `body` on the server's thread when the connection closes, or immediately if it is closed already.
  func whenClosed(_ body: @escaping @Sendable () -> Void) {
    let isOpen = state.withLock { state in
      if state.isOpen { state.onClose.append(body) }
      return state.isOpen
    }
    if !isOpen { body() }
  }

  /// Sends bytes from the server's thread.
  ///
  /// - Parameter isLast: Whether the connection is closed after the bytes are sent.
  func send(_ bytes: [UInt8], isLast: Bool) {
    willSend(bytes.count)
    if isLast { state.withLock { $0.isAnswered = true } }
    work.add { [number] in $0[number]?.send(bytes, isLast: isLast) }
  }

  func close() { work.add { [number] in $0[number]?.close() } }

  // MARK: The server's thread

  func willSend(_ count: Int) { state.withLock { $0.unsent += count } }

  func didSend(_ count: Int) { state.withLock { $0.unsent -= count } }

  func didClose() {
    let bodies = state.withLock { state in
      state.isOpen = false
      defer { state.onClose = [] }
      return state.onClose
    }
    for body in bodies { body() }
  }
}

/// A connection on the server's thread. It is closed after its first request has been answered.
final class PageClient {
  private let connection: PageConnection
  private let pipe: Pipe
  private var deadline: Timer?
  private unowned let server: PageClients
  private var received: [UInt8] = []
  private var head: (head: PageRequestHead, bodyLength: Int)?
  private var stage = Stage.receiving
  /// The number of bytes written since the output queue was last empty.
  private var written = 0

  private enum Stage {
    case receiving
    case answering
    /// The last bytes are being sent. The connection is closed afterwards.
    case ending
    /// A refusal is being sent before the whole request has arrived. If the connection were closed now, the system
    /// would discard the refusal together with the unread input.
    case lingering
  }

  /// The timeouts for receiving a request, and for sending the last bytes of its answer, in milliseconds.
  private static let patience: (request: UInt64, answer: UInt64) = (10_000, 60_000)
  /// The maximum size of a head, in bytes.
  private static let longestHead = 16 << 10
  /// The maximum size of a body, in bytes. It is twice the maximum total size of a step's texts and keys.
  private static let longestBody = 128 << 10

  /// Starts to read a client's request.
  ///
  /// - Throws: ``EventLoopError`` if a system call fails. The pipe stays open.
  init(
    _ connection: PageConnection, _ pipe: Pipe, on loop: EventLoop, of server: PageClients
  ) throws(EventLoopError) {
    self.connection = connection
    self.pipe = pipe
    self.server = server
    let deadline = try Timer(on: loop) { [weak self] in self?.expire() }
    self.deadline = deadline
    pipe.onRead = { [weak self] bytes in self?.receive(bytes) }
    pipe.onEnd = { [weak self] _ in self?.end() }
    pipe.onDrain = { [weak self] in self?.didSend() }
    // The timer counts from the start of the iteration, in which a route may have taken long.
    loop.catchUp()
    deadline.start(after: Self.patience.request)
    do throws(EventLoopError) {
      try pipe.startReading()
    } catch {
      deadline.close()
      throw error
    }
  }

  private func receive(_ bytes: UnsafeRawBufferPointer) {
    guard stage == .receiving else { return }
    let known = received.count
    received += bytes
    if head == nil {
      guard let end = endOfHead(from: max(known - 3, 0)) else {
        if received.count > Self.longestHead { refuse(.headTooLarge) }
        return
      }
      readHead(end)
    }
    guard stage == .receiving, let (head, length) = head, received.count >= length else { return }
    stage = .answering
    deadline?.stop()
    if let answer = server.answer(head, Array(received.prefix(length)), from: connection) {
      connection.willSend(answer.bytes.count)
      send(answer.bytes, isLast: true)
    }
  }

  /// Returns the index of the empty line after the head; nil if it has not arrived yet.
  private func endOfHead(from start: Int) -> Int? {
    let last = min(received.count - 4, Self.longestHead)
    // A plain loop is fast, which matters because any user of this machine can send data to search.
    return received.withUnsafeBytes { bytes -> Int? in
      var index = start
      while index <= last {
        if bytes[index] == 0x0D, bytes[index + 1] == 0x0A, bytes[index + 2] == 0x0D,
          bytes[index + 3] == 0x0A
        {
          return index
        }
        index += 1
      }
      return nil
    }
  }

  private func readHead(_ end: Int) {
    guard let head = PageRequestHead(received[..<(end + 2)]) else { return refuse(.badRequest) }
    guard head["transfer-encoding"].isEmpty else { return refuse(.lengthRequired) }
    let lengths = head["content-length"]
    guard lengths.count <= 1, lengths.allSatisfy({ $0.allSatisfy(\.isWholeNumber) && !$0.isEmpty })
    else { return refuse(.badRequest) }
    // A length beyond `Int.max` is too large.
    let length = lengths.first.map { Int($0) ?? .max } ?? 0
    guard length <= Self.longestBody else { return refuse(.contentTooLarge) }
    self.head = (head, length)
    received.removeFirst(end + 4)
  }

  private func refuse(_ status: PageResponse.Status) {
    stage = .lingering
    let bytes = PageResponse(refusing: status).bytes
    connection.willSend(bytes.count)
    write(bytes)
  }

  func send(_ bytes: [UInt8], isLast: Bool) {
    guard stage == .answering else { return }
    if isLast {
      stage = .ending
      deadline?.start(after: Self.patience.answer)
    }
    write(bytes)
  }

  private func write(_ bytes: [UInt8]) {
    written += bytes.count
    do { try bytes.withUnsafeBytes { try pipe.write($0) } } catch { close() }
  }

  private func didSend() {
    connection.didSend(written)
    written = 0
    if stage == .ending { close() }
  }

  /// Handles the end of the client's input. The connection stays open while the end of a response is being sent,
  /// because the client may still read it.
  private func end() {
    // The answer of the route follows in the next iteration.
    if stage == .answering, connection.isAnswered { return }
    if stage == .lingering, written > 0 { stage = .ending }
    if stage != .ending { close() }
  }

  /// Closes the connection after its timeout, but first reads input that arrived while this thread was busy or the
  /// process was stopped. If the input completes a request with the secret, the connection stays open.
  private func expire() {
    let wasReceiving = stage == .receiving
    if wasReceiving { pipe.readRest() }
    if !wasReceiving || !server.isWelcome(connection.number) { close() }
  }

  func close() {
    guard !pipe.isClosing else { return }
    deadline?.close()
    pipe.close()
    server.remove(connection.number)
    connection.didClose()
  }
}
