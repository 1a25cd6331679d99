import Encodings
import Model

/// Samples of every kind of event, with all optional members and with none.
enum JournalSamples {
  static let mail = Participant(
    guest: "mail", app: "com.contoso.mail", identity: "anna@contoso.com", isManaged: true)
  static let viewer = Participant(
    guest: "viewer", app: "org.example.viewer", identity: nil, isManaged: false)

  static let verdict = ExplainedVerdict(
    outcome: .blocked, deciding: .sendManagedAppsToUnmanaged,
    reasons: [
      Explanation(
        rule: .sendManagedAppsToUnmanaged, side: .sender,
        setting: "allowedOutboundDataTransferDestinations", label: "Send org data to other apps",
        value: "Policy managed apps", source: "base.json:16", text: "the receiver is not managed"),
      Explanation(rule: .unmanagedReceiver, side: .receiver, text: "no policy", isAssumed: true),
    ],
    changes: ["let `viewer` come under policy"])

  static let least = ExplainedVerdict(
    outcome: .allowed, deciding: .noRuleApplied,
    reasons: [Explanation(rule: .noRuleApplied, side: .device, text: "nobody is managed")],
    changes: [])

  static let kinds: [JournalEvent.Kind] = [
    .deviceStarted(device: "iPhone", seed: .max), .deviceStopped,
    .clockRead(realTime: "2026-11-25T21:00:00.123Z"),
    .caseBegan(suite: "Sending", name: "a \"case\"\n", criterion: "SEND-1"),
    .caseBegan(suite: "", name: "", criterion: nil), .caseEnded,
    .stepBegan(step: 1, text: "launch mail"), .stepFailed(step: 2, why: "it runs already"),
    .stepBegan(step: 2, text: "launch mail", at: Position(line: 12, column: 7)),
    .expectation(step: 3, expected: "verdict blocked", found: "no verdict", isMet: false),
    .expectation(
      step: 3, expected: "end refused", found: "end delivered", isMet: false,
      at: Position(line: 14, column: 9)),
    .faultInjected(kind: .halfFrame, point: .delivered, guest: "mail"),
    .faultInjected(kind: .restartHost, point: .halfAcknowledged),
    .itemArrived(
      item: 4, by: .airDrop, device: "ben-phone", request: 7, type: "public.data", bytes: 12),
    .itemArrived(
      item: 5, by: .storage, device: "ipad", request: 1, type: "public.data", bytes: 0,
      isEncrypted: true),
    .guestStarted(guest: "mail", app: "com.contoso.mail", team: "TEAM1"),
    .guestReady(guest: "mail"),
    .guestSuspended(guest: "mail"), .guestResumed(guest: "mail"),
    .guestExited(guest: "mail", cause: "killed", text: "killed by a step"),
    .claimIgnored(guest: "mail", claim: "app", claimed: "com.evil", actual: "com.contoso.mail"),
    .accountEnrolled(app: "com.contoso.mail", account: "anna@contoso.com", policies: ["a", "b"]),
    .accountSignedIn(app: "com.contoso.mail", account: "anna@contoso.com", isManaged: true),
    .accessChecked(
      guest: "mail", account: "anna@contoso.com", action: "wipe",
      verdict: ExplainedVerdict(
        outcome: .blocked, deciding: .jailbrokenWipes,
        reasons: [
          Explanation(
            rule: .jailbrokenWipes, side: .app, setting: "deviceComplianceRequired",
            label: "Jailbroken/rooted devices", value: "Wipe data", source: "base.json:12",
            otherSources: ["strict.json:9", "strict.json:40"],
            text: "the device is jailbroken")
        ], changes: [])),
    .accountWiped(app: "com.contoso.mail", account: "anna@contoso.com"),
    .wipeAdvanced(
      app: "com.contoso.mail", account: "anna@contoso.com", state: "requested",
      detail: "by the administrator"),
    .wipeAdvanced(
      app: "com.contoso.mail", account: "anna@contoso.com", state: "asked", detail: nil),
    .accountSignedOut(app: "com.contoso.mail", account: "anna@contoso.com"),
    .policyChanged(app: "com.contoso.mail", account: "anna@contoso.com", policies: ["a", "b"]),
    .policyChanged(app: "com.contoso.mail", account: "anna@contoso.com", policies: []),
    .policySaved(
      policy: "base", changes: ["Printing Org data: Allow (a.json:2) -> Block (b.json:2)"]),
    .appConfigured(app: "com.contoso.mail", keys: ["IntuneMAMOID", "IntuneMAMUPN"]),
    .appConfigured(app: "com.contoso.mail", keys: []),
    .configurationDelivered(
      app: "com.contoso.mail", account: "anna@contoso.com", keys: ["Server", "Theme"],
      conflicts: ["Theme"]),
    .configurationDelivered(
      app: "com.contoso.mail", account: "anna@contoso.com", keys: [], conflicts: []),
    .telemetryRecorded(
      Telemetry(app: "com.contoso.mail", kind: .launch, management: .mamWithMDM)),
    .telemetryRecorded(
      Telemetry(
        app: "com.contoso.mail", kind: .enrollment, management: .unmanaged,
        call: "registerAndEnroll", result: "notTargeted")),
    .declarationsApplied(configurations: ["com.contoso.landmarks"]),
    .declarationsApplied(configurations: []),
    .declarationsApplied(configurations: ["a"], problems: ["d/a.json:2:3: warning: b"]),
    .managedAppChanged(
      app: "com.contoso.landmarks", team: "CONTOSO123", aspects: ["configuration", "passwords"]),
    .administratorInformed(
      app: "com.contoso.landmarks", code: 100, message: "the collection has no landmarks"),
    .administratorInformed(app: nil, code: 0, message: "landmarks: error: …"),
    .accountNotAllowed(
      app: "com.contoso.mail", expected: "anna@contoso.com", entered: "ben@contoso.com"),
    .accountRenamed(account: "anna@contoso.com", to: "anna.smith@contoso.com"),
    .delegateAsked(guest: "mail", call: "block", account: "anna@contoso.com", isAccepted: false),
    .identitySwitched(guest: "mail", identity: "anna@contoso.com", isManaged: true),
    .identitySwitched(guest: "mail", identity: "", isManaged: false),
    .identitySwitched(guest: "mail", identity: nil, isManaged: false),
    .identitySwitchRequired(
      guest: "mail", identity: "", reason: "documentImport", isAccepted: true),
    .enrollmentAsked(app: "com.contoso.mail", account: "anna@contoso.com", request: "login"),
    .enrollmentAnswered(
      app: "com.contoso.mail", account: "anna@contoso.com", request: "enrollment",
      status: .enrollmentEndPointNetworkFailure),
    .enrollmentAnswered(
      app: "com.contoso.mail", account: "", request: "unenrollment", status: .nilAccount),
    .complianceAnswered(
      app: "com.contoso.mail", account: "anna@contoso.com", status: .notCompliant,
      title: "Access denied", message: #"Ask "support""#),
    .complianceAnswered(
      app: "com.contoso.mail", account: "anna@contoso.com", status: .compliant, title: "",
      message: ""),
    .remediationLooped(app: "com.contoso.mail", account: "anna@contoso.com", count: 3),
    .policyAbsent(guest: "mail", action: "block"),
    .policyStated(
      policy: "64e8", documents: ["Base"],
      settings: RecordedObject(json: #"{"saveAsBlocked":true,"exemptedAppProtocols":[]}"#)),
    .factsStated(
      facts: "c8ef", request: RecordedObject(json: #"{"channel":"print","sender":{"app":"a.b"}}"#)),
    .decided(
      RequestDecision(
        request: 7, operation: .share, via: .os, sender: mail, receiver: viewer,
        owner: "anna@contoso.com", type: "public.utf8-plain-text", bytes: 17, subject: "skype:bob",
        facts: "c8ef", verdict: verdict)),
    .decided(
      RequestDecision(request: 8, operation: .paste, from: [7], likely: [5, 6], verdict: least)),
    .decided(
      RequestDecision(
        request: 9, operation: .openFile, sender: mail, stated: [7, 8],
        subject: "Containers/mail/a.txt", use: .beginning, verdict: least)),
    .decided(
      RequestDecision(
        request: 10, operation: .moveFile, sender: mail, subject: "Containers/mail/a.txt",
        target: "Containers/mail/b.txt", verdict: least)),
    .ended(request: 7, end: .deliveredEncrypted, detail: "after 2 tries"),
    .ended(request: 8, end: .refused, status: 227),
    .extensionCompleted(guest: "markup", request: 7, returned: 0),
    .extensionCancelled(guest: "markup", request: 8, why: "the user gave up"),
    .notificationPosted(
      app: "com.contoso.mail", account: "anna@contoso.com",
      notification: "dataProtectionDidChange"),
    .notificationPosted(
      app: "com.contoso.mail", account: nil, notification: "allowedAccountsDidChange"),
  ]

  static var events: [JournalEvent] {
    kinds.enumerated().map { index, kind in
      JournalEvent(sequence: index + 1, time: 1_767_225_600 + index, kind: kind)
    }
  }
}
