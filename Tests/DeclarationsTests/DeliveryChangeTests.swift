import Declarations
import Model
import Testing

/// Tests that the changes are reported, and no others.
struct DeliveryChangeTests {
  typealias Given = ManagedDeliveryTests

  /// Returns the standard set with a replaced text, in declarations and files.
  static func delivery(_ old: String = "", _ new: String = "") -> ManagedDelivery {
    let swap = { (text: String) in old.isEmpty ? text : text.replacing(old, with: new) }
    return Given.delivery(Given.set(Given.declarations.map(swap), Given.files.mapValues(swap)))
  }

  static let changes: [(String, String, [String: [DeliveryChange.Aspect]])] = [
    (
      "mail.contoso.com", "post.contoso.com",
      [
        "com.contoso.mail": [.configuration, .legacyConfiguration],
        "com.contoso.mail.keys": [.configuration], "com.contoso.mail.share": [.configuration],
      ]
    ),
    (
      #""pw""#, #""other""#,
      [
        "com.contoso.mail": [
          .value(.password, identifier: "b"), .value(.password, identifier: "a"),
        ]
      ]
    ),
    (#""Identifier": "b""#, #""Identifier": "z""#, ["com.contoso.mail": [.list(.password)]]),
    ("MAMCAQE=", "MAMCAQI=", ["com.contoso.mail": [.value(.certificate, identifier: "c")]]),
    (
      "https://ca.contoso.com", "https://ca2.contoso.com",
      ["com.contoso.mail": [.value(.identity, identifier: "i")]]
    ),
    // A new revision has other keys for identities that the device creates, and the same bytes for
    // the rest.
    (
      #""Identifier": "scep", "ServerToken": "1""#,
      #""Identifier": "scep", "ServerToken": "2""#,
      ["com.contoso.mail": [.value(.identity, identifier: "i")]]
    ),
    (
      #""Identifier": "p", "ServerToken": "1""#,
      #""Identifier": "p", "ServerToken": "2""#, [:]
    ),
    (
      #""stage": "live""#, #""stage": "test""#,
      [
        "com.contoso.mail": [
          .configuration, .legacyConfiguration, .list(.password), .list(.identity),
          .list(.certificate),
        ],
        "com.contoso.mail.keys": [.configuration], "com.contoso.mail.share": [.configuration],
      ]
    ),
  ]

  @Test(arguments: changes)
  func `each app is notified of exactly the kinds of values that changed`(
    old: String, new: String, aspects: [String: [DeliveryChange.Aspect]]
  ) {
    let changes = Self.delivery(old, new).changes(from: Self.delivery())
    #expect(
      Dictionary(changes.map { ($0.recipient.bundle, $0.aspects) }) { first, _ in first } == aspects
    )
    // The reverse change has the same values.
    let back = Self.delivery().changes(from: Self.delivery(old, new))
    #expect(back.map(\.recipient) == changes.map(\.recipient))
  }

  @Test func `a delivery equal to the previous delivery has no changes`() {
    #expect(Self.delivery().changes(from: Self.delivery()).isEmpty)
    #expect(ManagedDelivery().changes(from: ManagedDelivery()).isEmpty)
  }

  @Test
  func `on the first delivery, each recipient is notified of the kinds of values it receives`() {
    let changes = Self.delivery().changes(from: ManagedDelivery())
    #expect(changes.count == 3)
    #expect(changes.first?.concerns(.password) == true)
    #expect(changes.last?.concerns(.password) == false)
  }

  @Test func `removing an app reports a change for each recipient of the app's values`() {
    let before = Self.delivery()
    let after = Given.delivery(Given.set(), [Folder.app("com.contoso.notes")])
    #expect(after.changes(from: before).map(\.recipient) == before.contents.keys.sorted())
  }
}
