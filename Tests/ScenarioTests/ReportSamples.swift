import Encodings
import Model
import Scenario

/// Journals with everything that a report can show.
enum ReportSamples {
  private static let mail = Participant(
    guest: "mail", app: "com.contoso.mail", identity: "anna@contoso.com", isManaged: true)
  private static let personal = Participant(
    guest: "mail", app: "com.contoso.mail", identity: "", isManaged: false)
  private static let viewer = Participant(
    guest: "viewer", app: "org.example.viewer", identity: nil, isManaged: false)

  private static let send = Explanation(
    rule: .sendManagedAppsToUnmanaged, side: .sender,
    setting: "allowedOutboundDataTransferDestinations", label: "Send org data to other apps",
    value: "Policy managed apps", source: "policies/base.json:16",
    text:
      "the sender's policy allows sending org data only to policy managed apps, and the receiver is not managed"
  )

  private static let blocked = RequestDecision(
    request: 1, operation: .share, via: .sdk, sender: mail, receiver: viewer,
    owner: "anna@contoso.com", type: "public.utf8-plain-text", bytes: 17,
    verdict: ExplainedVerdict(
      outcome: .blocked, deciding: .sendManagedAppsToUnmanaged,
      reasons: [
        send,
        Explanation(
          rule: .unmanagedReceiver, side: .receiver,
          text: "the receiver is unmanaged, so no policy restricts receiving"),
      ],
      changes: [
        "bring viewer under a policy", "set `Send org data to other apps` to `All apps`",
      ]))

  static let allowed = RequestDecision(
    request: 2, operation: .share, via: .os, sender: personal, receiver: viewer, owner: "",
    type: "public.utf8-plain-text", bytes: 13,
    verdict: ExplainedVerdict(
      outcome: .allowed, deciding: .noRuleApplied,
      reasons: [
        Explanation(
          rule: .noRuleApplied, side: .device,
          text: "no managed identity takes part, so no policy applies", isAssumed: true)
      ], changes: []))

  private static let encrypted = RequestDecision(
    request: 3, operation: .openIn, via: .os, sender: mail, receiver: viewer,
    verdict: ExplainedVerdict(
      outcome: .encrypted, deciding: .sendManagedAppsEncrypts, reasons: [send], changes: []))

  static let passed: [JournalEvent.Kind] = [
    .caseBegan(suite: "Sending", name: "org data stays", criterion: "SEND-1"),
    .stepBegan(step: 1, text: "launch mail, viewer"),
    .guestStarted(guest: "mail", app: "com.contoso.mail", team: "TEAM1"),
    .guestReady(guest: "mail"),
    .stepBegan(step: 2, text: "mail shares `Quarterly figures` with viewer"),
    .decided(blocked), .ended(request: 1, end: .refused, detail: nil),
    .expectation(
      step: 2, expected: "verdict blocked", found: "verdict blocked", isMet: true),
    .caseEnded,
  ]

  static let failed: [JournalEvent.Kind] = [
    .caseBegan(suite: "Sending", name: "private data moves", criterion: nil),
    .stepBegan(
      step: 1, text: "mail shares `Shopping list` with viewer", at: Position(line: 21, column: 9)),
    .claimIgnored(
      guest: "mail", claim: "source", claimed: "anna@contoso.com", actual: "an unknown account"),
    .decided(allowed),
    .stepBegan(step: 2, text: "kill viewer"),
    .guestExited(guest: "viewer", cause: "killed", text: "killed by a step"),
    .ended(request: 2, end: .undeliverable, detail: "viewer went away"),
    .expectation(
      step: 1, expected: "end delivered", found: "end undeliverable", isMet: false,
      at: Position(line: 22, column: 17)),
    .expectation(
      step: 1, expected: "received text `Shopping list`", found: "no received text", isMet: false,
      at: Position(line: 22, column: 17)),
    .caseEnded,
  ]

  static let errored: [JournalEvent.Kind] = [
    .caseBegan(
      suite: "Errors & \"omissions\" <#1>", name: "a guest says \u{1B}[31m\tred\n", criterion: nil),
    .stepBegan(step: 1, text: "launch mail"),
    .stepFailed(step: 1, why: "`mail` did not answer: \u{0}\u{8}"),
    .identitySwitchRequired(
      guest: "mail", identity: "", reason: "documentImport", isAccepted: false),
    .extensionCancelled(guest: "markup", request: 9, why: "C:\\temp # full"),
    .accountSignedOut(app: "com.contoso.mail", account: "anna@contoso.com"),
    .decided(encrypted), .ended(request: 3, end: .deliveredEncrypted, detail: nil),
    .caseEnded,
  ]

  static let unfinished: [JournalEvent.Kind] = [
    .caseBegan(
      suite: "Errors & \"omissions\" <#1>", name: "nobody finished this", criterion: "KILL-1")
  ]

  static func events(_ kinds: [JournalEvent.Kind]) -> [JournalEvent] {
    let all = [.deviceStarted(device: "iPhone", seed: 1)] + kinds
    return all.enumerated().map {
      JournalEvent(sequence: $0.offset + 1, time: 1_767_225_600, kind: $0.element)
    }
  }

  private static var recording: CaseRecording {
    var output = GuestOutput(guest: "viewer")
    for number in 1...22 { output.append("line \(number)\n") }
    output.append("\u{1B}[31mno line break")
    return CaseRecording(
      events: events(failed), duration: .milliseconds(1_234), output: [output],
      returned: [RequestPlace(request: 2): "SHOPPING LIST"])
  }

  static var report: Report {
    var builder = ReportBuilder()
    builder.add(events(passed), file: "scenarios/SEND.yaml")
    builder.add(recording, file: "scenarios/SEND.yaml")
    builder.add(events(errored))
    builder.add(events(unfinished))
    return builder.report
  }
}
