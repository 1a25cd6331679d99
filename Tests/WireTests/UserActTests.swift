import Model
import Testing
import Wire

@Suite struct UserActTests {
  private static let item = Item(
    type: "public.utf8-plain-text", name: "é.txt", payload: .inline([0, 1, .max]),
    tag: OwnershipTag(
      ownerUPN: "anna@contoso.com", ownerObjectID: "oid", ownerTenantID: "tid", isManaged: true,
      originApp: "com.example.mail", device: "phone", sequence: .max, seal: [1, 2]))

  static let acts: [UserAct] =
    [
      .tap(button: "é", title: nil), .tap(button: "", title: ""), .choose(.app("com.example.mail")),
      .choose(.appExtension("")),
      .pick(PickedDocument(item, location: .oneDriveForBusiness, account: "anna@contoso.com")),
      .pick(PickedDocument(Item(text: ""))), .pick(PickedDocument(location: .camera, account: "")),
      .cancel, .launch,
    ] + ScenePhase.allCases.map { .scene($0) }

  @Test(arguments: acts) func `encoding and decoding a user action returns the same action`(
    act: UserAct
  ) throws {
    #expect(try UserAct(encoded: act.encoded()) == act)
  }

  @Test func `an encoded user action is never empty`() {
    for act in Self.acts { #expect(!act.encoded().isEmpty) }
  }

  /// Tests every action truncated, bytes that are not a message, and actions of a later version.
  @Test func `an invalid user action is rejected`() {
    let cut = Self.acts.map { Array($0.encoded().dropLast()) }
    let others: [[UInt8]] = [
      [], [0xff], [0x3a, 0],  // a seventh act
      [0x2a, 2, 8, 9],  // a scene in a tenth phase
      [0x1a, 3, 0x12, 1, 0x61],  // a pick at the location `a`
    ]
    for bytes in cut + others {
      #expect(throws: WireError.self, "\(bytes)") { try UserAct(encoded: bytes) }
    }
  }
}
