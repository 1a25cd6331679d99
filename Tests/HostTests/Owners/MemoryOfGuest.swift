import EventLoop
import Testing
import Wire

/// What a guest in memory does with the memory that it is lent: as it should, or as a test has it.
final class MemoryOfGuest {
  private(set) var outbox: SharedRegion?
  private(set) var inbox: SharedRegion?
  /// A descriptor that came with the message that is taken next.
  var descriptor: Int32 = -1
  /// Where it says that its payloads are, instead of where they are; nil: as it should.
  var claim: ((UnsafeRawBufferPointer) -> SharedBytes?)?
  /// Payloads that came in the inbox and were not given back.
  private(set) var unreleased: [SharedBytes] = []
  private var window: SharedWindow?
  private var blocks = BlockAllocator(0, alignment: SharedBytes.alignment)

  /// Puts a payload into the outbox; nil where there is none, or no room.
  func place(_ payload: UnsafeRawBufferPointer) -> SharedBytes? {
    if let claim { return claim(payload) }
    guard let outbox, let offset = blocks.allocate(payload.count) else { return nil }
    UnsafeMutableRawBufferPointer(rebasing: outbox.bytes[offset..<(offset + payload.count)])
      .copyMemory(from: payload)
    return SharedBytes(offset: offset, count: payload.count)
  }

  func message(_ frame: UnsafeRawBufferPointer) throws -> HostMessage {
    let message = try HostMessage(frame, arena: Arena(), inbox: window)
    unreleased += window?.named ?? []
    if case .sharedMemory(let use, let count) = message.body {
      switch use {
      case .outbox:
        outbox = try SharedRegion.adopt(descriptor, count, for: .writing)
        blocks = BlockAllocator(count, alignment: SharedBytes.alignment)
      case .inbox:
        let region = try SharedRegion.adopt(descriptor, count, for: .reading)
        inbox = region
        window = SharedWindow(UnsafeRawBufferPointer(region.bytes), limit: count)
      }
    }
    if case .release(let offset) = message.body {
      let wasTaken = blocks.release(offset)
      #expect(claim != nil || wasTaken, "the host gives back what was not given")
    }
    return message
  }

  func takeUnreleased() -> [SharedBytes] {
    defer { unreleased = [] }
    return unreleased
  }
}
