import Model
import Testing

/// Tests the calls of the SDK that journals record.
struct SDKCallTests {
  private static let mail = RecordedSDKCall.App.bundleID("com.contoso.mail")
  private static let anna = "anna@contoso.com"

  /// Each call with an event that records it.
  private static let calls: [(JournalEvent.Kind, SDKCall, RecordedSDKCall.App)] =
    EnrollmentStatus.allCases.flatMap { status in
      [
        ("enrollment", SDKCall.enrollment(status)), ("policy", .policy(status)),
        ("unenrollment", .unenrollment(status)),
      ].map { request, call in
        let event = JournalEvent.Kind.enrollmentAnswered(
          app: "com.contoso.mail", account: anna, request: request, status: status)
        return (event, call, mail)
      }
    }
    + ComplianceStatus.allCases.map { status in
      let event = JournalEvent.Kind.complianceAnswered(
        app: "com.contoso.mail", account: anna, status: status, title: "", message: "")
      return (event, .compliance(status), mail)
    }
    + [
      (
        .accountEnrolled(app: "com.contoso.mail", account: anna, policies: ["Base"]),
        .notification(.policyDidChange), mail
      ),
      (
        .policyChanged(app: "com.contoso.mail", account: anna, policies: []),
        .notification(.policyDidChange), mail
      ),
      (
        .accountWiped(app: "com.contoso.mail", account: anna), .notification(.wipeDidComplete),
        mail
      ),
      (
        .configurationDelivered(app: "com.contoso.mail", account: anna, keys: [], conflicts: []),
        .notification(.appConfigDidChange), mail
      ),
      (
        .wipeAdvanced(app: "com.contoso.mail", account: anna, state: "asked", detail: nil),
        .delegate(.wipeData), mail
      ),
      (
        .identitySwitchRequired(
          guest: "mail", identity: anna, reason: "openURL", isAccepted: true),
        .delegate(.identitySwitchRequired), .guest("mail")
      ),
    ]
    + [
      ("add", PolicyDelegateMethod.addAccount), ("block", .blockAccount),
      ("restart", .restartApplication),
    ].map { call, method in
      (
        .delegateAsked(guest: "mail", call: call, account: anna, isAccepted: false),
        .delegate(method), .guest("mail")
      )
    }

  @Test func `each call is read from its event`() {
    for (event, call, app) in Self.calls {
      let recorded = RecordedSDKCall(event)
      #expect(recorded == RecordedSDKCall(call: call, app: app, account: Self.anna), "\(event)")
    }
  }

  @Test func `the events cover all calls but those without an event`() {
    let calls = Set(Self.calls.map(\.1))
    for method in PolicyDelegateMethod.allCases { #expect(calls.contains(.delegate(method))) }
    for notification in IntuneMAMNotification.allCases {
      #expect(
        calls.contains(.notification(notification))
          == RecordedSDKCall.notifications.contains(notification))
    }
    let declarations = calls.map(\.declaration)
    #expect(
      Set(declarations).union(IntuneMAMNotification.allCases.map(\.declaration))
        == Set(SDKCall.declarations))
  }

  @Test(
    arguments: [
      .wipeAdvanced(app: "com.contoso.mail", account: anna, state: "answered", detail: "no"),
      .enrollmentAnswered(
        app: "com.contoso.mail", account: anna, request: "login", status: .authRequired),
      .delegateAsked(guest: "mail", call: "close", account: anna, isAccepted: true),
      .accountSignedIn(app: "com.contoso.mail", account: anna, isManaged: true),
    ] as [JournalEvent.Kind])
  func `other events record no call`(event: JournalEvent.Kind) {
    #expect(RecordedSDKCall(event) == nil)
  }

  @Test func `a description has the method and the status`() {
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
