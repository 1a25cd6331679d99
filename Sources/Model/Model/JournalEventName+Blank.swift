extension JournalEventName {
  /// An event of that name with blank values: a line is read into it, and the event's description is gathered from
  /// its declaration.
  var blank: JournalEvent.Kind {
    switch self {
    case .deviceStarted: .deviceStarted(device: "", seed: 0)
    case .deviceStopped: .deviceStopped
    case .clockRead: .clockRead(realTime: "")
    case .caseBegan: .caseBegan(suite: "", name: "", criterion: nil)
    case .stepBegan: .stepBegan(step: 0, text: "", at: .nowhere)
    case .expectation:
      .expectation(step: 0, expected: "", found: "", isMet: false, at: .nowhere)
    case .stepFailed: .stepFailed(step: 0, why: "")
    case .caseEnded: .caseEnded
    case .faultInjected: .faultInjected(kind: .kill, point: .decided)
    case .itemArrived:
      .itemArrived(item: 0, by: .airDrop, device: "", request: 0, type: "", bytes: 0)

    case .guestStarted: .guestStarted(guest: "", app: "", team: nil)
    case .guestReady: .guestReady(guest: "")
    case .guestSuspended: .guestSuspended(guest: "")
    case .guestResumed: .guestResumed(guest: "")
    case .guestExited: .guestExited(guest: "", cause: "", text: "")
    case .claimIgnored: .claimIgnored(guest: "", claim: "", claimed: "", actual: "")

    case .accountEnrolled: .accountEnrolled(app: "", account: "", policies: [])
    case .accountSignedIn: .accountSignedIn(app: "", account: "", isManaged: false)
    case .accountSignedOut: .accountSignedOut(app: "", account: "")
    case .identitySwitched: .identitySwitched(guest: "", identity: nil, isManaged: false)
    case .identitySwitchRequired:
      .identitySwitchRequired(guest: "", identity: "", reason: "", isAccepted: false)
    case .accessChecked: .accessChecked(guest: "", account: "", action: "", verdict: .blank)
    case .accountNotAllowed: .accountNotAllowed(app: "", expected: "", entered: "")
    case .accountRenamed: .accountRenamed(account: "", to: "")
    case .wipeAdvanced: .wipeAdvanced(app: "", account: "", state: "", detail: nil)
    case .accountWiped: .accountWiped(app: "", account: "")
    case .policyChanged: .policyChanged(app: "", account: "", policies: [])
    case .policySaved: .policySaved(policy: "", changes: [])
    case .appConfigured: .appConfigured(app: "", keys: [])
    case .configurationDelivered:
      .configurationDelivered(app: "", account: "", keys: [], conflicts: [])
    case .telemetryRecorded:
      .telemetryRecorded(Telemetry(app: "", kind: .launch, management: .unmanaged))
    case .declarationsApplied: .declarationsApplied(configurations: [])
    case .managedAppChanged: .managedAppChanged(app: "", team: "", aspects: [])
    case .administratorInformed: .administratorInformed(app: nil, code: 0, message: "")
    case .delegateAsked: .delegateAsked(guest: "", call: "", account: "", isAccepted: false)
    case .enrollmentAsked: .enrollmentAsked(app: "", account: "", request: "")
    case .enrollmentAnswered:
      .enrollmentAnswered(app: "", account: "", request: "", status: .timeout)
    case .complianceAnswered:
      .complianceAnswered(app: "", account: "", status: .compliant, title: "", message: "")
    case .remediationLooped: .remediationLooped(app: "", account: "", count: 0)
    case .policyAbsent: .policyAbsent(guest: "", action: "")

    case .policyStated: .policyStated(policy: "", documents: [], settings: .blank)
    case .factsStated: .factsStated(facts: "", request: .blank)
    case .requestDecided: .decided(.blank)
    case .requestEnded: .ended(request: 0, end: .failed)
    case .extensionCompleted: .extensionCompleted(guest: "", request: 0, returned: 0)
    case .extensionCancelled: .extensionCancelled(guest: "", request: 0, why: "")
    }
  }
}
