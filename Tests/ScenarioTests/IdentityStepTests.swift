import TestSupport
import Testing

@testable import Scenario

/// Tests the identities that steps act for, and the SDK's calls to apps about their accounts.
@Suite struct IdentityStepTests {
  private static func step(_ step: String) throws -> Step {
    try #require(ScenarioReadingTests.steps("- " + step).first)
  }

  @Test func `switchIdentity steps for an app, a window or the process are read`() throws {
    let steps = try ScenarioReadingTests.steps(
      """
      - switchIdentity: { app: mail, to: anna }
      - switchIdentity: { app: mail, to: unset, window: inbox }
      - switchIdentity: { app: mail, to: unknown, process: true }
      - switchIdentity: { app: mail, to: [anna, ben], window: all }
      - switchIdentity: { app: mail, to: [ben] }
      """)
    let expected: [Action.IdentitySwitch] = [
      .init(guest: "mail", identity: .account("anna")),
      .init(guest: "mail", identity: .unset, window: "inbox"),
      .init(guest: "mail", identity: .unknown, isOfProcess: true),
      .init(guest: "mail", identity: .account("anna"), window: "all", others: ["ben"]),
      .init(guest: "mail", identity: .account("ben")),
    ]
    #expect(steps.map(\.action) == expected.map { Action($0) })
    #expect(
      steps.map(\.text) == [
        "mail switches to anna", "mail switches to unset in window `inbox`",
        "mail switches to unknown in its process",
        "mail switches to anna and ben in window `all`", "mail switches to ben",
      ])
  }

  @Test(
    arguments: [
      ("", nil, nil, "mail pastes"),
      (", as: anna", .account("anna"), nil, "mail pastes, as anna"),
      (", as: unknown", .unknown, nil, "mail pastes, as unknown"),
      (", as: unset", .unset, nil, "mail pastes, as unset"),
      (", window: inbox", nil, "inbox", "mail pastes, in window `inbox`"),
      (
        ", window: 2, as: ben, repeat: 3", .account("ben"), "2",
        "mail pastes, as ben, in window `2`, 3 times"
      ),
    ] as [(String, IdentityReference?, String?, String)])
  func `the identity and the window of a step's task are read`(
    keys: String, thread: IdentityReference?, window: String?, text: String
  ) throws {
    let step = try Self.step("{ paste: { app: mail }\(keys) }")
    let isPlain = thread == nil && window == nil
    #expect(step.task == (isPlain ? nil : TaskReference(thread: thread, window: window)))
    #expect(step.text == text)
  }

  @Test func `an unlock step can cancel the PIN prompt`() throws {
    let step = try Self.step("unlock: { app: mail, cancel: true }")
    let unlock = try #require(step.action.detail as? Action.Unlock)
    #expect(unlock.isCancelled)
    #expect(step.text == "the user cancels the prompt of mail")
  }

  @Test func `askApp steps are read with their expectations`() throws {
    let steps = try ScenarioReadingTests.steps(
      """
      - askApp: { app: mail, to: add, account: anna }
        expect: { accepted: true }
      - askApp: { app: mail, to: block, account: ben }
        expect: { accepted: false, identity: unset }
      """)
    #expect(
      steps.map(\.action) == [
        .delegate(.init(guest: "mail", kind: .add, account: "anna")),
        .delegate(.init(guest: "mail", kind: .block, account: "ben")),
      ])
    #expect(steps.map(\.expectation?.isAccepted) == [true, false])
    #expect(
      steps.map(\.text) == ["the SDK asks mail to add anna", "the SDK asks mail to block ben"])
  }

  @Test(
    arguments: table(
      """
      { switchIdentity: { app: mail, to: [] } }
      => 38: error: the list `to` is empty [missing-key]
      { switchIdentity: { app: mail, to: anna, window: inbox, process: true } }
      => 59: error: an identity switch has `window` or `process`, not both [conflicting-keys]
      { switchIdentity: { app: mail, to: anna, process: yes } }
      => 53: error: `process` must be `true` or `false`, found `yes`; did you mean `true`?
         [wrong-type]
      { paste: { app: mail }, as: ana }
      => 31: error: no account is called `ana`; did you mean `anna`? [unknown-name]
      { launch: mail, as: anna }
      => 19: error: `launch` has no `as`: the step is not a task of an app [conflicting-keys]
      { signOut: { app: mail, account: anna }, window: inbox }
      => 44: error: `signOut` has no `window`: the step is not a task of an app [conflicting-keys]
      { switchIdentity: { app: mail, to: anna }, as: anna }
      => 46: error: `switchIdentity` has no `as`: the step is not a task of an app [conflicting-keys]
      { unlock: { app: mail, cancel: please } }
      => 34: error: `cancel` must be `true` or `false`, found `please` [wrong-type]
      { askApp: { app: mail, to: wipe, account: anna } }
      => 30: error: `to` must be `add` or `block`, found `wipe` [invalid-value]
      { askApp: { app: mail, account: anna } }
      => 13: error: `askApp` needs `to` [missing-key]
      { askApp: { app: mail, to: add, account: anna }, expect: { end: delivered } }
      => 62: error: the result of `askApp` has no `end` [conflicting-keys]
      { signIn: { app: mail, account: anna }, expect: { accepted: true } }
      => 53: error: the result of `signIn` has no `accepted` [conflicting-keys]
      """)) func `invalid identity steps are reported`(step: String, message: String)
  {
    let error = #expect(throws: ScenarioError.self) { try ScenarioReadingTests.steps("- " + step) }
    #expect(error?.description == "test.yaml:7:" + message)
  }
}
