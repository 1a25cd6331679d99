import Scenario
import TestSupport
import Testing

/// Tests the expectations of a share about an extension's result.
@Suite struct ExtensionResultTests {
  private func scenario(_ step: String) throws(ScenarioError) -> Scenario {
    try ScenarioReadingTests.scenario(
      """
      apps:
        plain: { bundle: org.example.plain }
        clip: { bundle: org.example.plain.clip, extension: share, containingApp: plain }
        board: { bundle: org.example.plain.board, extension: keyboard, containingApp: plain }
      steps:
        - launch: plain
        - \(step)
      """, file: "test.yaml")
  }

  @Test(arguments: [
    ("{ text: Hi }", Action.Share.HandBack.text("Hi")), ("{ item: received }", .held(.received)),
    ("{ item: retyped }", .held(.retyped)),
  ])
  func `an extension returns a text or the received item`(
    text: String, handBack: Action.Share.HandBack
  ) throws {
    let step = "share: { from: plain, to: clip, text: A, handsBack: \(text) }"
    guard case .share(let share)? = try scenario(step).cases[0].steps.last?.action else {
      Issue.record("no share")
      return
    }
    #expect(share.handsBack == handBack)
  }

  @Test func `an extension returns its result after the stated button taps`() throws {
    let step = "share: { from: plain, to: clip, text: A, taps: [OK, Post] }"
    guard case .share(let share)? = try scenario(step).cases[0].steps.last?.action else {
      Issue.record("no share")
      return
    }
    #expect(share.taps == ["OK", "Post"])
  }

  @Test(
    arguments: table(
      """
      share: { from: plain, to: plain, text: A, handsBack: { text: x } }
      => 7:58: error: `plain` is not an extension and returns nothing [conflicting-keys]
      share: { from: plain, to: board, text: A, handsBack: { text: x } }
      => 7:58: error: `board` is not offered in share sheets and returns nothing [conflicting-keys]
      share: { from: plain, to: clip, text: A, handsBack: {} }
      => 7:57: error: an extension's result needs `text` or `item` [missing-key]
      share: { from: plain, to: clip, text: A, handsBack: { item: received, text: x } }
      => conflicting-keys
      share: { from: plain, to: clip, items: [{ attachments: [{ representations: { public.plain-text: A } }] }], handsBack: { item: received } }
      => an extension returns one item, so `item` in `handsBack` conflicts with `items`; use `text` instead
         [conflicting-keys]
      share: { from: plain, to: plain, text: A, taps: [OK] }
      => 7:53: error: `plain` is not an extension; use the step `tap` for an app's alert
         [conflicting-keys]
      share: { from: plain, to: clip, text: A, handsBack: { text: x }, taps: [OK] }
      => conflicting-keys
      concurrently: [{ share: { from: plain, to: clip, text: A, taps: [OK] } }]
      => a step within `concurrently` cannot have `taps` [invalid-value]
      concurrently: [{ share: { from: plain, to: clip, text: A, handsBack: { text: x } } }]
      => a step within `concurrently` cannot have `handsBack` [invalid-value]
      """))
  func `an impossible extension result or tap is an error`(step: String, message: String) {
    do throws(ScenarioError) {
      _ = try scenario(step)
      Issue.record("no error")
    } catch {
      #expect(error.description.contains(message), "\(error)")
    }
  }
}
