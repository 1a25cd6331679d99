internal import EventLoop

/// The guests that faults currently stop or slow down, to simulate a machine under load. Their deadlines still apply,
/// except during ``pause(_:until:)``.
final class Stalls {
  private let supervisor: GuestSupervisor
  /// For each active stall, the action that ends it, keyed by the stall's number.
  private var open: [Int: () -> Void] = [:]
  private var timers: [Int: Timer] = [:]
  private var last = 0

  init(supervisor: GuestSupervisor) { self.supervisor = supervisor }

  var isEmpty: Bool { open.isEmpty }

  func end() {
    for number in open.keys.sorted() { end(number) }
  }

  // MARK: Stopped processes

  func stop(_ guest: Guest, for milliseconds: UInt64) {
    let freeze = supervisor.freeze(guest)
    begin(for: milliseconds) { [unowned supervisor] in supervisor.thaw(freeze) }
  }

  /// Starts an operation, and pauses a guest and its deadlines until the operation ends. If `guest` is nil, pauses
  /// nothing.
  ///
  /// - Parameter begin: Starts the operation. The closure must call `over` when the operation ends.
  func pause(_ guest: Guest?, until begin: (_ over: @escaping () -> Void) -> Void) {
    let pause = guest.map(supervisor.pause)
    let number = self.begin { [unowned supervisor] in pause.map(supervisor.unpause) }
    begin { [weak self] in self?.end(number) }
  }

  // MARK: Slow readers

  /// Slows down a guest's reading for the given number of milliseconds.
  func slow(_ guest: Guest, for milliseconds: UInt64) {
    guard let connection = guest.connection,
      let port = try? SlowPort(
        connection.port, on: supervisor.loop,
        onDrain: { [unowned supervisor, unowned guest] in supervisor.didDrain(guest) })
    else { return }
    connection.port = port
    begin(for: milliseconds) { [unowned supervisor] in
      guard connection.port === port, !port.isClosing else { return }
      connection.port = port.hurry()
      supervisor.didDrain(guest)
    }
  }

  // MARK: Ends of stalls

  @discardableResult
  private func begin(_ body: @escaping () -> Void) -> Int {
    last += 1
    open[last] = body
    return last
  }

  private func begin(for milliseconds: UInt64, _ body: @escaping () -> Void) {
    let number = begin(body)
    guard let timer = try? Timer(on: supervisor.loop, { [unowned self] in end(number) }) else {
      return end(number)
    }
    timers[number] = timer
    timer.start(after: milliseconds)
  }

  private func end(_ number: Int) {
    timers.removeValue(forKey: number)?.close()
    open.removeValue(forKey: number)?()
  }
}

// MARK: - Slow readers

/// A port that sends a few bytes at a time to a guest.
private final class SlowPort: GuestPort {
  private let port: any GuestPort
  private var waiting: [UInt8] = []
  private var timer: Timer?
  private let onDrain: () -> Void

  /// The size of a portion, in bytes.
  private static let portion = 16
  /// The time between two portions, in milliseconds.
  private static let interval: UInt64 = 1

  /// Creates a port that sends to `port`, a few bytes at a time.
  ///
  /// - Parameter onDrain: Called when all bytes have been written to `port`.
  /// - Throws: ``EventLoopError`` if no timer is available.
  init(
    _ port: any GuestPort, on loop: EventLoop, onDrain: @escaping () -> Void
  ) throws(EventLoopError) {
    self.port = port
    self.onDrain = onDrain
    timer = try Timer(on: loop) { [unowned self] in advance() }
  }

  private func advance() {
    send(Self.portion)
    guard waiting.isEmpty else { return }
    timer?.stop()
    onDrain()
  }

  private func send(_ count: Int) {
    let bytes = waiting.prefix(count)
    waiting.removeFirst(bytes.count)
    // A pipe that rejects writes belongs to an exiting guest. The exit is handled separately.
    bytes.withUnsafeBytes { try? port.write($0) }
  }

  /// Sends the queued bytes immediately.
  ///
  /// - Returns: The wrapped port, for use in place of this one.
  func hurry() -> any GuestPort {
    timer?.close()
    timer = nil
    if !waiting.isEmpty { send(waiting.count) }
    return port
  }

  // MARK: GuestPort

  var isClosing: Bool { port.isClosing }
  var queuedBytes: Int { waiting.count + port.queuedBytes }
  var unreadBytes: Int? { port.unreadBytes }
  var untakenBytes: Int? { port.untakenBytes }

  func startReading() throws(EventLoopError) { try port.startReading() }
  func stopReading() { port.stopReading() }
  func readRest() { port.readRest() }
  func readNow(upTo most: Int) -> Int { port.readNow(upTo: most) }

  /// Accepts no bytes. The caller then uses ``write(_:)``, which queues the bytes and sends them in portions.
  func tryWrite(_ bytes: UnsafeRawBufferPointer) throws(EventLoopError) -> Int { 0 }

  func write(_ bytes: UnsafeRawBufferPointer) throws(EventLoopError) {
    waiting += bytes
    timer?.start(after: Self.interval, every: Self.interval)
  }

  func send(_ bytes: UnsafeRawBufferPointer, with descriptor: Int32) -> Bool { false }

  func close() {
    timer?.close()
    timer = nil
    waiting = []
    port.close()
  }
}
