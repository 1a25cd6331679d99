import Model
import Testing
import Wire

/// The hand-written encoders produce the same bytes as protobuf-c.
@Suite struct HandWrittenEncoderTests {
  // The lengths and numbers are around the size boundaries of a varint.
  private static let lengths = [0, 1, 127, 128, 129, 16_383, 16_384]
  private static let numbers: [UInt64] = [
    1, 127, 128, 16_383, 16_384, 1 << 21 - 1, 1 << 21, 1 << 28, 1 << 35, 1 << 56, 1 << 63, .max,
  ]
  private static let everyMark = (0..<8 as Range<UInt8>).map(
    FrameBuffer.DeliveryMarks.init(rawValue:))

  private static func text(_ length: Int) -> String { String(repeating: "a", count: length) }

  @Test(arguments: lengths, lengths)
  func `the hand-written encoder and protobuf-c agree on types and names of any length`(
    type: Int, name: Int
  ) {
    for sender in Self.lengths {
      var delivery = delivery()
      delivery.item.type = Self.text(type)
      delivery.item.name = name == 0 ? nil : Self.text(name)
      delivery.sender = Self.text(sender)
      expectSameBytes(delivery)
    }
  }

  @Test(arguments: lengths, lengths)
  func `the hand-written encoder and protobuf-c agree on payloads and tags of any length`(
    payload: Int, owner: Int
  ) {
    var delivery = delivery()
    delivery.item.payload = .inline(Array(repeating: 0xA5, count: payload))
    delivery.item.tag?.ownerUPN = Self.text(owner)
    expectSameBytes(delivery)
  }

  @Test(arguments: numbers, numbers)
  func `the hand-written encoder and protobuf-c agree on any sequence number`(
    delivered: UInt64, sealed: UInt64
  ) {
    var delivery = delivery()
    delivery.sequence = delivered
    delivery.item.tag?.sequence = sealed
    expectSameBytes(delivery)
  }

  @Test(arguments: everyMark)
  func `the hand-written encoder and protobuf-c agree on every combination of delivery marks`(
    marks: FrameBuffer.DeliveryMarks
  ) {
    var delivery = delivery()
    delivery.isEncrypted = marks.contains(.encrypted)
    delivery.isForUnmanaged = marks.contains(.forUnmanaged)
    expectSameBytes(delivery)
  }

  @Test(arguments: 0..<64)
  func `the hand-written encoder and protobuf-c agree on tags with absent fields`(
    fields: Int
  ) {
    func text(_ bit: Int, _ text: String) -> String { fields >> bit & 1 == 1 ? text : "" }
    var delivery = delivery()
    delivery.item.tag = OwnershipTag(
      ownerUPN: text(0, "jörg@contoso.com"), ownerObjectID: text(1, "id"),
      ownerTenantID: text(2, "tenant"), isManaged: fields >> 3 & 1 == 1,
      originApp: text(4, "com.contoso.mail"), device: text(5, "日本"), sequence: 1,
      seal: Array(0..<32))
    expectSameBytes(delivery)
  }

  private func delivery() -> Delivery {
    Delivery(sequence: 1, item: Samples.item, sender: "com.contoso.mail")
  }

  private func expectSameBytes(
    _ delivery: Delivery, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let packed = frame(HostMessage(.delivery(delivery)))
    #expect(handWritten(delivery) == packed, sourceLocation: sourceLocation)
  }

  private func handWritten(_ delivery: Delivery) -> [UInt8] {
    guard let tag = delivery.item.tag, case .inline(let payload) = delivery.item.payload else {
      preconditionFailure("only sealed items are delivered")
    }
    var buffer = FrameBuffer(capacity: 16)
    withBytes(Array(delivery.item.type.utf8), Array((delivery.item.name ?? "").utf8), payload) {
      let item = FrameBuffer.ItemParts(type: $0, name: $1, payload: $2)
      withBytes(TagTemplate(tag).bytes, tag.seal, Array(delivery.sender.utf8)) {
        buffer.appendDelivery(
          sequence: delivery.sequence, item: item,
          tag: .init(template: $0, sequence: tag.sequence, seal: $1), sender: $2,
          marks: marks(of: delivery))
      }
    }
    return Array(buffer.bytes)
  }

  private func marks(of delivery: Delivery) -> FrameBuffer.DeliveryMarks {
    var marks: FrameBuffer.DeliveryMarks = []
    if delivery.isEncrypted { marks.insert(.encrypted) }
    if delivery.isForUnmanaged { marks.insert(.forUnmanaged) }
    return marks
  }

  @Test(arguments: [0] + numbers)
  func `the hand-written encoder and protobuf-c agree on outcomes of any request number`(
    request: UInt64
  ) {
    expectSameBytes(Samples.outcome, request)
    expectSameBytes(RequestOutcome(verdict: .blocked, end: .delivered), request)
  }

  @Test(arguments: Outcome.allCases, RequestEnd.allCases)
  func `the hand-written encoder and protobuf-c agree on outcomes with any verdict and request end`(
    verdict: Outcome, end: RequestEnd
  ) {
    for reasons in [0, 1, 2, 40] {
      for status in [0, 1, -1, 63, 64, -65, -25300, Int(Int32.min), Int(Int32.max)] {
        let outcome = RequestOutcome(
          verdict: verdict, end: end,
          reasons: Array(repeating: Samples.outcome.reasons[0], count: reasons), status: status)
        expectSameBytes(outcome, 1)
      }
    }
  }

  @Test(arguments: lengths)
  func `the hand-written encoder and protobuf-c agree on outcomes with items of any length`(
    length: Int
  ) {
    var outcome = Samples.outcome
    outcome.items.append(
      Item(type: "t", payload: .inline(Array(repeating: 1, count: length)), tag: Samples.tag))
    expectSameBytes(outcome, 1)
  }

  private func expectSameBytes(
    _ outcome: RequestOutcome, _ request: UInt64,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var buffer = FrameBuffer(capacity: 16)
    buffer.appendOutcome(request: request, PackedOutcome(outcome, using: Arena()))
    let packed = frame(HostMessage(request: request, .outcome(outcome)))
    #expect(Array(buffer.bytes) == packed, sourceLocation: sourceLocation)
  }
}

private func withBytes(
  _ first: [UInt8], _ second: [UInt8], _ third: [UInt8],
  _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void
) {
  first.withUnsafeBytes { first in
    second.withUnsafeBytes { second in
      third.withUnsafeBytes { body(first, second, $0) }
    }
  }
}
