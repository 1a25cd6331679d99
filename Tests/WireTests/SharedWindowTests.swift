import Model
import Testing

@testable import Wire

/// Tests payloads that a frame places in shared memory.
@Suite struct SharedWindowTests {
  private static let least = UInt64(SharedBytes.leastCount)
  private static let size = 1 << 20
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 4096)

  private func window(limit: Int = size) -> SharedWindow {
    let window = SharedWindow(UnsafeRawBufferPointer(memory), limit: limit)
    window.begin()
    return window
  }

  private static let inside: [(UInt64, UInt64)] = [
    (0, least), (4096, least), (0, UInt64(size)), (UInt64(size) - least, least),
    (4096, least + 1),
  ]

  @Test(arguments: inside)
  func `a payload in shared memory is found by its offset`(offset: UInt64, length: UInt64) throws {
    let window = window()
    let bytes = try window.bytes(offset: offset, length: length)
    #expect(bytes.baseAddress == UnsafeRawPointer(memory.baseAddress! + Int(offset)))
    #expect(bytes.count == Int(length))
    #expect(window.named == [SharedBytes(offset: Int(offset), count: Int(length))])
    memory.deallocate()
  }

  private static let outside: [(UInt64, UInt64)] = [
    (1, least), (4095, least), (UInt64(size), least), (UInt64(size) - least + 4096, least),
    (0, UInt64(size) + 1), (0, 0), (0, least - 1), (UInt64.max & ~4095, least),
    (UInt64.max & ~4095, UInt64.max), (0, UInt64.max), (1 << 63, least), (1 << 63, 1 << 63),
    (UInt64.max & ~4095, 4096),
  ]

  @Test(arguments: outside)
  func `a payload outside shared memory is rejected`(offset: UInt64, length: UInt64) {
    let window = window()
    #expect(throws: WireError.outsideOfMemory(offset: offset, length: length)) {
      try window.bytes(offset: offset, length: length)
    }
    #expect(window.named.isEmpty)
    memory.deallocate()
  }

  @Test func `overlapping shared memory payloads and payloads above the limit are rejected`() throws
  {
    let window = window(limit: 3 * SharedBytes.leastCount)
    _ = try window.bytes(offset: 1 << 19, length: Self.least)
    window.take()
    window.begin()
    _ = try window.bytes(offset: 0, length: Self.least)
    for offset: UInt64 in [0, 4096, 1 << 19, (1 << 19) + 4096, (1 << 19) - 4096] {
      #expect(throws: WireError.self) { try window.bytes(offset: offset, length: Self.least) }
    }
    _ = try window.bytes(offset: Self.least, length: 2 * Self.least)
    #expect(throws: WireError.self) {
      try window.bytes(offset: 4 * Self.least, length: Self.least)
    }
    window.giveBack()
    window.begin()
    _ = try window.bytes(offset: 1 << 19, length: Self.least)
    memory.deallocate()
  }

  /// A share with a payload in shared memory is decoded equally in place and by protobuf-c. Its
  /// name needs no space in text.
  @Test func `a share in shared memory is decoded in place`() throws {
    let item = Item(
      type: "public.png", payload: .inline(Array(repeating: 7, count: SharedBytes.leastCount)))
    let place = SharedBytes(offset: 8192, count: SharedBytes.leastCount)
    let arena = Arena()
    for claim in ["", "claim"] {
      var frames = FrameBuffer()
      arena.placement = { payload in
        memory.baseAddress!.advanced(by: 8192)
          .copyMemory(from: payload.baseAddress!, byteCount: payload.count)
        return place
      }
      let share = Share(destination: "x", item: item, claimedSource: claim)
      frames.append(GuestMessage(request: 1, .share(share)), using: arena)
      #expect(frames.count < 100)
      let content = UnsafeRawBufferPointer(rebasing: frames.bytes[4...])
      let frame = try GuestFrame(content, arena: arena, outbox: window())
      #expect(frame.sharedPayloads == [place])
      #expect(frame.share?.item.origin == .guest)
      #expect(frame.share?.item.payload.baseAddress == UnsafeRawPointer(memory.baseAddress! + 8192))
      guard case .share(let whole) = try frame.message(using: arena).body else {
        Issue.record("it is not a share")
        return
      }
      #expect(whole == share)
      #expect(throws: WireError.self) { _ = try GuestFrame(content, arena: arena) }
    }
    memory.deallocate()
  }

  /// The field numbers of guest messages with an item, and of the item in them.
  private static let messagesWithItems: [(body: UInt32, item: UInt32)] = {
    let parts = DeclarationRecord().runs.reduce(into: [:]) { $0[$1.message] = $1.parts }
    return (parts["sluice.GuestMessage"] ?? [:]).flatMap { body, message in
      (parts[message] ?? [:]).filter { $0.value == "sluice.Item" }.map { (body, $0.key) }
    }
    .sorted { $0.body < $1.body }
  }()

  @Test func `any item payload in a guest message may be in shared memory`() throws {
    #expect(Self.messagesWithItems.count > 7)
    for (body, item) in Self.messagesWithItems {
      // The field is `SharedBytes` of the minimum length at offset 0.
      let content = field(body, field(item, field(4, [0x10, 0x80, 0x80, 0x04])))
      try content.withUnsafeBytes { bytes in
        let arena = Arena()
        let frame = try GuestFrame(bytes, arena: arena, outbox: window())
        #expect(frame.sharedPayloads == [SharedBytes(offset: 0, count: SharedBytes.leastCount)])
        #expect(throws: Never.self, "\(body)") { try frame.message(using: arena) }
      }
    }
    memory.deallocate()
  }

  private func field(_ number: UInt32, _ content: [UInt8]) -> [UInt8] {
    let key = number << 3 | 2
    let keyBytes = key < 128 ? [UInt8(key)] : [UInt8(key & 127) | 128, UInt8(key >> 7)]
    return keyBytes + [UInt8(content.count)] + content
  }

  @Test(arguments: Samples.guestBodies)
  func `a payload written to shared memory is read back`(body: GuestMessage.Body) throws {
    // Samples are small, so none of their payloads is placed in shared memory.
    let arena = Arena()
    arena.placement = { _ in SharedBytes(offset: 0, count: 0) }
    var frames = FrameBuffer()
    frames.append(GuestMessage(body), using: arena)
    let content = UnsafeRawBufferPointer(rebasing: frames.bytes[4...])
    #expect(try GuestFrame(content, arena: arena).message(using: arena).body == body)
    memory.deallocate()
  }
}
