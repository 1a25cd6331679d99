import Model
import TestSupport
import Testing
import Wire

@Suite struct MalformedMessageTests {
  @Test func `a guest or host message without a body is rejected`() {
    #expect(throws: WireError.emptyMessage) { try decodeGuest([]) }
    #expect(throws: WireError.emptyMessage) { try decodeHost([]) }
    // The first message has only a request number, and the second only an unknown field.
    #expect(throws: WireError.emptyMessage) { try decodeGuest([0x08, 0x01]) }
    #expect(throws: WireError.emptyMessage) { try decodeHost([0x98, 0x06, 0x01]) }
  }

  static let guestMessagesWithoutContent: [[UInt8]] = [
    // These are Share, Copy and KeychainAdd without an item, Share and Copy with an item without a
    // payload, and CompleteExtension and Provided with such items.
    [0x22, 0x00], [0x32, 0x00], [0x4A, 0x00], [0x22, 0x02, 0x12, 0x00], [0x32, 0x02, 0x0A, 0x00],
    [0x7A, 0x02, 0x0A, 0x00], [0x8A, 0x01, 0x02, 0x12, 0x00],
  ]

  @Test(arguments: guestMessagesWithoutContent)
  func `a guest message without required content is rejected`(content: [UInt8]) {
    #expect(throws: WireError.emptyMessage) { try decodeGuest(content) }
  }

  static let guestMessagesWithUnknownWords: [[UInt8]] = [
    // These are a share with way 3, and an OpenFile with mode 4.
    [0x22, 0x07, 0x12, 0x03, 0x1A, 0x01, 0x07, 0x20, 0x03], [0xC2, 0x01, 0x02, 0x18, 0x04],
  ]

  @Test(arguments: guestMessagesWithUnknownWords)
  func `a guest message with an unknown sharing path or file mode is rejected`(content: [UInt8]) {
    #expect(throws: WireError.emptyMessage) { try decodeGuest(content) }
  }

  static let hostMessagesWithoutContent: [[UInt8]] = [
    // A Delivery without an item, and one with an empty item; an Outcome with an empty item.
    // A Perform with an empty message, and one with an item without a payload.
    [0x2A, 0x00], [0x2A, 0x02, 0x12, 0x00], [0x22, 0x02, 0x2A, 0x00], [0x52, 0x02, 0x12, 0x00],
    [0x52, 0x04, 0x1A, 0x02, 0x0A, 0x00],
  ]

  @Test(arguments: hostMessagesWithoutContent)
  func `a host message without required content is rejected`(content: [UInt8]) {
    #expect(throws: WireError.emptyMessage) { try decodeHost(content) }
  }

  static let noProtobuf: [[UInt8]] = [
    // These are field 0, an unfinished key, an unfinished number, a number of eleven bytes, a
    // length beyond the end, a length of 2⁶⁴ − 1, a group, and a body of the wrong wire type.
    [0x00], [0x80], [0x08], [0x08] + Array(repeating: 0x80, count: 10) + [0x01],
    [0x12, 0x02, 0x00],
    [0x12] + Array(repeating: 0xFF, count: 9) + [0x01], [0x13, 0x14], [0x10, 0x01],
  ]

  @Test(arguments: noProtobuf)
  func `message bytes that are not protobuf are rejected as malformed`(content: [UInt8]) {
    let error = WireError.malformedMessage(length: content.count)
    #expect(throws: error) { try decodeGuest(content) }
    #expect(throws: error) { try decodeHost(content) }
  }

  // Field 15 is CompleteExtension. It has eight million empty items: 16 MB that would decode to a
  // gigabyte.
  @Test func `a frame whose decoded form takes too much memory is rejected`() {
    let items = [UInt8](unsafeUninitializedCapacity: 16_000_000) { buffer, count in
      for index in buffer.indices { buffer[index] = index.isMultiple(of: 2) ? 0x0A : 0x00 }
      count = buffer.count
    }
    let content = [0x7A, 0x80, 0xC8, 0xD0, 0x07] + items
    #expect(throws: WireError.malformedMessage(length: content.count)) {
      try decodeGuest(content, arena: arena)
    }
  }

  @Test func `a message whose names have exactly the maximum total length is accepted`() throws {
    // This is the maximum number of bytes in names.
    let items = Array(repeating: Item(text: "x"), count: 340)
    let message = GuestMessage(.completeExtension(items))
    #expect(try decodeGuest(content(frame(message)), arena: arena) == message)
  }

  @Test(arguments: Samples.guestBodies)
  func `a guest message truncated at any byte is decoded or rejected`(body: GuestMessage.Body) {
    let whole = content(frame(GuestMessage(request: 300, body)))
    for count in 0..<whole.count { expectMessageOrWireError(Array(whole.prefix(count))) }
  }

  @Test(arguments: Samples.hostBodies)
  func `a host message truncated at any byte is decoded or rejected`(body: HostMessage.Body) {
    let whole = content(frame(HostMessage(request: 300, body)))
    for count in 0..<whole.count { expectMessageOrWireError(Array(whole.prefix(count))) }
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `random frames are decoded or rejected`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<5_000 {
      let count = Int.random(in: 0...64, using: &generator)
      expectMessageOrWireError((0..<count).map { _ in .random(in: 0...255, using: &generator) })
    }
  }

  @Test(arguments: 10..<20 as Range<UInt64>)
  func `mutated frames are decoded or rejected`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let valid =
      Samples.guestBodies.map { content(frame(GuestMessage(request: 1, $0))) }
      + Samples.hostBodies.map { content(frame(HostMessage(request: 1, $0))) }
    for _ in 0..<5_000 {
      var changed = valid[Int.random(in: valid.indices, using: &generator)]
      for _ in 0...Int.random(in: 0...3, using: &generator) {
        changed[Int.random(in: changed.indices, using: &generator)] =
          .random(in: 0...255, using: &generator)
      }
      expectMessageOrWireError(changed)
    }
  }

  private let arena = Arena()

  private func expectMessageOrWireError(_ content: [UInt8]) {
    expectOnlyWireErrors { _ = try decodeGuest(content, arena: arena) }
    expectOnlyWireErrors { _ = try decodeHost(content, arena: arena) }
  }

  private func expectOnlyWireErrors(_ decode: () throws -> Void) {
    do {
      try decode()
    } catch {
      if !(error is WireError) { Issue.record(error) }
    }
  }
}
