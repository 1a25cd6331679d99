import Model
import TestSupport
import Testing

@testable import Scenario

/// Tests the step `fault`.
@Suite struct FaultReadingTests {
  @Test func `every kind of fault in a scenario is read`() throws {
    let steps = try ScenarioReadingTests.steps(
      """
      - fault: { kind: kill, app: mail, at: delivered }
      - fault: { kind: kill, at: drawn }
      - fault: { kind: stop, app: notes-1, at: decided, for: PT2S }
      - fault: { kind: slowReader, app: mail, at: halfAcknowledged }
      - fault: { kind: halfFrame, app: mail, at: drawn }
      - fault: { kind: dropAnswer, app: mail, at: decided }
      - fault: { kind: fullDisk, at: decided }
      - fault: { kind: clockJump, by: PT1H, at: decided }
      - fault: { kind: policy, account: anna, at: decided }
      - fault: { kind: wipe, app: mail, account: anna, at: drawn }
      - fault: { kind: restartHost, at: drawn }
      """)
    let expected: [Action.Fault] = [
      .init(.kill, at: .delivered, guest: "mail"), .init(.kill, at: nil),
      .init(.stop(seconds: 2), at: .decided, guest: "notes-1"),
      .init(.slowReader(seconds: 1), at: .halfAcknowledged, guest: "mail"),
      .init(.halfFrame, at: nil, guest: "mail"), .init(.dropAnswer, at: .decided, guest: "mail"),
      .init(.fullDisk, at: .decided), .init(.clockJump(seconds: 3_600), at: .decided),
      .init(.policy(.init(account: "anna", policies: [])), at: .decided),
      .init(.wipe(account: "anna"), at: nil, guest: "mail"), .init(.restartHost, at: nil),
    ]
    #expect(steps.map(\.action) == expected.map { .fault($0) })
    #expect(
      steps.map(\.text) == [
        "a fault is armed: mail is killed when a transfer of mail is delivered",
        "a fault is armed: the sender or receiver is killed when a transfer is at a drawn point",
        "a fault is armed: notes-1 is paused for PT2S when a transfer of notes-1 is decided",
        "a fault is armed: mail reads slowly for PT1S when a transfer of mail is halfAcknowledged",
        "a fault is armed: the connection of mail is closed within a frame "
          + "when a transfer of mail is at a drawn point",
        "a fault is armed: the answer to the sender is lost when a transfer of mail is decided",
        "a fault is armed: the disk is full when a transfer is decided",
        "a fault is armed: the clock jumps by PT1H when a transfer is decided",
        "a fault is armed: anna loses its policies when a transfer is decided",
        "a fault is armed: anna is wiped from mail when a transfer of mail is at a drawn point",
        "a fault is armed: the host dies when a transfer is at a drawn point",
      ])
  }

  @Test(
    arguments: table(
      """
      {}
      => 10: error: a fault needs `kind` [missing-key]
      kill
      => 10: error: a fault must be a mapping, found `kill`; for example `fault: { kind: kill, app:
         viewer, at: delivered }` [wrong-type]
      { kind: kill, app: mail }
      => 10: error: a fault needs `at` [missing-key]
      { knd: kill, at: drawn }
      => 12: error: a fault has no key `knd`; did you mean `kind`? [unknown-key]
      { kind: slowReder, at: drawn }
      => 18: error: `kind` cannot be `slowReder`; did you mean `slowReader`? [invalid-value]
      { kind: kill, app: mail, at: deliverd }
      => 39: error: `at` cannot be `deliverd`; did you mean `delivered`? [invalid-value]
      { kind: kill, app: mial, at: drawn }
      => 29: error: no app is called `mial`; did you mean `mail`? [unknown-name]
      { kind: kill, app: notes, at: drawn }
      => 29: error: `notes` stands for 3 guests; name one, such as `notes-1` [invalid-value]
      { kind: kill, app: markup, at: drawn }
      => 29: error: `markup` is an extension; faults affect only transfers between apps [invalid-value]
      { kind: kill, at: decided }
      => 10: error: the fault `kill` needs `app`, but where the point is `drawn` [missing-key]
      { kind: wipe, account: anna, at: drawn }
      => 10: error: the fault `wipe` needs `app` [missing-key]
      { kind: wipe, app: mail, at: drawn }
      => 10: error: a fault needs `account` [missing-key]
      { kind: fullDisk, app: mail, at: drawn }
      => 28: error: the fault `fullDisk` takes no `app` [conflicting-keys]
      { kind: kill, app: mail, at: drawn, for: PT1S }
      => 46: error: the fault `kill` takes no `for` [conflicting-keys]
      { kind: stop, app: mail, at: drawn, for: PT1H }
      => 51: error: `for` must be real time from `PT1S` to `PT30S`, found `PT1H` [invalid-value]
      { kind: clockJump, at: drawn }
      => 10: error: a fault needs `by` [missing-key]
      { kind: clockJump, at: drawn, by: 1h }
      => 44: error: `by` must be a duration in weeks, days, hours, minutes or seconds, such as `PT1H`,
         found `1h` [invalid-value]
      { kind: policy, at: drawn, account: ana }
      => 46: error: no account is called `ana`; did you mean `anna`? [unknown-name]
      """)) func `invalid faults are reported`(value: String, message: String)
  {
    let error = #expect(throws: ScenarioError.self) {
      try ScenarioReadingTests.steps("- fault: \(value)")
    }
    #expect(error?.description == "test.yaml:7:" + message)
  }

  @Test func `a fault step cannot have expectations`() {
    let error = #expect(throws: ScenarioError.self) {
      try ScenarioReadingTests.steps(
        "- { fault: { kind: restartHost, at: drawn }, expect: { end: delivered } }")
    }
    #expect(error?.message == "the result of `fault` has no `end`")
  }
}
