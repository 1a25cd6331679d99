internal import EventLoop
internal import Scenario

/// One connection to the control socket. Lines come in and go out, and both directions are bounded.
final class ControlClient: ControlRequester {
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
  static let longestLine = 1 << 20
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
      server.take(ControlJob(request, of: self, done))
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
