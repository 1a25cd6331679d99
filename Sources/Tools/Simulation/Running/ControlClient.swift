internal import EventLoop
internal import Scenario

/// One connection to the control socket: lines come in, lines go out, and both are bounded.
final class ControlClient: ControlAsker {
  private let pipe: Pipe
  private unowned let server: ControlServer
  /// What has come since the last end of a line.
  private var incoming: [UInt8] = []
  /// Requests that wait for their answer.
  private var open = 0
  /// What it has of the journal; nil: it does not follow it.
  var follower: JournalFollower?
  /// Whether it has closed its end, or is to be closed once it has its answers.
  private var hasEnded = false
  private(set) var isClosed = false
  /// Whether it has asked for anything yet.
  private var hasAsked = false
  /// Whether it has taken all that was sent, and when that was so last where it has not.
  private var isTaking = true
  private var lastTaken = ContinuousClock.now
  /// When it was heard of last.
  private(set) var lastHeard = ContinuousClock.now

  /// Longest message in bytes.
  static let longestLine = 1 << 20
  /// Answers that may wait for somebody who does not read them, in bytes.
  private static let backlog = 4 << 20
  /// Requests of one client that may wait, before no more are read from it.
  private static let mostOpen = 64

  init(_ pipe: Pipe, of server: ControlServer) {
    self.pipe = pipe
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

  // MARK: what comes

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

  /// Answers with an error that no request has asked for, and hangs up.
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

  /// One of its requests is settled.
  func settled() {
    open -= 1
    if open < Self.mostOpen, !hasEnded, !isClosed { try? pipe.startReading() }
    closeIfDone()
  }

  // MARK: what goes

  func send(_ line: [UInt8]) {
    guard !isClosed else { return }
    // One answer is sent however long it is.
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

  /// Sends more of the journal while the client takes it: what it has not taken stays in the file.
  func follow() {
    while !isClosed, !hasEnded, pipe.queuedBytes == 0, let lines = follower?.next() {
      for line in lines { send(line) }
    }
  }

  private func closeIfDone() {
    if hasEnded, open == 0, pipe.queuedBytes == 0 { close() }
  }

  /// How long somebody may take nothing of what it is sent, before others come first.
  private static let patience = Duration.seconds(3)

  /// Whether nothing would be lost to it that it waits for, or takes; who has asked for nothing yet is the first to go.
  var isIdle: Bool {
    if isClosed || isGone { return true }
    if !isTaking { return lastTaken + Self.patience < .now }
    return open == 0 && follower == nil
  }

  /// Whether `self` rather than `other` makes room for somebody else.
  func isIdler(than other: ControlClient) -> Bool {
    hasAsked == other.hasAsked ? lastHeard < other.lastHeard : !hasAsked
  }

  /// Whether it will never read an answer.
  var isGone: Bool { isClosed || pipe.isHungUp }

  /// Whether answers are still on their way.
  var isWriting: Bool { !isClosed && pipe.queuedBytes > 0 }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    pipe.close()
    server.didClose(self)
  }
}
