import Model
import TestSupport
import Testing
import Wire

/// Shares are read in place. protobuf-c reads all other messages. Both readers must agree.
@Suite struct ShareFrameTests {
  private static let shares = Samples.guestBodies.compactMap { body in
    if case .share(let share) = body {
      content(frame(GuestMessage(request: 300, .share(share))))
    } else {
      nil
    }
  }

  @Test func `the fast share decoder gives the same result as protobuf-c`() throws {
    for content in Self.shares {
      #expect(try shareWhereItLies(content) == decodeGuest(content))
    }
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `the fast share decoder and protobuf-c agree on mutated shares`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      var content = try #require(Self.shares.randomElement(using: &generator))
      for _ in 0...Int.random(in: 0...2, using: &generator) {
        // The numbers are small, because these affect lengths and keys most. NUL is not used,
        // because it terminates C strings.
        content[Int.random(in: content.indices, using: &generator)] =
          .random(in: 1...64, using: &generator)
      }
      guard let share = try? shareWhereItLies(content) else { continue }
      #expect(try share == decodeGuest(content), "\(content)")
    }
  }

  // These are the encodings that the fast reader leaves to protobuf-c: a duplicate field, an
  // unknown field, a wrong wire type, and the request number after the body.
  @Test func `the fast share decoder leaves repeated and unknown fields to protobuf-c`() throws {
    let item: [UInt8] = [0x12, 0x03, 0x1A, 0x01, 0x07]
    let unusual: [[UInt8]] = [
      share(item + item), share(item + [0x78, 0x01]),
      share(item + [0x0A, 0x01, 0x61, 0x0A, 0x01, 0x62]),
      share(item) + [0x08, 0x05], share(item) + share(item), share(item) + [0x98, 0x06, 0x01],
    ]
    for content in unusual {
      #expect(try shareWhereItLies(content) == nil)
      guard case .share(let share) = try decodeGuest(content).body else {
        Issue.record("no share: \(content)")
        continue
      }
      #expect(share.item.payload == .inline([7]))
    }
  }

  private func share(_ fields: [UInt8]) -> [UInt8] { [0x22, UInt8(fields.count)] + fields }

  @Test func `the fast share decoder leaves an unknown sharing path to protobuf-c`() throws {
    let item: [UInt8] = [0x12, 0x03, 0x1A, 0x01, 0x07]
    #expect(try shareWhereItLies(share(item + [0x20, 0x02])) != nil)
    #expect(try shareWhereItLies(share(item + [0x20, 0x03])) == nil)
  }

  private func shareWhereItLies(_ content: [UInt8]) throws -> GuestMessage? {
    try content.withUnsafeBytes { bytes in
      let frame = try GuestFrame(bytes, arena: Arena())
      return frame.share.map { GuestMessage(request: frame.request, .share(Share($0))) }
    }
  }
}

extension Share {
  fileprivate init(_ frame: ShareFrame) {
    let name = String(decoding: frame.item.name, as: UTF8.self)
    self.init(
      destination: String(decoding: frame.destination, as: UTF8.self),
      item: Item(
        type: String(decoding: frame.item.type, as: UTF8.self), name: name.isEmpty ? nil : name,
        payload: .inline(Array(frame.item.payload)), tag: frame.item.tag),
      via: frame.via, way: frame.way,
      claimedSource: String(decoding: frame.claimedSource, as: UTF8.self), isPosted: frame.isPosted)
  }
}
