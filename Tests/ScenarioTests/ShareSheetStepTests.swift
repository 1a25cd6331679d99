import Activation
import Model
import Testing

@testable import Scenario

/// Tests steps that inspect a share sheet, and the app properties that it depends on.
@Suite struct ShareSheetStepTests {
  private static func scenario(app: String = "", _ step: String) throws -> Scenario {
    try ScenarioReadingTests.scenario(
      """
      apps:
        mail: { bundle: com.contoso.mail, count: 2 }
        notes: { bundle: com.contoso.notes, documentTypes: [public.data, com.adobe.pdf] }
        clip: { bundle: com.contoso.notes.clip, extension: share, containingApp: notes\(app) }
      steps:
        - \(step)
      """, file: "sheet.yaml")
  }

  private static func message(app: String = "", _ step: String) -> String {
    do {
      _ = try scenario(app: app, step)
      return "none"
    } catch {
      return "\(error)"
    }
  }

  @Test func `a share sheet step takes items as files or as types`() throws {
    let scenario = try Self.scenario(
      "shareSheet: { from: mail-1, via: os, items: [{ file: a.pdf }, { type: [public.url, public.text] }] }"
    )
    let sheet = Action.ShareSheet(
      from: "mail-1",
      items: [.init(fileName: "a.pdf"), .init(types: ["public.url", "public.text"])], via: .os)
    let step = try #require(scenario.cases.first?.steps.first)
    #expect(step.action == .shareSheet(sheet))
    #expect(
      step.text
        == "mail-1 looks at the share sheet for `a.pdf`, public.url or public.text via the system")
  }

  @Test func `a share sheet step accepts a single item and defaults to SDK sharing`() throws {
    let scenario = try Self.scenario("shareSheet: { from: notes, items: { type: public.url } }")
    #expect(
      scenario.cases.first?.steps.first?.action
        == .shareSheet(.init(from: "notes", items: [.init(types: ["public.url"])])))
  }

  @Test func `a share sheet step can expect shown, encrypted and hidden destinations`() throws {
    let scenario = try Self.scenario(
      "{ shareSheet: { from: notes, items: { file: a } }, expect: "
        + "{ shown: [mail, clip], encrypted: mail, hidden: print } }")
    let expectation = try #require(scenario.cases.first?.steps.first?.expectation)
    #expect(expectation.shown == ["mail", "clip"])
    #expect(expectation.encrypted == ["mail"] && expectation.hidden == ["print"])
  }

  @Test func `a scenario's apps state document types, and its extensions state activation rules`()
    throws
  {
    let apps = try Self.scenario(
      app: ", openInAction: true, activationRule: TRUEPREDICATE", "launch: notes"
    ).apps
    #expect(apps[1].documentTypes == ["public.data", "com.adobe.pdf"])
    #expect(apps[2].isOpenInAction)
    #expect(apps[2].activationRule == .predicate(try Predicate(parsing: "TRUEPREDICATE")))
    let dictionary = try Self.scenario(
      app: ", activationRule: { NSExtensionActivationSupportsImageWithMaxCount: 3 }",
      "launch: notes"
    ).apps[2].activationRule
    let expected = DictionaryRule(values: [
      .init(key: "NSExtensionActivationSupportsImageWithMaxCount", value: .integer(3))
    ])
    #expect(dictionary == .dictionary(expected))
  }

  @Test(
    arguments: [
      ("", "shareSheet: { from: notes, items: [] }", "the list `items` is empty"),
      ("", "shareSheet: { from: notes, items: {} }", "an item needs `file` or `type`"),
      ("", "shareSheet: { from: mail, items: { file: a } }", "`mail` stands for 2 guests"),
      (
        "", "shareSheet: { from: notes, items: { type: text } }",
        "`text` is not a uniform type, such as `public.plain-text`"
      ),
      (
        "", "{ shareSheet: { from: notes, items: { file: a } }, expect: { shown: prnt } }",
        "no app or action is called `prnt`; did you mean `print`?"
      ),
      (
        "", "{ shareSheet: { from: notes, items: { file: a } }, expect: { end: refused } }",
        "the result of `shareSheet` has no `end`"
      ),
      (
        "", "{ launch: notes, expect: { shown: print } }", "the result of `launch` has no `shown`"
      ),
      (
        ", activationRule: ANY", "launch: notes",
        "`activationRule` is not a predicate: line 1, column 4: expected"
      ),
      (
        ", activationRule: { NSExtensionActivationSupportsImages: 3 }", "launch: notes",
        "`activationRule`: "
      ),
    ])
  func `invalid share sheet steps are reported with their positions`(
    app: String, step: String, message: String
  ) {
    let found = Self.message(app: app, step)
    #expect(found.hasPrefix("sheet.yaml:") && found.contains("error: \(message)"), "\(found)")
  }

  @Test func `an activation rule for an app that is not an extension is an error`() {
    let found = #expect(throws: ScenarioError.self) {
      try ScenarioReadingTests.scenario(
        """
        apps:
          notes: { bundle: com.contoso.notes, activationRule: TRUEPREDICATE }
        steps:
          - launch: notes
        """, file: "sheet.yaml")
    }
    #expect(
      found.map { "\($0)" }?.contains("only an extension has `activationRule`; `notes` has no")
        == true)
  }

  @Test func `each destination that a step expects in the share sheet is compared`() {
    var expectation = Expectation()
    expectation.shown = ["mail", "clip"]
    expectation.encrypted = ["clip", "mail"]
    expectation.hidden = ["mail", "print", "viewer"]
    var observation = Observation()
    observation.sheet = [
      SheetLine(name: "mail", visibility: .shown, why: "noRuleApplied"),
      SheetLine(name: "clip", visibility: .encrypted, why: "sendNoneEncrypts"),
      SheetLine(name: "print", visibility: .hidden, why: "printingBlocked"),
    ]
    let results = expectation.compare(with: observation)
    #expect(results.map(\.isMet) == [true, true, true, false, false, true, false])
    #expect(
      results.map(\.text)[3...] == [
        "expected `mail` shown encrypted, found `mail` shown by noRuleApplied",
        "expected `mail` hidden, found `mail` shown by noRuleApplied",
        "expected `print` hidden, found `print` hidden by printingBlocked",
        "expected `viewer` hidden, found no destination `viewer`",
      ])
  }
}
