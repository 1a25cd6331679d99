import Model
import Testing

/// Tests the calls of the SDK that journals record.
struct SDKCallTests {
  private static let mail = "com.contoso.mail"
  private static let anna = "anna@contoso.com"
  private static let start: [JournalEvent.Kind] = [
    .guestStarted(guest: "mail", app: mail, team: nil), .guestReady(guest: "mail"),
  ]

  /// Returns the calls in a journal.
  private func calls(_ kinds: [JournalEvent.Kind]) -> [RecordedSDKCall] {
    var reader = SDKCallReader()
    return kinds.flatMap { reader.calls(by: $0) }
  }

  /// Each call with an event that records it.
  private static let recorded: [(JournalEvent.Kind, SDKCall)] =
    EnrollmentStatus.allCases.flatMap { status in
      [
        ("enrollment", SDKCall.enrollment(status)), ("policy", .policy(status)),
        ("unenrollment", .unenrollment(status)),
      ].map { request, call in
        (.enrollmentAnswered(app: mail, account: anna, request: request, status: status), call)
      }
    }
    + ComplianceStatus.allCases.map { status in
      (
        .complianceAnswered(app: mail, account: anna, status: status, title: "", message: ""),
        .compliance(status)
      )
    }
    + [
      (
        .policyChanged(app: mail, account: anna, policies: []), .notification(.policyDidChange)
      ),
      (.accountWiped(app: mail, account: anna), .notification(.wipeDidComplete)),
      (
        .configurationDelivered(app: mail, account: anna, keys: [], conflicts: []),
        .notification(.appConfigDidChange)
      ),
      (
        .notificationPosted(app: mail, account: anna, notification: "dataProtectionDidChange"),
        .notification(.dataProtectionDidChange)
      ),
      (
        .notificationPosted(app: mail, account: anna, notification: "allowedAccountsDidChange"),
        .notification(.allowedAccountsDidChange)
      ),
      (
        .wipeAdvanced(app: mail, account: anna, state: "asked", detail: nil), .delegate(.wipeData)
      ),
      (
        .identitySwitchRequired(
          guest: "mail", identity: anna, reason: "openURL", isAccepted: true),
        .delegate(.identitySwitchRequired)
      ),
    ]
    + [
      ("add", PolicyDelegateMethod.addAccount), ("block", .blockAccount),
      ("restart", .restartApplication),
    ].map { call, method in
      (
        .delegateAsked(guest: "mail", call: call, account: anna, isAccepted: false),
        .delegate(method)
      )
    }

  @Test func `an SDK call is read from its journal event only while the app is running`() {
    for (event, call) in Self.recorded {
      #expect(
        calls(Self.start + [event])
          == [RecordedSDKCall(call: call, app: Self.mail, account: Self.anna)])
      #expect(calls([Self.start[0], event]).isEmpty)
      let exit = JournalEvent.Kind.guestExited(guest: "mail", cause: "exited", text: "")
      #expect(calls(Self.start + [exit, event]).isEmpty)
    }
  }

  @Test func `the test's recorded events cover all calls of the SDK`() {
    let calls = Set(Self.recorded.map(\.1))
    for method in PolicyDelegateMethod.allCases { #expect(calls.contains(.delegate(method))) }
    for notification in IntuneMAMNotification.allCases {
      #expect(calls.contains(.notification(notification)))
    }
    #expect(Set(calls.map(\.declaration)) == Set(SDKCall.declarations))
  }

  @Test func `an SDK notification about all accounts names no account`() {
    let posted = JournalEvent.Kind.notificationPosted(
      app: Self.mail, account: nil, notification: "allowedAccountsDidChange")
    #expect(calls(Self.start + [posted]).map(\.account) == [""])
  }

  @Test
  func `unless the account then signs in, a first policy is a policyDidChange notification`() {
    let policy = JournalEvent.Kind.accountEnrolled(
      app: Self.mail, account: Self.anna, policies: ["Base"])
    let signIn = JournalEvent.Kind.accountSignedIn(
      app: Self.mail, account: Self.anna, isManaged: true)
    let other = JournalEvent.Kind.accountSignedIn(
      app: Self.mail, account: "bob", isManaged: false)
    let change = RecordedSDKCall(
      call: .notification(.policyDidChange), app: Self.mail, account: Self.anna)
    #expect(calls(Self.start + [policy, signIn, .deviceStopped]).isEmpty)
    #expect(calls(Self.start + [signIn, policy, .deviceStopped]) == [change])
    #expect(calls(Self.start + [policy, other]) == [change])
    let status = JournalEvent.Kind.enrollmentAnswered(
      app: Self.mail, account: Self.anna, request: "enrollment", status: .newPoliciesReceived)
    #expect(
      calls(Self.start + [policy, status]).map(\.call) == [
        .notification(.policyDidChange), .enrollment(.newPoliciesReceived),
      ])
  }

  @Test(
    arguments: [
      .wipeAdvanced(app: mail, account: anna, state: "answered", detail: "no"),
      .enrollmentAnswered(app: mail, account: anna, request: "login", status: .authRequired),
      .delegateAsked(guest: "mail", call: "close", account: anna, isAccepted: true),
      .accountSignedIn(app: mail, account: anna, isManaged: true),
    ] as [JournalEvent.Kind])
  func `journal events that are not SDK calls yield no call`(event: JournalEvent.Kind) {
    #expect(calls(Self.start + [event]).isEmpty)
  }

  @Test func `the description of an SDK call has the method and the status`() {
    let descriptions = [
      (SDKCall.enrollment(.newPoliciesReceived), "enrollmentRequest(with:) newPoliciesReceived"),
      (.unenrollment(.unenrollmentSuccess), "unenrollRequest(with:) unenrollmentSuccess"),
      (
        .compliance(.compliant),
        "accountId(_:hasComplianceStatus:withErrorMessage:andErrorTitle:) compliant"
      ),
      (.notification(.wipeDidComplete), "IntuneMAMWipeDidComplete"),
      (.delegate(.wipeData), "wipeData(forAccountId:)"),
    ]
    for (call, text) in descriptions { #expect(call.description == text) }
  }
}
