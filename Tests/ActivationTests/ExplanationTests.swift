import Activation
import Testing
import UniformTypes

struct ExplanationTests {
  /// Returns one line for each part. It has `*` if the part is decisive, and `+` or `-` for its
  /// result.
  static func lines(_ explanation: ActivationExplanation, _ indent: String = "") -> [String] {
    let verdict =
      switch explanation.verdict {
      case .holds: "+"
      case .fails: "-"
      case .counts(let count, let total): "\(count)/\(total)"
      }
    let position = explanation.line.map { " @\($0):\(explanation.column ?? 0)" } ?? ""
    let detail = explanation.detail.map { " [\($0)]" } ?? ""
    let line = indent + (explanation.decides ? "*" : " ") + verdict + " " + explanation.text
    return [line + detail + position] + explanation.parts.flatMap { lines($0, indent + "  ") }
  }

  static func lines(_ predicate: String, _ items: SharedItem...) throws -> String {
    let rule = ActivationRule.predicate(try Predicate(parsing: predicate))
    return lines(rule.explain(items, types: .system)).joined(separator: "\n")
  }

  @Test func `an explanation lists the parts of a predicate for each attachment`() throws {
    let source = """
      SUBQUERY(extensionItems, $item, SUBQUERY($item.attachments, $a,
        ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.image" ||
        ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.movie"
      ).@count == $item.attachments.@count).@count == 1
      """
    let expected = """
      *- SUBQUERY(extensionItems, $item, …).@count == 1 [0 == 1] @1:1
        *0/1 SUBQUERY(extensionItems, $item, …)
          *- item 1
            *- SUBQUERY($item.attachments, $a, …).@count == $item.attachments.@count [1 == 2] @1:33
              *1/2 SUBQUERY($item.attachments, $a, …)
                *+ attachment 1 of item 1 (public.jpeg)
                  *+ any of these @2:3
                    *+ ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.image" [`public.jpeg` does] @2:3
                     - ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.movie" [`public.jpeg`] @3:3
                *- attachment 2 of item 1 (public.url, public.text)
                  *- any of these @2:3
                    *- ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.image" [`public.url`, `public.text`] @2:3
                    *- ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.movie" [`public.url`, `public.text`] @3:3
      """
    let item = SharedItem(types: ["public.jpeg"], ["public.url", "public.text"])
    #expect(try Self.lines(source, item) == expected)
  }

  @Test(
    arguments: [
      (
        "TRUEPREDICATE && FALSEPREDICATE && FALSEPREDICATE",
        "*- all of these @1:1\n   + TRUEPREDICATE @1:1\n  *- FALSEPREDICATE @1:18\n   - FALSEPREDICATE @1:36"
      ),
      (
        "TRUEPREDICATE && NOT FALSEPREDICATE",
        "*+ all of these @1:1\n  *+ TRUEPREDICATE @1:1\n  *+ NOT @1:18\n    *- FALSEPREDICATE @1:22"
      ),
      (
        "FALSEPREDICATE || TRUEPREDICATE || TRUEPREDICATE",
        "*+ any of these @1:1\n   - FALSEPREDICATE @1:1\n  *+ TRUEPREDICATE @1:19\n   + TRUEPREDICATE @1:36"
      ),
      ("extensionItems.@count IN {2, 3}", "*- extensionItems.@count IN {2, 3} [1] @1:1"),
      ("{2} CONTAINS extensionItems.@count", "*- {2} CONTAINS extensionItems.@count [1] @1:1"),
      ("'a' BEGINSWITH 'b'", #"*- "a" BEGINSWITH "b" [`a`] @1:1"#),
      ("ALL {'a', 'b'} == 'a'", #"*- ALL {"a", "b"} == "a" [`b` does not] @1:1"#),
      ("ALL {'a', 'a'} == 'a'", #"*+ ALL {"a", "a"} == "a" [`a`, `a`] @1:1"#),
      ("NONE {} == 'a'", #"*+ NONE {} == "a" [no types] @1:1"#),
      (
        "{'a','b','c','d','e','f','g'} CONTAINS 'x'",
        #"*- {"a", "b", "c", "d", "e", "f", "g"} CONTAINS "x" [`a`, `b`, `c`, `d`, `e`, `f` and 1 more] @1:1"#
      ),
    ])
  func `an explanation marks the deciding parts and shows the compared values`(
    predicate: String, expected: String
  )
    throws
  {
    #expect(try Self.lines(predicate, Fixtures.webURL) == expected)
  }

  @Test func `an explanation of a dictionary rule names its keys`() {
    let rule = DictionaryRuleTests.rule([
      "Image": .integer(1), "Most": .integer(5), "Text": .boolean(true),
    ])
    let expected = """
      *- dictionary of version 1
         + every attachment is supported: images, text
           + attachment 1 of item 1 (public.jpeg) [images]
           + attachment 2 of item 1 (public.heic) [images]
        *- `NSExtensionActivationSupportsImageWithMaxCount` is 1 [images: 2]
         + `NSExtensionActivationSupportsAttachmentsWithMaxCount` is 5 [attachments: 2]
      """
    let explanation = rule.explain([Fixtures.images], types: .system)
    #expect(Self.lines(explanation).joined(separator: "\n") == expected)
  }

  @Test func `an explanation marks attachments of types that no key of a dictionary rule supports`()
  {
    let rule = DictionaryRuleTests.rule([
      "Image": .integer(2), "Strict": .boolean(true), "Least": .integer(1),
    ])
    let expected = """
      *- dictionary of version 1, strict matching
        *- every attachment is supported: images
           + attachment 1 of item 1 (public.image) [images]
          *- attachment 2 of item 1 (public.png) [of no such kind]
         + `NSExtensionActivationSupportsImageWithMaxCount` is 2 [images: 1]
         + `NSExtensionActivationSupportsAttachmentsWithMinCount` is 1 [attachments: 2]
      """
    let explanation = rule.explain([Fixtures.item("public.image", "public.png")], types: .system)
    #expect(Self.lines(explanation).joined(separator: "\n") == expected)
  }

  @Test(
    arguments: [
      (
        ["Image": .integer(2), "Most": .integer(2), "Least": .integer(2)], Fixtures.images,
        """
        *+ dictionary of version 1
          *+ every attachment is supported: images
            *+ attachment 1 of item 1 (public.jpeg) [images]
            *+ attachment 2 of item 1 (public.heic) [images]
          *+ `NSExtensionActivationSupportsImageWithMaxCount` is 2 [images: 2]
          *+ `NSExtensionActivationSupportsAttachmentsWithMaxCount` is 2 [attachments: 2]
          *+ `NSExtensionActivationSupportsAttachmentsWithMinCount` is 2 [attachments: 2]
        """
      ),
      (
        ["Image": .integer(1)], Fixtures.image,
        """
        *+ dictionary of version 1
          *+ every attachment is supported: images
            *+ attachment 1 of item 1 (public.jpeg, public.url) [images]
          *+ `NSExtensionActivationSupportsImageWithMaxCount` is 1 [images: 1]
        """
      ),
      (
        ["Image": .integer(1), "Version": .integer(2)],
        Fixtures.item("public.jpeg", "public.contact"),
        """
        *+ dictionary of version 2
          *+ some attachment is supported: images
            *+ attachment 1 of item 1 (public.jpeg) [images]
             - attachment 2 of item 1 (public.contact) [of no such kind]
          *+ `NSExtensionActivationSupportsImageWithMaxCount` is 1 [images: 1]
        """
      ),
      (
        ["Image": .integer(1), "Version": .integer(2)], Fixtures.contact,
        """
        *- dictionary of version 2
          *- some attachment is supported: images
            *- attachment 1 of item 1 (public.contact) [of no such kind]
           + `NSExtensionActivationSupportsImageWithMaxCount` is 1 [images: 0]
        """
      ),
    ] as [([String: DictionaryRule.Value], SharedItem, String)])
  func `an explanation of a dictionary rule marks the deciding parts`(
    values: [String: DictionaryRule.Value], item: SharedItem, expected: String
  ) {
    let explanation = DictionaryRuleTests.rule(values).explain([item], types: .system)
    #expect(Self.lines(explanation).joined(separator: "\n") == expected)
  }

  @Test func `dictionary rules are explained even without type keys or shared attachments`() {
    for items in [[], [SharedItem(attachments: [])]] {
      let image = DictionaryRuleTests.rule(["Image": .integer(1)]).explain(items, types: .system)
      #expect(image.parts.map(\.verdict) == [.fails, .holds])
      #expect(image.parts.map(\.detail) == [nil, "images: 0"])
    }
    let any = DictionaryRuleTests.rule(["Most": .integer(1)]).explain(
      [Fixtures.contact], types: .system)
    #expect(any.parts.first?.text == "every attachment is supported: anything")
    #expect(any.parts.first?.parts.first?.detail == nil)
    let none = DictionaryRuleTests.rule(["Version": .integer(2)]).explain([], types: .system)
    #expect(none.detail == "nothing is shared")
    #expect(none.parts.first?.text == "some attachment is supported: nothing")
  }

  @Test func `an explanation of a large predicate is truncated`() throws {
    let rule = ActivationRule.predicate(
      try Predicate(parsing: "SUBQUERY(extensionItems, $i, $i.attachments.@count == 1).@count == 3")
    )
    let items = Array(repeating: Fixtures.webURL, count: 4_000)
    let explanation = rule.explain(items, types: .system)
    #expect(explanation.parts.first?.detail == "not all shown")
    #expect(explanation.parts.first?.verdict == .counts(4_000, of: 4_000))
    #expect(try #require(explanation.parts.first).parts.count < 4_000)
  }
}
