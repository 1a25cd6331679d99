import Model
import Testing

@Suite struct ItemTests {
  /// The bytes at which the rules of well-formed UTF-8 change, and the bytes before and after them.
  private static let bounds: [UInt8] = [
    0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
    0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
  ]

  private static func item(_ bytes: [UInt8]) -> Item {
    Item(type: Item.plainText, payload: .inline(bytes))
  }

  /// Returns the number of scalars in the string.
  private static func counted(_ bytes: [UInt8]) -> Int? {
    String(validating: bytes, as: UTF8.self)?.unicodeScalars.count
  }

  @Test
  func `an item's character count equals a naive count and is nil for malformed UTF-8`() {
    #expect(Self.item([]).characterCount == 0)
    var wrong: [[UInt8]] = []
    for a in Self.bounds {
      for b in Self.bounds {
        for c in Self.bounds {
          for d in Self.bounds {
            for bytes in [[a], [a, b], [a, b, c], [a, b, c, d]]
            where Self.item(bytes).characterCount != Self.counted(bytes) {
              wrong.append(bytes)
            }
          }
        }
      }
    }
    #expect(wrong.isEmpty)
  }

  @Test(arguments: [
    "a", "\u{E9}", "\u{1F1E9}", "\u{915}\u{94D}", "\r\n", "e\u{301}\u{1F469}\u{200D}",
  ])
  func `the character count equals the number of Unicode scalars at any length`(_ unit: String) {
    for prefix in 0..<9 {
      let text = String(repeating: "x", count: prefix) + String(repeating: unit, count: 50)
      #expect(Item(text: text).characterCount == text.unicodeScalars.count)
      let cut = Array(text.utf8.dropLast()) + [0xC3]
      #expect(Self.item(cut).characterCount == nil)
    }
  }

  @Test(
    arguments: [
      ("anna@contoso.com", "1", "2", ["anna@contoso.com", "1", "2"]),
      ("anna@contoso.com", "", "", ["anna@contoso.com", nil, nil]), ("", "1", "2", nil),
    ] as [(String, String, String, [String?]?)])
  func `account fields with an empty UPN are decoded as no account`(
    upn: String, objectID: String, tenantID: String, names: [String?]?
  ) {
    let account = Account(ownerUPN: upn, ownerObjectID: objectID, ownerTenantID: tenantID)
    #expect(account.map { [$0.upn, $0.objectID, $0.tenantID] } == names)
  }
}
