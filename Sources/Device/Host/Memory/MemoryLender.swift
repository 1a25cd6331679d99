internal import EventLoop
internal import Wire

/// Lends shared memory to guests, for large payloads. A guest gets an outbox after it has sent its first large payload,
/// and an inbox before it receives its first.
///
/// A small payload is sent inline, as part of its message. A large payload is also sent inline if it does not fit, or
/// if the guest has no shared memory. A guest has none if it does not accept any, or if the budget for all guests is
/// used up.
final class MemoryLender {
  /// The size of an outbox or an inbox, in bytes.
  private let size: Int
  private let largestPayload: Int
  private let transaction: LoopTransaction
  private let budget: MemoryBudget
  /// The arena in which messages about shared memory are encoded. It is separate, because another message may be partly
  /// encoded at that time.
  private let arena = Arena(capacity: 512)

  init(limits: DeviceConfiguration.Limits, transaction: LoopTransaction) {
    size = limits.sharedMemory
    largestPayload = limits.guestFrame
    budget = MemoryBudget(limits.sharedMemoryInAll)
    self.transaction = transaction
  }

  // MARK: From guests

  /// Releases the payloads in the guest's outbox to which a processed frame refers. If the frame was large, lends the
  /// guest an outbox for later frames.
  func didServe(_ frame: borrowing GuestFrame, of guest: Guest) {
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

  /// Reserves space for a payload in the guest's inbox. If the guest has no inbox, lends it one. Returns nil if the
  /// payload must be sent inline.
  func room(for count: Int, in guest: Guest) -> InboxRoom? {
    guard count >= SharedBytes.leastCount, guest.isReady, let connection = guest.connection else {
      return nil
    }
    if connection.memory.inbox == nil { lend(.inbox, to: connection) }
    return connection.memory.room(for: count)
  }

  /// Calls `body`, which encodes messages to the guest. Large payloads of these messages are placed in the guest's
  /// inbox.
  func placing(in guest: Guest, _ body: () -> Void) {
    transaction.encoding.placement = { [unowned self] payload in
      guard let room = room(for: payload.count, in: guest) else { return nil }
      room.bytes.copyMemory(from: payload)
      return room.place
    }
    body()
    transaction.encoding.placement = nil
  }

  /// Lends the guest an outbox or an inbox. Does nothing if the guest does not accept shared memory, if no message can
  /// be sent to it immediately, or if the budget is used up.
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
/// The guest can write to its outbox at any time, even while the device reads from it. Only the device writes to the
/// inbox. A payload in the inbox remains there until the guest releases it.
final class GuestMemory {
  /// Whether the process accepts shared memory, according to its first message (`hello`).
  var isWelcome = false
  /// The outbox as the device reads it; nil if there is none.
  private(set) var window: SharedWindow?
  private var outbox: LentRegion?
  private(set) var inbox: LentRegion?
  /// The parts of the inbox with payloads that the guest has not released; nil if there is no inbox.
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

  /// Reserves space for a payload of `count` bytes in the inbox; nil if it does not fit. The caller must write the
  /// payload before the next message is sent to the guest.
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

  /// Releases a payload in the inbox, as the guest requested.
  ///
  /// - Throws: ``Violation`` if the inbox has no payload at `offset`.
  func release(_ offset: Int) throws(Violation) {
    guard blocks?.release(offset) == true else {
      throw Violation(
        text: "the release of a payload at offset \(offset), where the inbox has no payload")
    }
  }
}

struct InboxRoom {
  let place: SharedBytes
  let bytes: UnsafeMutableRawBufferPointer
}

/// A region of shared memory that is lent to a guest. While this object exists, the region counts against the budget.
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
