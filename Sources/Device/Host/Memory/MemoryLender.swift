internal import EventLoop
internal import Wire

/// Lends shared memory for large payloads to guests that accept it. A guest gets an outbox after it
/// sends its first large payload, and an inbox before it receives one.
///
/// A payload is sent inline if it is small or does not fit, the guest accepts no memory, or the budget is used up.
final class MemoryLender {
  /// The size of an outbox or an inbox, in bytes.
  private let size: Int
  private let largestPayload: Int
  private let transaction: LoopTransaction
  private let budget: MemoryBudget
  /// The arena for messages about memory. A separate arena is needed, because these messages are encoded while another
  /// message is being encoded.
  private let arena = Arena(capacity: 512)

  init(limits: DeviceConfiguration.Limits, transaction: LoopTransaction) {
    size = limits.sharedMemory
    largestPayload = limits.guestFrame
    budget = MemoryBudget(limits.sharedMemoryInAll)
    self.transaction = transaction
  }

  // MARK: From guests

  /// Releases the outbox payloads of a processed frame. If the frame was large, lends the guest an
  /// outbox for later frames.
  func didServe(_ frame: GuestFrame, of guest: Guest) {
    // Fast path: almost every frame is small.
    guard frame.count >= SharedBytes.leastCount || frame.namesMemory,
      let connection = guest.connection
    else { return }
    if frame.count >= SharedBytes.leastCount, connection.memory.window == nil {
      lend(.outbox, to: connection)
    }
    guard let outbox = connection.memory.window, !outbox.named.isEmpty else { return }
    outbox.take()
    for payload in outbox.named {
      transaction.send(HostMessage(.release(offset: payload.offset)), to: guest)
    }
  }

  // MARK: To guests

  /// Returns room in the guest's inbox for a payload; nil if the payload must be sent inline. Lends the inbox if
  /// necessary.
  func room(for count: Int, in guest: Guest) -> InboxRoom? {
    guard count >= SharedBytes.leastCount, guest.isReady, let connection = guest.connection else {
      return nil
    }
    if connection.memory.inbox == nil { lend(.inbox, to: connection) }
    return connection.memory.room(for: count)
  }

  /// Calls `body` to encode messages, and places the messages' large payloads in the guest's inbox.
  func placing(in guest: Guest, _ body: () -> Void) {
    transaction.encoding.placement = { [unowned self] payload in
      guard let room = room(for: payload.count, in: guest) else { return nil }
      room.bytes.copyMemory(from: payload)
      return room.place
    }
    body()
    transaction.encoding.placement = nil
  }

  /// Lends memory if the guest accepts it, a message can be sent immediately, and the budget permits it.
  private func lend(_ use: SharedMemoryUse, to connection: GuestConnection) {
    // The message overtakes queued data, so the handshake must be over, and the port must not
    // contain a partial frame.
    guard connection.memory.isWelcome, connection.hasSent, connection.port.queuedBytes == 0,
      budget.take(size)
    else { return }
    guard
      let region = try? SharedRegion.make(size, writtenBy: use == .inbox ? .maker : .other)
    else { return budget.giveBack(size) }
    let lent = LentRegion(region, budget)
    var message = FrameBuffer(capacity: 64)
    message.append(HostMessage(.sharedMemory(use, count: size)), using: arena)
    guard connection.port.send(message.bytes, with: region.descriptor) else { return }
    if use == .outbox { region.closeDescriptor() }
    connection.memory.lend(lent, as: use, limit: largestPayload)
  }
}

// MARK: - Memory of one guest

/// The memory lent to a guest's process, and the payloads in it.
///
/// The guest can write to its outbox at any time, even while the device reads it. Only the device writes to the
/// inbox, and a payload there stays until the guest releases it.
final class GuestMemory {
  /// Whether the process accepts memory, as stated in its hello.
  var isWelcome = false
  /// The device's view of the outbox, for reading; nil if there is none.
  private(set) var window: SharedWindow?
  private var outbox: LentRegion?
  private(set) var inbox: LentRegion?
  /// The payloads in the inbox that the guest has not yet released.
  private var blocks: BlockAllocator?

  /// Records a region lent to the guest.
  ///
  /// - Parameter limit: The maximum total size of the payloads in one frame, in bytes.
  func lend(_ region: LentRegion, as use: SharedMemoryUse, limit: Int) {
    switch use {
    case .outbox:
      outbox = region
      window = SharedWindow(UnsafeRawBufferPointer(region.region.bytes), limit: limit)
    case .inbox:
      inbox = region
      blocks = BlockAllocator(region.region.bytes.count, alignment: SharedBytes.alignment)
    }
  }

  // MARK: Inbox

  /// Returns room for a payload of `count` bytes in the inbox; nil if it does not fit. The payload
  /// must be written before the next message is sent to the guest.
  func room(for count: Int) -> InboxRoom? {
    guard let inbox, let offset = blocks?.allocate(count) else { return nil }
    guard inbox.region.fill(offset + count) else {
      _ = blocks?.release(offset)
      return nil
    }
    let place = SharedBytes(offset: offset, count: count)
    return InboxRoom(
      place: place,
      bytes: UnsafeMutableRawBufferPointer(
        rebasing: inbox.region.bytes[offset..<(offset + count)]))
  }

  /// - Throws: ``Violation`` if the inbox has no payload at `offset`.
  func release(_ offset: Int) throws(Violation) {
    guard blocks?.release(offset) == true else {
      throw Violation(text: "the release of a payload at \(offset), where there is none")
    }
  }
}

struct InboxRoom {
  let place: SharedBytes
  let bytes: UnsafeMutableRawBufferPointer
}

/// A region lent to a guest. It counts against the device's budget while it exists.
final class LentRegion {
  let region: SharedRegion
  private let budget: MemoryBudget

  init(_ region: SharedRegion, _ budget: MemoryBudget) {
    self.region = region
    self.budget = budget
  }

  deinit { budget.giveBack(region.bytes.count) }
}

/// The number of bytes that the device may still lend to guests.
final class MemoryBudget {
  private var rest: Int

  init(_ limit: Int) { rest = limit }

  /// Takes `count` bytes from the budget. Returns false and takes none if fewer are left.
  func take(_ count: Int) -> Bool {
    guard count <= rest else { return false }
    rest -= count
    return true
  }

  func giveBack(_ count: Int) { rest += count }
}
