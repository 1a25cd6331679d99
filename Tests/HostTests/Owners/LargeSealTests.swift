import Model
import Testing
import Wire

@testable import Host

/// Seals of payloads around the length from which a seal is of a hash.
@Suite struct LargeSealTests {
  private static let least = SharedPayloadTests.least

  @Test
  func `around the length from which a seal is of a hash, no byte and no length is another's`()
    throws
  {
    let sealer = Sealer(device: "lab", key: Array(repeating: 7, count: 32))
    let stamp = sealer.stamp(owner: QuietLab.anna, isManaged: true, originApp: "com.example.a")
    let type = Array("public.png".utf8)
    func tag(_ payload: [UInt8]) -> OwnershipTag {
      type.withUnsafeBytes { type in
        payload.withUnsafeBytes { payload in
          sealer.seal(stamp, number: 7, type: type, payload: payload)
          return OwnershipTag(
            ownerUPN: QuietLab.anna.upn, ownerObjectID: QuietLab.anna.objectID ?? "",
            ownerTenantID: QuietLab.anna.tenantID ?? "", isManaged: true,
            originApp: "com.example.a", device: "lab", sequence: 7,
            seal: Array(sealer.seal))
        }
      }
    }
    func isGenuine(_ tag: OwnershipTag, _ payload: [UInt8]) -> Bool {
      type.withUnsafeBytes { type in
        payload.withUnsafeBytes { sealer.isGenuine(tag, type: type, payload: $0) }
      }
    }
    let lengths = (-18...18).map { Self.least + $0 }
    for length in lengths {
      let payload = SharedPayloadTests.item(length).bytes
      let own = tag(payload)
      #expect(isGenuine(own, payload))
      for place in [0, 15, 16, length / 2, length - 17, length - 1] {
        var altered = payload
        altered[place] ^= 0x80
        #expect(!isGenuine(own, altered))
      }
      var swapped = payload
      swapped.swapAt(0, 61)
      #expect(swapped == payload || !isGenuine(own, swapped))
      #expect(!isGenuine(own, payload + [0]) && !isGenuine(own, Array(payload.dropLast())))
      for other in lengths where other != length {
        #expect(!isGenuine(own, SharedPayloadTests.item(other).bytes))
      }
    }
  }

  @Test(arguments: [1, least - 1, least, least + 1, 3 * least - 5, 1 << 20])
  func `a seal that is made while bytes are copied is that of the copy`(count: Int) throws {
    let key = [UInt8](repeating: 9, count: 32)
    let (copying, plain) = (Sealer(device: "lab", key: key), Sealer(device: "lab", key: key))
    let stamp = plain.stamp(owner: nil, isManaged: false, originApp: "a")
    let payload = SharedPayloadTests.item(count).bytes
    var copy = [UInt8](repeating: 0, count: count)
    payload.withUnsafeBytes { payload in
      let type = UnsafeRawBufferPointer(start: nil, count: 0)
      plain.seal(stamp, number: 1, type: type, payload: payload)
      copy.withUnsafeMutableBytes {
        copying.seal(stamp, number: 1, type: type, copying: payload, to: $0)
      }
    }
    #expect(copy == payload)
    #expect(Array(copying.seal) == Array(plain.seal))
  }
}
