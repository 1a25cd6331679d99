internal import EventLoop
internal import Model
internal import Wire

/// Memory for large payloads, lent to the guests that take it: an outbox to one that has sent such a payload inline, an
/// inbox to one that is to get such a payload.
///
/// A payload that finds no room there travels inline, as does everything of a guest that takes no memory.
final class MemoryLender {
  /// Bytes of an outbox or an inbox.
  private let size: Int
  private let largestPayload: Int
  private let turn: Turn
  private let budget: MemoryBudget
  /// Memory for messages about memory, which are written while another message is.
  private let arena = Arena(capacity: 512)

  init(limits: DeviceConfiguration.Limits, turn: Turn) {
    size = limits.sharedMemory
    largestPayload = limits.guestFrame
    budget = MemoryBudget(limits.sharedMemoryInAll)
    self.turn = turn
  }

  // MARK: from guests

  /// Notes that a frame has been served: what it named in the outbox is the guest's again. A guest whose frame was large
  /// is lent an outbox for the next.
  func didServe(_ frame: GuestFrame, of guest: Guest) {
    // Almost every frame is small.
    guard frame.count >= SharedBytes.leastCount || frame.namesMemory,
      let connection = guest.connection
    else { return }
    if frame.count >= SharedBytes.leastCount, connection.memory.window == nil {
      lend(.outbox, to: connection)
    }
    guard let outbox = connection.memory.window, !outbox.named.isEmpty else { return }
    outbox.take()
    for payload in outbox.named {
      turn.send(HostMessage(.release(offset: payload.offset)), to: guest)
    }
  }

  // MARK: to guests

  /// Room in the guest's inbox for a payload; nil where the payload is to be inline.
  func room(for count: Int, in guest: Guest) -> InboxRoom? {
    guard count >= SharedBytes.leastCount, guest.isReady, let connection = guest.connection else {
      return nil
    }
    if connection.memory.inbox == nil { lend(.inbox, to: connection) }
    return connection.memory.room(for: count)
  }

  /// Calls `body` with messages to the guest encoded so that large payloads are in its inbox.
  func placing(in guest: Guest, _ body: () -> Void) {
    turn.encoding.placement = { [unowned self] payload in
      guard let room = room(for: payload.count, in: guest) else { return nil }
      room.bytes.copyMemory(from: payload)
      return room.place
    }
    body()
    turn.encoding.placement = nil
  }

  /// Lends memory, where the guest takes it, it can be told at once, and as much may still be lent.
  private func lend(_ use: SharedMemoryUse, to connection: GuestConnection) {
    // The message overtakes what waits to be sent, so none of a frame may be in the port, and the handshake must be over.
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

/// The memory that a guest's process was lent, and the payloads in it.
///
/// The guest writes to its outbox whenever it likes. Into its inbox only the device writes, and a payload there is the
/// guest's until the guest gives it back.
final class GuestMemory {
  /// Whether the process may be lent memory, as it said in its handshake.
  var isWelcome = false
  /// The outbox, for reading; nil where there is none.
  private(set) var window: SharedWindow?
  private var outbox: LentRegion?
  private(set) var inbox: LentRegion?
  /// The payloads in the inbox that the guest has not given back.
  private var blocks: BlockAllocator?

  /// - Parameter limit: bytes of all payloads in one frame.
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

  // MARK: the inbox

  /// Room for a payload of `count` bytes, to be written before anything else is sent to the guest; nil where there is
  /// none.
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

  /// Takes back the payload at `offset`.
  ///
  /// - Throws: ``Violation`` where the guest has none there.
  func release(_ offset: Int) throws(Violation) {
    guard blocks?.release(offset) == true else {
      throw Violation(text: "it gives back memory at \(offset) that it does not have")
    }
  }
}

/// Room for a payload in a guest's inbox.
struct InboxRoom {
  let place: SharedBytes
  let bytes: UnsafeMutableRawBufferPointer
}

/// A region that a guest was lent: as long as it exists, it counts among all that the device lends.
final class LentRegion {
  let region: SharedRegion
  private let budget: MemoryBudget

  init(_ region: SharedRegion, _ budget: MemoryBudget) {
    self.region = region
    self.budget = budget
  }

  deinit { budget.giveBack(region.bytes.count) }
}

/// The bytes that the device may still lend to guests.
final class MemoryBudget {
  private var rest: Int

  init(_ limit: Int) { rest = limit }

  /// Takes `count` bytes; false where fewer are left.
  func take(_ count: Int) -> Bool {
    guard count <= rest else { return false }
    rest -= count
    return true
  }

  func giveBack(_ count: Int) { rest += count }
}
