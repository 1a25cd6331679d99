package import class EventLoop.Pipe
package import class EventLoop.Timer
internal import DequeModule
package import EventLoop
internal import Foundation
internal import Output
package import Simulation
internal import Wire

/// The way from this process of a fleet to the others: `sluice-link`, which speaks mutual TLS with theirs.
package final class FleetLink {
  private let loop: EventLoop
  private let pipe: Pipe
  private var process: ChildProcess?
  private var parser = FrameParser(limit: FleetLink.largestFrame)
  private let arena = Arena()
  private var events: Deque<Event> = []
  /// The peers to or from whom a connection has ended.
  private(set) var lost: Set<Int> = []
  /// The port at which the link listens; nil: not yet.
  package private(set) var port: Int?
  private var failure: String?
  /// Whether waiting for anything is to end.
  var isInterrupted = false
  /// Whether nothing comes over the link any more.
  private var hasEnded = false
  private var isRunning = true
  /// The number of messages that have gone to each peer.
  private(set) var sent: [Int: Int] = [:]
  /// The number of messages that have come from each peer.
  private(set) var received: [Int: Int] = [:]

  /// What comes over the link.
  package enum Event {
    case message(FleetMessage, from: Int)
    /// The link has reached a peer from this address, at which others reach this process.
    case reached(Int, from: String)
    /// A connection to or from the peer has ended, for a reason.
    case lost(Int, String)
  }

  /// The number in frames that are no messages.
  private static let control = Int(UInt32.max)
  private static let largestFrame = 1 << 30
  /// The time that a link has to end, in milliseconds.
  private static let patience: UInt64 = 30_000

  /// Starts a link, and waits until it listens.
  ///
  /// - Parameters:
  ///   - program: the path of `sluice-link`.
  ///   - address: the address that it listens at.
  ///   - loop: the loop on which it is heard, which nobody else runs.
  /// - Throws: ``RunError`` where it does not start.
  package init(
    _ program: String, as identity: LinkIdentity, listeningAt address: String, on loop: EventLoop
  ) throws(RunError) {
    self.loop = loop
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw RunError(
        .path(program), "there is no such program; `make tls` builds it", rule: "fleet")
    }
    do throws(EventLoopError) {
      pipe = try Pipe(on: loop)
      process = try ChildProcess(
        ChildProcess.Specification(
          .executable(program), arguments: [program], directory: "/",
          descriptors: [.pipe(pipe), .null, .inherited(STDERR_FILENO)]), on: loop
      ) { [weak self] _ in
        self?.isRunning = false
        self?.hasEnded = true
      }
      pipe.onRead = { [weak self] bytes in self?.didRead(bytes) }
      pipe.onEnd = { [weak self] _ in self?.hasEnded = true }
      try pipe.startReading()
    } catch {
      throw RunError(.command, "sluice-link: \(error)", rule: "fleet", fault: .own)
    }
    order("settings\nbind \(address)\n\(identity.settings)")
    loop.run { port != nil || failure != nil || hasEnded }
    guard port == nil else { return }
    throw RunError(
      .command, "sluice-link: \(failure ?? "it has ended")", rule: "fleet", fault: .own)
  }

  // MARK: out

  /// Connects to the link of a peer, for messages to it.
  ///
  /// - Parameter address: an address and a port, such as `10.0.0.7:40123`.
  package func reach(_ peer: Int, at address: String) {
    guard let colon = address.lastIndex(of: ":") else { return }
    order("reach \(peer) \(address[..<colon]) \(address[address.index(after: colon)...])")
  }

  package func send(_ message: FleetMessage, to peer: Int) {
    sent[peer, default: 0] += 1
    write(message.encoded(in: arena) { Self.head(of: $0, to: peer) })
  }

  private func order(_ text: String) {
    write(Self.head(of: text.utf8.count, to: Self.control) + Array(text.utf8))
  }

  /// The head of a frame.
  private static func head(of size: Int, to peer: Int) -> [UInt8] {
    withUnsafeBytes(of: (UInt32(size + 4).littleEndian, UInt32(peer).littleEndian)) { Array($0) }
  }

  private func write(_ frame: [UInt8]) {
    frame.withUnsafeBytes { bytes in
      let taken = (try? pipe.tryWrite(bytes)) ?? 0
      guard taken < bytes.count else { return }
      try? pipe.write(UnsafeRawBufferPointer(rebasing: bytes[taken...]))
    }
  }

  /// The number of bytes that wait in this process because the link takes no more.
  package var queuedBytes: Int { pipe.queuedBytes }

  /// Ends the link once all that was sent has gone, or cannot go.
  package func close() {
    order("end")
    let timer = try? Timer(on: loop) { [unowned self] in process?.signalGroup(SIGKILL) }
    timer?.start(after: Self.patience)
    loop.run { !isRunning || isInterrupted }
    if isRunning {
      process?.signalGroup(SIGKILL)
      loop.run { !isRunning }
    }
    timer?.close()
    pipe.close()
    process?.close()
    process = nil
  }

  // MARK: in

  /// Waits for what comes next.
  ///
  /// - Throws: ``RunError`` where the link has ended.
  package func next() throws(RunError) -> Event {
    try wait { !events.isEmpty }
    return events.removeFirst()
  }

  /// Whether something has come that nobody has taken.
  var hasEvents: Bool { !events.isEmpty }

  /// Waits until a condition holds.
  ///
  /// - Throws: ``RunError`` where the link has ended before.
  package func wait(until condition: () -> Bool) throws(RunError) {
    loop.run { isInterrupted || condition() || hasEnded || failure != nil }
    guard !isInterrupted else { throw RunError(.command, "it was interrupted", rule: "signal") }
    guard !condition() else { return }
    throw RunError(
      .command, "sluice-link: \(failure ?? "it has ended")", rule: "fleet", fault: .own)
  }

  /// Takes the passages among what has come out of turn.
  func takePassages() -> [(passage: Passage, peer: Int)] {
    var passages: [(passage: Passage, peer: Int)] = []
    events.removeAll { event in
      guard case .message(.passage(let passage), let peer) = event else { return false }
      passages.append((passage, peer))
      return true
    }
    return passages
  }

  private func didRead(_ bytes: UnsafeRawBufferPointer) {
    do {
      try parser.consume(bytes) { frame in
        guard frame.count >= 4 else { return .goOn }
        let peer = Int(UInt32(littleEndian: frame.loadUnaligned(as: UInt32.self)))
        try take(UnsafeRawBufferPointer(rebasing: frame[4...]), from: peer)
        return .goOn
      }
    } catch {
      failure = "a message cannot be read: \(error)"
    }
  }

  private func take(_ message: UnsafeRawBufferPointer, from peer: Int) throws(WireError) {
    guard peer == Self.control else {
      received[peer, default: 0] += 1
      events.append(.message(try FleetMessage(message, arena: arena), from: peer))
      return
    }
    let words = String(decoding: message, as: UTF8.self)
      .split(separator: " ", maxSplits: 2).map(String.init)
    switch (words.first, words.count) {
    case ("listening", 2): port = Int(words[1])
    case ("failed", 2...): failure = words.dropFirst().joined(separator: " ")
    case ("reached", 3):
      if let peer = Int(words[1]) { events.append(.reached(peer, from: words[2])) }
    case ("lost", 3):
      guard let peer = Int(words[1]) else { return }
      lost.insert(peer)
      events.append(.lost(peer, words[2]))
    default: return  // open: any other line of the link
    }
  }
}

// MARK: - Loop

/// The loop on which a process of a fleet hears the others.
package enum FleetLoop {
  /// Opens a loop for `body`, and closes it with all that was opened on it.
  ///
  /// - Throws: ``RunError`` where the system refuses, and what `body` throws.
  package static func use<Value>(
    _ body: (EventLoop) throws(RunError) -> Value
  ) throws(RunError) -> Value {
    let loop: EventLoop
    do throws(EventLoopError) {
      loop = try EventLoop(readSize: 1 << 18)
    } catch {
      throw RunError(.command, "\(error)", rule: "fleet", fault: .own)
    }
    defer { loop.close() }
    return try body(loop)
  }
}
