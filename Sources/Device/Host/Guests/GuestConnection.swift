internal import EventLoop
internal import Wire

/// What passes between the host and a guest.
final class GuestConnection {
  unowned let guest: Guest
  let port: any GuestPort
  var parser: FrameParser
  var outgoing = FrameBuffer()
  /// Whether frames of the guest are left unread until others have taken its earlier ones.
  var isPaused = false
  /// Whether it is among the device's connections to flush.
  var isDirty = false
  /// Whether the guest has closed its end.
  var hasEnded = false

  init(guest: Guest, port: any GuestPort, frameLimit: Int) {
    self.guest = guest
    self.port = port
    parser = FrameParser(limit: frameLimit)
  }

  /// Bytes that the guest has not taken.
  var backlog: Int { outgoing.count + port.queuedBytes }

  /// Writes what the kernel takes, and queues the rest once. What comes later stays in ``outgoing`` until
  /// the queue is empty.
  func flush() throws(EventLoopError) {
    guard !outgoing.isEmpty, port.queuedBytes == 0 else { return }
    let written = try port.tryWrite(outgoing.bytes)
    if written < outgoing.count {
      try port.write(UnsafeRawBufferPointer(rebasing: outgoing.bytes[written...]))
    }
    outgoing.removeAll()
  }
}
