import Model
import Testing

@testable import Scenario

/// Tests the step `wait`.
@Suite struct WaitReadingTests {
  @Test func `each kind of wait step is read as its action`() throws {
    let steps = try ScenarioReadingTests.steps(
      """
      - wait: idle
      - wait: PT2S
      - wait: { received: { app: mail } }
      - wait: { received: { app: mail, text: 12, type: public.text, from: notes-1 } }
      - wait: { received: { app: mail, from: org.example.gone } }
      - wait: { decided: { app: mail } }
      - wait: { decided: { app: mail, request: share, with: notes-1, verdict: blocked, decidedBy: sendNone } }
      - wait: { said: { app: mail, text: "sent: 1" } }
      """)
    let expected: [Action] = [
      .wait(.idle), .wait(.duration(seconds: 2)), .wait(.item(.init(guest: "mail"))),
      .wait(.item(.init(guest: "mail", text: "12", type: "public.text", sender: "notes-1"))),
      .wait(.item(.init(guest: "mail", sender: "org.example.gone"))),
      .wait(.decision(.init(guest: "mail"))),
      .wait(
        .decision(
          .init(
            guest: "mail", operation: .share, other: "notes-1", outcome: .blocked,
            deciding: .sendNone))),
      .wait(.output(.init(guest: "mail", text: "sent: 1"))),
    ]
    #expect(steps.map(\.action) == expected)
    #expect(
      steps.map(\.text) == [
        "wait until nothing is in flight", "wait PT2S of real time",
        "wait until mail gets an item",
        "wait until mail gets `12` of the type public.text from notes-1",
        "wait until mail gets an item from org.example.gone",
        "wait for the decision on a request of mail",
        "wait for the decision on share of mail with notes-1, blocked by sendNone",
        "wait until mail has written `sent: 1`",
      ])
  }

  @Test(arguments: [
    (
      "later", "invalid-value",
      "`wait` must be `idle`, real time from `PT1S` to `PT30S`, `{ received: { app: … } }`, `{ decided: { app: … } }` or `{ said: { app: …, text: … } }`, found `later`"
    ),
    ("PT0S", "invalid-value", "found `PT0S`"),
    ("PT31S", "invalid-value", "found `PT31S`; the device's clock advances only by `advance`"),
    ("{}", "missing-key", "a wait needs `received`, `decided` or `said`"),
    ("{ recieved: { app: mail } }", "unknown-key", "did you mean `received`?"),
    (
      "{ received: { app: mail }, decided: { app: mail } }", "conflicting-keys",
      "a wait has `received` or `decided`, not both"
    ),
    ("{ said: { app: mail } }", "missing-key", "output needs `text`"),
    (#"{ said: { app: mail, text: "a\nb" } }"#, "invalid-value", "a part of one line"),
    ("{ decided: { app: mail, request: shard } }", "invalid-value", "did you mean `share`?"),
    ("{ decided: { request: share } }", "missing-key", "a decision to wait for needs `app`"),
    ("{ received: { text: Hi } }", "missing-key", "an item to wait for needs `app`"),
    ("{ received: { app: mial } }", "unknown-name", "did you mean `mail`?"),
    ("{ received: { app: mail, from: mial } }", "unknown-name", "did you mean `mail`?"),
  ]) func `invalid wait steps are reported`(value: String, code: String, message: String) throws {
    let error = try #require(throws: ScenarioError.self) {
      try ScenarioReadingTests.steps("- wait: \(value)")
    }
    #expect(error.code.rawValue == code)
    #expect(error.message.contains(message), "\(error.message)")
  }

  @Test func `a wait step cannot have expectations`() throws {
    let error = try #require(throws: ScenarioError.self) {
      try ScenarioReadingTests.steps("- { wait: idle, expect: { end: delivered } }")
    }
    #expect(error.message == "the result of `wait` has no `end`")
  }
}
