import Model
import Testing
import Wire

/// Compares the protocol's bytes with those of an independent encoder, field by field. Every change
/// is therefore noticed.
@Suite struct GoldenBytesTests {
  private static let item = Item(type: "public.png", name: "a.png", payload: .inline([0, 0xFF]))
  private static let itemBytes = "0a0a7075626c69632e706e67 1205612e706e67 1a0200ff"

  private static let tag = OwnershipTag(
    ownerUPN: "ann@contoso.com", ownerObjectID: "oid", ownerTenantID: "tid", isManaged: true,
    originApp: "mail", device: "phone", sequence: 0x0102, seal: Array(repeating: 0xAB, count: 32))
  private static let tagBytes =
    "0a0f616e6e40636f6e746f736f2e636f6d 12036f6964 1a03746964 2001 2a046d61696c 320570686f6e65 "
    + "390201000000000000 4220" + String(repeating: "ab", count: 32)

  static let guestMessages: [(GuestMessage, String)] = [
    (
      GuestMessage(.hello(Hello(transport: 1, application: 1, claimedApp: "mail"))),
      "0c000000 120a 0801 1001 1a046d61696c"
    ),
    (GuestMessage(.acknowledge(through: 300)), "05000000 1a03 08ac02"),
    (
      GuestMessage(
        request: 5,
        .share(
          Share(
            destination: "notes", item: item, via: .os, way: .openIn, claimedSource: "c",
            isPosted: true))),
      "2d000000 0805 2229 0a056e6f746573 1217 \(itemBytes) 1801 2001 2a0163 3001"
    ),
    (GuestMessage(request: 6, .paste), "04000000 0806 3a00"),
  ]

  static let hostMessages: [(HostMessage, String)] = [
    (
      HostMessage(
        .welcome(
          Welcome(transport: 1, application: 1, guest: "mail#1", app: "mail", device: "phone"))),
      "20000000 121e 0801 1001 1a066d61696c2331 22046d61696c 2a0570686f6e65 3080808008"
    ),
    (HostMessage(.rejected(reason: "no")), "06000000 1a04 0a026e6f"),
    (
      HostMessage(
        .delivery(
          Delivery(
            sequence: 1, item: Item(type: "t", payload: .inline([1]), tag: tag), sender: "mail",
            isEncrypted: true, isForUnmanaged: true))),
      "6d000000 2a6b 0801 125d 0a0174 1a0101 2a55 \(tagBytes) 1a046d61696c 2001 3001"
    ),
    (
      HostMessage(
        request: 5,
        .outcome(
          RequestOutcome(
            verdict: .encrypted, end: .failed,
            reasons: [OutcomeReason(rule: "r", side: "sender", setting: "s")], status: -25300,
            items: [item]))),
      "35000000 0805 2231 0801 1004 1a0e 0a0172 120673656e646572 1a0173 20a78b03 2a17 \(itemBytes)"
    ),
    (HostMessage(.stop), "02000000 5a00"),
  ]

  @Test(arguments: guestMessages)
  func `guest messages match the golden bytes`(message: GuestMessage, golden: String) {
    #expect(hex(frame(message)) == golden.filter { $0 != " " })
  }

  @Test(arguments: hostMessages)
  func `host messages match the golden bytes`(message: HostMessage, golden: String) {
    #expect(hex(frame(message)) == golden.filter { $0 != " " })
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
