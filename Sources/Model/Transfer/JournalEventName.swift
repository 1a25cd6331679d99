/// The word that names a kind of event in the journal's `event` member.
public enum JournalEventName: String, Sendable, CaseIterable {
  case deviceStarted = "device.started"
  case deviceStopped = "device.stopped"
  case caseBegan = "case.began"
  case caseEnded = "case.ended"
  case stepBegan = "step.began"
  case stepFailed = "step.failed"
  case expectation = "expectation"
  case guestStarted = "guest.started"
  case guestReady = "guest.ready"
  case guestSuspended = "guest.suspended"
  case guestResumed = "guest.resumed"
  case guestExited = "guest.exited"
  case claimIgnored = "claim.ignored"
  case accountEnrolled = "account.enrolled"
  case accountSignedIn = "account.signedIn"
  case accountSignedOut = "account.signedOut"
  case accessChecked = "access.checked"
  case accountWiped = "account.wiped"
  case wipeAdvanced = "wipe.advanced"
  case policyChanged = "policy.changed"
  case appConfigured = "app.configured"
  case configurationDelivered = "configuration.delivered"
  case telemetryRecorded = "telemetry.recorded"
  case declarationsApplied = "declarations.applied"
  case managedAppChanged = "managedApp.changed"
  case administratorInformed = "administrator.informed"
  case accountNotAllowed = "account.notAllowed"
  case accountRenamed = "account.renamed"
  case delegateAsked = "delegate.asked"
  case identitySwitched = "identity.switched"
  case identitySwitchRequired = "identity.switchRequired"
  case enrollmentAsked = "enrollment.asked"
  case enrollmentAnswered = "enrollment.answered"
  case complianceAnswered = "compliance.answered"
  case remediationLooped = "remediation.looped"
  case policyAbsent = "policy.absent"
  case requestDecided = "request.decided"
  case requestEnded = "request.ended"
  case extensionCompleted = "extension.completed"
  case extensionCancelled = "extension.cancelled"
}

extension JournalEvent.Kind {
  public var name: JournalEventName {
    switch self {
    case .deviceStarted: .deviceStarted
    case .deviceStopped: .deviceStopped
    case .caseBegan: .caseBegan
    case .caseEnded: .caseEnded
    case .stepBegan: .stepBegan
    case .stepFailed: .stepFailed
    case .expectation: .expectation
    case .guestStarted: .guestStarted
    case .guestReady: .guestReady
    case .guestSuspended: .guestSuspended
    case .guestResumed: .guestResumed
    case .guestExited: .guestExited
    case .claimIgnored: .claimIgnored
    case .accountEnrolled: .accountEnrolled
    case .accountSignedIn: .accountSignedIn
    case .accountSignedOut: .accountSignedOut
    case .accessChecked: .accessChecked
    case .accountWiped: .accountWiped
    case .wipeAdvanced: .wipeAdvanced
    case .policyChanged: .policyChanged
    case .appConfigured: .appConfigured
    case .configurationDelivered: .configurationDelivered
    case .telemetryRecorded: .telemetryRecorded
    case .declarationsApplied: .declarationsApplied
    case .managedAppChanged: .managedAppChanged
    case .administratorInformed: .administratorInformed
    case .accountNotAllowed: .accountNotAllowed
    case .accountRenamed: .accountRenamed
    case .delegateAsked: .delegateAsked
    case .identitySwitched: .identitySwitched
    case .identitySwitchRequired: .identitySwitchRequired
    case .enrollmentAsked: .enrollmentAsked
    case .enrollmentAnswered: .enrollmentAnswered
    case .complianceAnswered: .complianceAnswered
    case .remediationLooped: .remediationLooped
    case .policyAbsent: .policyAbsent
    case .decided: .requestDecided
    case .ended: .requestEnded
    case .extensionCompleted: .extensionCompleted
    case .extensionCancelled: .extensionCancelled
    }
  }
}
