import Model
import Testing
import Wire

/// Tests that strings from guests are text, and that names have a maximum length.
@Suite struct MessageTextTests {
  private static let long = String(repeating: "n", count: 9_000)
  private static let half = String(repeating: "h", count: 4_500)
  private static let item = Item(type: "public.text", payload: .inline([1]))

  private static let longNames: [GuestMessage] = [
    GuestMessage(.hello(Hello(claimedApp: long))),
    GuestMessage(
      request: 1, .share(Share(destination: "a", item: item, claimedSource: long))),
    GuestMessage(
      request: 1,
      .share(Share(destination: half, item: item, claimedSource: half))),
    GuestMessage(.provided(ask: 1, Item(type: long, payload: .inline([])))),
    GuestMessage(.provided(ask: 1, Item(type: "t", name: long, payload: .inline([])))),
    GuestMessage(request: 1, .removeFile(FileReference(long))),
    GuestMessage(request: 1, .paste, task: TaskContext(thread: long)),
    GuestMessage(request: 1, .cancelExtension(why: long)),
  ]

  @Test(arguments: longNames.indices) func `the total length of names is limited in every message`(
    index: Int
  ) throws {
    let error = #expect(throws: WireError.self) {
      try decodeGuest(content(frame(Self.longNames[index])))
    }
    guard case .longNames(let length)? = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(length > 8_192)
  }

  @Test
  func `an overlong name in an ownership tag is rejected, and sixty ordinary tags are accepted`()
    throws
  {
    var item = Self.item
    item.tag = OwnershipTag(
      ownerUPN: Self.long, ownerObjectID: "", ownerTenantID: "", isManaged: false, originApp: "",
      device: "", sequence: 1, seal: [])
    let share = GuestMessage(request: 1, .share(Share(destination: "a", item: item)))
    #expect(throws: WireError.longNames(length: 9_000)) {
      try decodeGuest(content(frame(share)))
    }
    // A hundred names of usual length are accepted.
    item.tag?.ownerUPN = String(repeating: "u", count: 300)
    let items = Array(repeating: item, count: 60)
    let message = GuestMessage(request: 1, .completeExtension(items))
    #expect(try decodeGuest(content(frame(message))) == message)
  }

  @Test func `log texts and failure reasons are not subject to the limit on names`() throws {
    for body in [GuestMessage.Body.log(Self.long), .failed(why: Self.long)] {
      let message = GuestMessage(body)
      #expect(try decodeGuest(content(frame(message))) == message)
    }
  }

  /// Returns `Share.destination`, `Item.type`, `SignIn.account` and `Log.text` with these bytes.
  private static func messages(with bytes: [UInt8]) -> [[UInt8]] {
    func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
      [number << 3 | 2, UInt8(content.count)] + content
    }
    let payload = field(3, [7])
    return [
      [0x08, 1] + field(4, field(1, bytes) + field(2, payload)),
      [0x08, 1] + field(4, field(2, field(1, bytes) + payload)),
      [0x08, 1] + field(12, field(1, bytes)),
      [0xA2, 0x01, UInt8(bytes.count + 2)] + field(1, bytes),
    ]
  }

  @Test(arguments: [
    Array("a\0b".utf8), [0], [0xFF], [0x61, 0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80],
    Array(repeating: 0x61, count: 80) + [0x80],
  ]) func `a guest message with a string that is not UTF-8 or contains U+0000 is rejected`(
    bytes: [UInt8]
  ) {
    for message in Self.messages(with: bytes) {
      let error = #expect(throws: WireError.self) { try decodeGuest(message) }
      guard case .malformedText? = error else {
        Issue.record("another error: \(String(describing: error)) for \(message)")
        continue
      }
    }
    for message in Self.messages(with: Array("grün 🌱".utf8)) {
      #expect(throws: Never.self) { try decodeGuest(message) }
    }
  }

  @Test func `a guest message with 80,000 fields is rejected`() {
    // These are eighty thousand accounts without a name, as `others` of a view.
    let others = Array(repeating: [0x2A, 0x00] as [UInt8], count: 80_000).flatMap(\.self)
    let length: [UInt8] = [0x80, 0xE2, 0x09]
    let content = [0x08, 0x01, 0x72] + length + others
    #expect(throws: WireError.malformedMessage(length: content.count)) {
      try decodeGuest(content)
    }
  }
}
