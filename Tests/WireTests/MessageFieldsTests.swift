import Model
import Testing
import Wire

/// Requests stated by the names of `proto/sluice.proto`.
@Suite struct MessageFieldsTests {
  static let requests: [(name: String, fields: [String: FieldValue], body: GuestMessage.Body)] = [
    ("paste", [:], .paste),
    ("sign_in", ["account": .text("ann")], .signIn(account: "ann")),
    ("open_url", ["url": .text("note://1")], .openURL(OpenURL("note://1"))),
    (
      "open_url", ["url": .text("note://1"), "asks_only": .flag(true)],
      .openURL(OpenURL("note://1", isQuestion: true))
    ),
    (
      "unenroll", ["account": .text("ann"), "wipe": .text("true")],
      .unenroll(account: "ann", wipes: true)
    ),
    (
      "share",
      [
        "destination": .text("notes"), "way": .text("WAY_OPEN_IN"),
        "item": .part(["type": .text("public.png"), "inline": .bytes([0, 255])]),
      ],
      .share(
        Share(
          destination: "notes", item: Item(type: "public.png", payload: .inline([0, 255])),
          way: .openIn))
    ),
    (
      "acquire_token",
      ["account": .text("ann"), "capabilities": .list([.text("a"), .text("b")])],
      .acquireToken(AcquireToken(account: "ann", resource: "", capabilities: ["a", "b"]))
    ),
    (
      "load_item", ["item": .integer(1), "attachment": .text("2"), "type": .text("t")],
      .loadItem(RepresentationReference(item: 1, attachment: 2, type: "t"))
    ),
    (
      "unprotect_data", ["header": .text("é")], .unprotectData(header: [0xC3, 0xA9])
    ),
  ]

  @Test(arguments: requests)
  func `a guest request is created from the name of its message and named field values`(
    name: String, fields: [String: FieldValue], body: GuestMessage.Body
  ) throws {
    #expect(try GuestMessage.Body(request: name, fields) == body)
  }

  static let mistakes: [(name: String, fields: [String: FieldValue], error: String)] = [
    ("pste", [:], "`pste` is not a request that the device answers"),
    ("log", [:], "`log` is not a request that the device answers"),
    ("complete_extension", [:], "`complete_extension` is not a request that the device answers"),
    ("paste", ["x": .flag(true)], "`paste` has no field `x`"),
    (
      "open_url", ["ulr": .text("x")],
      "`open_url` has no field `ulr`: `url`, `known_managed_scheme`, `asks_only`, "
        + "`universal_links_only`"
    ),
    ("open_url", ["url": .integer(1)], "`open_url.url` must be text without U+0000"),
    ("open_url", ["url": .text("a\0")], "`open_url.url` must be text without U+0000"),
    ("open_url", ["asks_only": .text("yes")], "`open_url.asks_only` must be true or false"),
    (
      "load_item", ["item": .integer(-1)],
      "`load_item.item` must be an integer within the range of the field's type"
    ),
    ("acquire_token", ["capabilities": .text("a")], "`acquire_token.capabilities` must be a list"),
    ("copy", ["item": .text("x")], "`copy.item` must be fields by name"),
    ("copy", [:], "`copy` lacks a required field, or a field has an unknown value"),
    ("copy", ["item": .part(["inline": .flag(true)])], "`copy.item.inline` must be text or bytes"),
    (
      "import", ["path": .text("sdk")], "`import.path` must be `PATH_SDK` or `PATH_OS`"
    ),
    (
      "share", ["posted": .flag(true), "item": .part(["inline": .text("x")])],
      "`share.posted` must be false: a posted share has no answer"
    ),
  ]

  @Test(arguments: mistakes)
  func `the error for a request's wrong name, field or value lists the valid ones`(
    name: String, fields: [String: FieldValue], error: String
  ) {
    let found = #expect(throws: FieldError.self) { try GuestMessage.Body(request: name, fields) }
    #expect(found?.description == error)
  }
}
