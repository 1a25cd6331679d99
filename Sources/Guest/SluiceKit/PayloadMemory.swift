internal import EventLoop
internal import SharedMemory
internal import Wire

#if canImport(Glibc)
  internal import Glibc
#endif

/// The memory that the host has lent this process: large payloads are put there for the host, and found there.
final class PayloadMemory {
  private var outbox: SharedRegion?
  private var blocks: BlockAllocator?
  private var inbox: SharedRegion?
  /// The inbox, for reading.
  private var window: SharedWindow?
  /// The offsets of payloads in the inbox that were copied, and that the host has not been told of.
  private var copied: [Int] = []
  /// Largest payload that goes through memory, in bytes.
  private var limit = ProtocolVersion.defaultFrameLimit

  /// A change of the memory that the host has made.
  enum Change {
    /// Memory of `count` bytes, whose descriptor comes with the message.
    case lent(SharedMemoryUse, count: Int)
    /// The host has read the payload at that offset of the outbox.
    case released(offset: Int)
  }

  /// Bytes of freed memory that a process with large payloads keeps for them.
  private static let freedMemory = 8 << 20
  /// The room in a frame for what is not payload.
  private static let frameMargin = 64 * 1024

  /// Decodes a message that has come through `pipe`, and takes in what it says of memory.
  ///
  /// - Throws: ``WireError`` where the frame holds no message, or the memory that it is about cannot be mapped.
  func message(
    _ frame: UnsafeRawBufferPointer, from pipe: Pipe, arena: Arena
  ) throws(WireError) -> HostMessage {
    let message = try HostMessage(frame, arena: arena, inbox: window)
    if let window { for payload in window.named { copied.append(payload.offset) } }
    switch message.body.recipient {
    case .handshake(.welcome(let welcome)): limit = welcome.frameLimit - Self.frameMargin
    case .memory(.lent(let use, let count)):
      guard adopt(use, count, pipe.takeDescriptor()) else {
        throw .malformedMessage(length: frame.count)
      }
    case .memory(.released(let offset)): _ = blocks?.release(offset)
    case .handshake(.rejected), .request, .loop, .application: break
    }
    return message
  }

  private func adopt(_ use: SharedMemoryUse, _ count: Int, _ descriptor: Int32?) -> Bool {
    guard let descriptor else { return false }
    defer { close(descriptor) }
    FreedMemory.keep(upTo: Self.freedMemory)
    switch use {
    case .outbox:
      // Without it, payloads go on inline.
      outbox = try? SharedRegion.adopt(descriptor, count, for: .writing)
      blocks = BlockAllocator(count, alignment: SharedBytes.alignment)
      return true
    case .inbox:
      inbox = try? SharedRegion.adopt(descriptor, count, for: .reading)
      window = inbox.map { SharedWindow(UnsafeRawBufferPointer($0.bytes), limit: count) }
      return inbox != nil
    }
  }

  /// Puts a payload into the outbox; nil where there is no room.
  func place(_ payload: UnsafeRawBufferPointer) -> SharedBytes? {
    guard payload.count <= limit, let outbox, let offset = blocks?.allocate(payload.count) else {
      return nil
    }
    let place = SharedBytes(offset: offset, count: payload.count)
    UnsafeMutableRawBufferPointer(rebasing: outbox.bytes[offset..<(offset + payload.count)])
      .copyMemory(from: payload)
    return place
  }

  /// Returns the offsets in the inbox that the host is to be told of.
  func takeCopied() -> [Int] {
    guard !copied.isEmpty else { return [] }
    defer { copied.removeAll() }
    return copied
  }
}
