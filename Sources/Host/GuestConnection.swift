internal import EventLoop
internal import Wire

/// The host's end of a guest's pipe.
final class GuestConnection {
  unowned let guest: Guest
  let pipe: Pipe
  var parser: FrameParser
  var outgoing = FrameBuffer()
  /// Whether frames of the guest are left unread until others have taken its earlier ones.
  var isPaused = false
  /// Whether it is among the device's connections to flush.
  var isDirty = false
  /// Whether the guest has closed its end.
  var hasEnded = false

  init(guest: Guest, pipe: Pipe, frameLimit: Int) {
    self.guest = guest
    self.pipe = pipe
    parser = FrameParser(limit: frameLimit)
  }

  /// Bytes that the guest has not taken.
  var backlog: Int { outgoing.count + pipe.queuedBytes }

  /// Writes what the kernel takes, and queues the rest once. What comes later stays in ``outgoing`` until
  /// the queue is empty.
  func flush() throws(EventLoopError) {
    guard !outgoing.isEmpty, pipe.queuedBytes == 0 else { return }
    let written = try pipe.tryWrite(outgoing.bytes)
    if written < outgoing.count {
      try pipe.write(UnsafeRawBufferPointer(rebasing: outgoing.bytes[written...]))
    }
    outgoing.removeAll()
  }
}
