internal import SharedMemory
internal import Wire

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
