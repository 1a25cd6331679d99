internal import EventLoop

/// The port to a guest that takes what it is sent a few bytes at a time.
final class SlowPort: GuestPort {
  private let port: any GuestPort
  private var waiting: [UInt8] = []
  private var timer: Timer?
  private let onDrain: () -> Void

  /// The number of bytes that the guest takes at a time.
  private static let portion = 16
  /// The time between two portions, in milliseconds.
  private static let interval: UInt64 = 1

  /// Slows the port down.
  ///
  /// - Parameter onDrain: called when all bytes have gone to the port.
  /// - Throws: ``EventLoopError`` where there is no timer.
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
    // A pipe that cannot be written to belongs to a guest that is ending: its exit tells the rest.
    bytes.withUnsafeBytes { try? port.write($0) }
  }

  /// Sends the rest at once.
  ///
  /// - Returns: the port that was slowed down.
  func hurry() -> any GuestPort {
    timer?.close()
    timer = nil
    if !waiting.isEmpty { send(waiting.count) }
    return port
  }

  // MARK: the port

  var isClosing: Bool { port.isClosing }
  var queuedBytes: Int { waiting.count + port.queuedBytes }
  var unreadBytes: Int? { port.unreadBytes }
  var untakenBytes: Int? { port.untakenBytes }

  func startReading() throws(EventLoopError) { try port.startReading() }
  func stopReading() { port.stopReading() }
  func readRest() { port.readRest() }
  func readNow(upTo most: Int) -> Int { port.readNow(upTo: most) }

  /// Takes nothing at once: what it takes goes out in portions.
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
