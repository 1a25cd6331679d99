import Activation
import Testing
import UniformTypes

struct DictionaryRuleTests {
  typealias Value = DictionaryRule.Value

  static func rule(_ values: [String: Value]) -> ActivationRule {
    let short = [
      "Version": "NSExtensionActivationDictionaryVersion",
      "Strict": "NSExtensionActivationUsesStrictMatching",
      "Most": "NSExtensionActivationSupportsAttachmentsWithMaxCount",
      "Least": "NSExtensionActivationSupportsAttachmentsWithMinCount",
      "Text": "NSExtensionActivationSupportsText",
    ]
    return .dictionary(
      DictionaryRule(
        values: values.sorted { $0.key < $1.key }.map { key, value in
          .init(key: short[key] ?? "NSExtensionActivationSupports\(key)WithMaxCount", value: value)
        }))
  }

  static func warnings(_ key: String, _ value: Value) -> [DictionaryRule.Warning] {
    DictionaryRule(values: [
      .init(key: "NSExtensionActivationSupportsText", value: .boolean(true)),
      .init(key: key, value: value),
    ]).warnings
  }

  @Test(
    arguments: [
      (["Image": .integer(1)], Fixtures.image, true),
      (["Image": .integer(1)], Fixtures.images, false),
      (["Image": .integer(2)], Fixtures.images, true),
      (["Image": .integer(1)], Fixtures.movie, false),
      (["Movie": .integer(1)], Fixtures.movie, true),
      (["WebURL": .integer(1)], Fixtures.webURL, true),
      (["WebURL": .integer(1)], Fixtures.pdf, false), (["File": .integer(1)], Fixtures.pdf, true),
      (["File": .integer(1)], Fixtures.webURL, false),
      (["File": .integer(1)], Fixtures.folder, true),
      (["File": .integer(1)], Fixtures.images, false),
      (["File": .integer(1)], Fixtures.contact, false),
      (["Text": .boolean(true)], Fixtures.text, true),
      (["Text": .boolean(false)], Fixtures.text, false),
      (["WebPage": .integer(1)], Fixtures.page, false),
      (["WebPage": .integer(1), "WebURL": .integer(1)], Fixtures.page, true),
      (["WebPage": .integer(1), "Version": .integer(2)], Fixtures.page, true),
      (["Image": .integer(9), "Most": .integer(1)], Fixtures.images, false),
      (["Image": .integer(9), "Least": .integer(2)], Fixtures.images, true),
      (["Image": .integer(9), "Least": .integer(3)], Fixtures.images, false),
      (["Most": .integer(2)], Fixtures.contact, true),
      (["Least": .integer(1)], Fixtures.contact, true),
      (["Least": .integer(0)], Fixtures.contact, false),
      (["Most": .integer(2), "Image": .integer(0)], Fixtures.contact, false),
      (["Image": .integer(0)], Fixtures.image, false),
      (["Most": .integer(0)], Fixtures.image, false),
      (
        ["Image": .integer(0), "WebURL": .integer(1), "Version": .integer(2)], Fixtures.image, true
      ),
      ([:], Fixtures.image, false),
    ] as [([String: Value], SharedItem, Bool)])
  func `a dictionary rule matches an item by its types and their counts`(
    values: [String: Value], item: SharedItem, matches: Bool
  ) {
    #expect(Self.rule(values).matches([item], types: .system) == matches)
  }

  @Test func `dictionary version 1 requires every attachment to match, and version 2 at least one`()
  {
    let mixed = [Fixtures.item("public.jpeg", "public.contact")]
    #expect(!Self.rule(["Image": .integer(3)]).matches(mixed, types: .system))
    #expect(
      !Self.rule(["Image": .integer(3), "Version": .integer(1)]).matches(mixed, types: .system))
    #expect(
      Self.rule(["Image": .integer(3), "Version": .integer(2)]).matches(mixed, types: .system))
    let apart = [Fixtures.image, Fixtures.contact]
    #expect(!Self.rule(["Image": .integer(3)]).matches(apart, types: .system))
    #expect(
      Self.rule(["Image": .integer(3), "Version": .integer(2)]).matches(apart, types: .system))
  }

  @Test func `a dictionary rule's maximum count applies to each shared item separately`() {
    let rule = Self.rule(["Image": .integer(1)])
    #expect(rule.matches([Fixtures.image, Fixtures.image], types: .system))
    #expect(!rule.matches([Fixtures.image, Fixtures.images], types: .system))
  }

  @Test func `a dictionary rule with image and file keys counts images and files separately`() {
    let rule = Self.rule(["Image": .integer(5), "File": .integer(1)])
    #expect(
      rule.matches([Fixtures.item("public.jpeg", "public.png", "com.adobe.pdf")], types: .system))
    #expect(!rule.matches([Fixtures.item("com.adobe.pdf", "com.adobe.pdf")], types: .system))
  }

  @Test func `strict matching compares types by equality instead of conformance`() {
    let rule = Self.rule(["Image": .integer(1), "Strict": .boolean(true)])
    #expect(!rule.matches([Fixtures.image], types: .system))
    #expect(rule.matches([Fixtures.item("Public.Image")], types: .system))
    let files = Self.rule(["File": .integer(1), "Strict": .integer(1)])
    #expect(files.matches([Fixtures.pdf], types: .system))
    #expect(!files.matches([Fixtures.item("com.adobe.pdf")], types: .system))
  }

  @Test func `an empty selection matches no rule`() {
    for rule in [Self.rule(["Text": .boolean(true)]), Self.rule(["Most": .integer(1)])] {
      #expect(!rule.matches([], types: .system))
      #expect(!rule.matches([SharedItem(attachments: [])], types: .system))
    }
  }

  @Test(
    arguments: [
      ("3", 2, true), ("1", 2, false), (" +2 items", 2, true), ("", 1, false), ("x", 1, false),
      ("-1", 1, false), ("99999999999999999999", 2, true), ("\u{663}", 1, false),
    ])
  func `a dictionary rule's count given as text is parsed up to the first invalid character`(
    text: String, images: Int, matches: Bool
  ) {
    let item = SharedItem(
      attachments: Array(
        repeating: SharedAttachment(registeredTypeIdentifiers: ["public.png"]), count: images))
    #expect(Self.rule(["Image": .string(text)]).matches([item], types: .system) == matches)
  }

  @Test(
    arguments: [
      (Value.string("YES"), true), (.string(" +01"), true), (.string("no"), false),
      (.string("0"), false), (.string("true"), true), (.string("-1"), true), (.integer(0), false),
      (.integer(7), true),
      (.other("an array"), false),
    ])
  func `a dictionary rule's flag is converted like the boolValue of NSString and NSNumber`(
    value: Value, matches: Bool
  ) {
    #expect(Self.rule(["Text": value]).matches([Fixtures.text], types: .system) == matches)
  }

  @Test func `a boolean is accepted as a maximum count of 0 or 1`() {
    #expect(Self.rule(["Image": .boolean(true)]).matches([Fixtures.image], types: .system))
    #expect(!Self.rule(["Image": .boolean(true)]).matches([Fixtures.images], types: .system))
    #expect(!Self.rule(["Image": .boolean(false)]).matches([Fixtures.image], types: .system))
  }

  static let image = "NSExtensionActivationSupportsImageWithMaxCount"

  @Test(
    arguments: [
      (image, .integer(1), []),
      (
        image, .string("3"), ["`\(image)` is the string `3` instead of a number, and counts as 3"]
      ),
      (image, .boolean(true), ["`\(image)` is a boolean instead of a number, and counts as 1"]),
      (
        image, .integer(0), ["`\(image)` is 0, which supports no items, as if the key were missing"]
      ),
      (
        image, .integer(-2),
        ["`\(image)` is -2, which supports no items, as if the key were missing"]
      ),
      (
        image, .other("a dictionary"),
        [
          "`\(image)` is a dictionary instead of a number, and counts as 0",
          "`\(image)` is 0, which supports no items, as if the key were missing",
        ]
      ),
      (
        "NSExtensionActivationSupportsText", .string("NO"),
        [
          "`NSExtensionActivationSupportsText` is the string `NO` instead of a boolean, and counts as false",
          "the rule supports no items, so the extension is never offered",
        ]
      ),
      (
        image, .string("-5"),
        [
          "`\(image)` is the string `-5` instead of a number, and counts as -5",
          "`\(image)` is -5, which supports no items, as if the key were missing",
        ]
      ),
      (
        "NSExtensionActivationSupportsText", .integer(0),
        ["the rule supports no items, so the extension is never offered"]
      ),
      ("NSExtensionActivationSupportsText", .integer(1), []),
      (
        "NSExtensionActivationSupportsText", .integer(2),
        [
          "`NSExtensionActivationSupportsText` is the number 2 instead of a boolean, and counts as true"
        ]
      ),
      (
        "NSExtensionActivationUsesStrictMatching", .other("data"),
        [
          "`NSExtensionActivationUsesStrictMatching` is data instead of a boolean, and counts as false"
        ]
      ),
      (
        "NSExtensionActivationDictionaryVersion", .integer(3),
        [
          "`NSExtensionActivationDictionaryVersion` is 3, which counts as 2; valid versions are 1 and 2"
        ]
      ),
      ("NSExtensionActivationDictionaryVersion", .integer(1), []),
      ("NSExtensionActivationDictionaryVersion", .integer(2), []),
      (
        "NSExtensionActivationSupportsImageABCWithMaxCount", .integer(1),
        [
          "`NSExtensionActivationSupportsImageABCWithMaxCount` is not a key of an activation rule and has no "
            + "effect; did you mean `\(image)`?"
        ]
      ),
      (
        "NSExtensionActivationSupportsImageABCDWithMaxCount", .integer(1),
        [
          "`NSExtensionActivationSupportsImageABCDWithMaxCount` is not a key of an activation rule and has no "
            + "effect"
        ]
      ),
      (
        "NSExtensionActivationSupportsImagesWithMaxCount", .integer(1),
        [
          "`NSExtensionActivationSupportsImagesWithMaxCount` is not a key of an activation rule and has no "
            + "effect; did you mean `\(image)`?"
        ]
      ),
      (
        "NSExtensionActivationSupportedContent", .other("a dictionary"),
        [
          "`NSExtensionActivationSupportedContent` is not a key of an activation rule and has no effect; "
            + "its content, a dictionary, is ignored"
        ]
      ),
    ] as [(String, Value, [String])])
  func `unusual values and unknown keys of a dictionary rule cause warnings`(
    key: String, value: Value, warnings: [String]
  ) {
    let found = Self.warnings(key, value)
    #expect(found.map(\.message) == warnings)
    for warning in found {
      #expect(warning.isHarmless == warning.message.contains("` is 0, which supports no items"))
    }
  }

  @Test func `a rule that can never match is reported`() {
    let empty = DictionaryRule(values: [])
    #expect(
      empty.warnings.map(\.message) == [
        "the rule supports no items, so the extension is never offered"
      ])
    #expect(empty.warnings.first?.key == nil)
    for (most, messages) in [
      (1, ["the rule needs at least 2 and at most 1 attachments, so it never matches"]), (2, []),
      (3, []),
    ] as [(Int, [String])] {
      let rule = Self.rule(["Most": .integer(most), "Least": .integer(2)])
      guard case .dictionary(let rule) = rule else { return }
      #expect(rule.warnings.map(\.message) == messages)
    }
  }

  @Test func `no documented key of a dictionary rule is reported as unknown`() {
    #expect(DictionaryRule.keys.count == 10)
    #expect(Set(DictionaryRule.keys).count == 10)
    for key in DictionaryRule.keys {
      #expect(!Self.warnings(key, .integer(1)).contains { $0.message.contains("not a key") })
    }
  }

  @Test func `a dictionary rule lists the types of each attachment kind that it supports`() {
    #expect(
      Self.rule(["File": .integer(1), "Image": .integer(1), "Movie": .integer(0)]).typeIdentifiers
        == [
          "public.image", "public.file-url", "public.data", "public.directory",
        ])
  }
}
