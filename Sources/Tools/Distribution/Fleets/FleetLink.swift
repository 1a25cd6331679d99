package import class EventLoop.Pipe
package import class EventLoop.Timer
internal import DequeModule
package import EventLoop
internal import Foundation
internal import Output
package import Simulation
internal import Wire

/// The connection from this process to the other processes of a fleet. It is a `sluice-link`
/// process, which uses mutual TLS.
package final class FleetLink {
  private let loop: EventLoop
  private let pipe: Pipe
  private var process: ChildProcess?
  private var parser = FrameParser(limit: FleetLink.largestFrame)
  private let arena = Arena()
  private var events: Deque<Event> = []
  /// The peers to or from which a connection has been lost.
  private(set) var lost: Set<Int> = []
  /// The listening port; nil before the link listens.
  package private(set) var port: Int?
  private var failure: String?
  /// Whether all waits end early with an error, for example after a signal.
  var isInterrupted = false
  /// Whether the `sluice-link` process has exited or closed its pipe.
  private var hasEnded = false
  private var isRunning = true
  /// The number of messages sent to each peer.
  private(set) var sent: [Int: Int] = [:]
  /// The number of messages received from each peer.
  private(set) var received: [Int: Int] = [:]

  package enum Event {
    case message(FleetMessage, from: Int)
    /// The link has connected to a peer. The text is the local address at which other processes reach this process.
    case reached(Int, from: String)
    /// A connection to or from the peer was closed, with the reason.
    case lost(Int, String)
  }

  /// The peer number of frames that control the link itself instead of carrying a message.
  private static let control = Int(UInt32.max)
  private static let largestFrame = 1 << 30
  /// The timeout for the shutdown, in milliseconds.
  private static let patience: UInt64 = 30_000

  /// Starts a link, and waits until it listens.
  ///
  /// - Parameters:
  ///   - program: The path of `sluice-link`.
  ///   - loop: The loop for the link's events. Only this link may run it.
  /// - Throws: ``RunError`` if the link does not start.
  package init(
    _ program: String, as identity: LinkIdentity, listeningAt address: String, on loop: EventLoop
  ) throws(RunError) {
    self.loop = loop
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw RunError(
        .path(program), "the program has not been built; run `make tls`", rule: "fleet")
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
      throw RunError(.command, "sluice-link: \(error)", rule: "fleet", origin: .own)
    }
    order("settings\nbind \(address)\n\(identity.settings)")
    loop.run { port != nil || failure != nil || hasEnded }
    guard port == nil else { return }
    throw RunError(
      .command, "sluice-link: \(failure ?? "it has exited")", rule: "fleet", origin: .own)
  }

  // MARK: Outgoing

  /// Connects to a peer's link in order to send messages.
  ///
  /// - Parameter address: The address and port, such as `10.0.0.7:40123`.
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

  /// The number of bytes that are queued in this process because the link does not accept more.
  package var queuedBytes: Int { pipe.queuedBytes }

  /// Closes the link after all queued messages have been sent or have failed, but at the latest after 30 s.
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

  // MARK: Incoming

  /// Returns the next event. Waits if there is none.
  ///
  /// - Throws: ``RunError`` if the link has exited or the wait is interrupted.
  package func next() throws(RunError) -> Event {
    try wait { !events.isEmpty }
    return events.removeFirst()
  }

  var hasEvents: Bool { !events.isEmpty }

  /// Runs the loop until `condition` returns true.
  ///
  /// - Throws: ``RunError`` if the link ends before `condition` returns true, or the wait is interrupted.
  package func wait(until condition: () -> Bool) throws(RunError) {
    loop.run { isInterrupted || condition() || hasEnded || failure != nil }
    guard !isInterrupted else { throw RunError(.command, "it was interrupted", rule: "signal") }
    guard !condition() else { return }
    throw RunError(
      .command, "sluice-link: \(failure ?? "it has exited")", rule: "fleet", origin: .own)
  }

  /// Removes the messages in flight from the unread events, and returns them with the peer numbers of their senders.
  func takeMessages() -> [(inFlight: InFlightMessage, peer: Int)] {
    var messages: [(inFlight: InFlightMessage, peer: Int)] = []
    events.removeAll { event in
      guard case .message(.inFlight(let inFlight), let peer) = event else { return false }
      messages.append((inFlight, peer))
      return true
    }
    return messages
  }

  private func didRead(_ bytes: UnsafeRawBufferPointer) {
    do {
      try parser.consume(bytes) { frame in
        guard frame.count >= 4 else { return .proceed }
        let peer = Int(UInt32(littleEndian: frame.loadUnaligned(as: UInt32.self)))
        try receive(UnsafeRawBufferPointer(rebasing: frame[4...]), from: peer)
        return .proceed
      }
    } catch {
      failure = "a message cannot be read: \(error)"
    }
  }

  private func receive(_ message: UnsafeRawBufferPointer, from peer: Int) throws(WireError) {
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
    default: return  // open: any other line from the link
    }
  }
}

// MARK: - Event loop

package enum FleetLoop {
  /// Opens a loop for `body`, and afterwards closes the loop with all of its handles.
  ///
  /// - Throws: ``RunError`` if the system provides no loop, and the errors of `body`.
  package static func use<Value>(
    _ body: (EventLoop) throws(RunError) -> Value
  ) throws(RunError) -> Value {
    let loop: EventLoop
    do throws(EventLoopError) {
      loop = try EventLoop(readSize: 1 << 18)
    } catch {
      throw RunError(.command, "\(error)", rule: "fleet", origin: .own)
    }
    defer { loop.close() }
    return try body(loop)
  }
}
