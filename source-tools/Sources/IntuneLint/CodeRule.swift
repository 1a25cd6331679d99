public import Output

/// A rule that ``CodeLint`` checks.
public enum CodeRule: String, Sendable, CaseIterable, FindingRule {
  case unknownDelegateMethod
  case removedDelegateMethod
  case removedMember
  case deprecatedMember
  case tooNewMember
  case delegateSetAfterEnrollment
  case delegateLost
  case delegateNotSet
  case statusCodeMeaning
  case wipeAlwaysAnswers
  case restartNotHandled
  case completionNotCalled
  case completionCalledTwice
  case cachedPolicyAnswer
  case missingAfterUpgrade
  case changedBehavior
  case changedRequirement

  public var severity: Severity {
    [.removedMember, .missingAfterUpgrade].contains(self) ? .error : .warning
  }

  public var summary: String {
    switch self {
    case .unknownDelegateMethod: "A delegate method that no version of the SDK calls"
    case .removedDelegateMethod: "A delegate method that this version of the SDK no longer calls"
    case .removedMember: "Use of an API that this version of the SDK has removed"
    case .deprecatedMember: "Use of a deprecated API"
    case .tooNewMember: "Use of an API that this version of the SDK does not have yet"
    case .delegateSetAfterEnrollment: "An enrollment that begins before its delegate is set"
    case .delegateLost: "A delegate that nothing retains"
    case .delegateNotSet: "An implementation of a delegate protocol whose delegate no file sets"
    case .statusCodeMeaning: "A status number that is invalid or contradicts its comment"
    case .wipeAlwaysAnswers: "A wipe handler whose result does not depend on the outcome"
    case .restartNotHandled: "A restart that the app promises but does not perform"
    case .completionNotCalled: "A path on which a completion handler is not called"
    case .completionCalledTwice: "A path on which a completion handler is called twice"
    case .cachedPolicyAnswer: "A cached policy value in a type that changes the identity"
    case .missingAfterUpgrade: "A case or required method that the upgrade adds and the code lacks"
    case .changedBehavior: "A declaration whose behaviour the upgrade changes"
    case .changedRequirement: "A requirement that the upgrade adds"
    }
  }

  /// The remedy, with the names of Microsoft's headers if they specify the rule.
  public var help: String {
    switch self {
    case .unknownDelegateMethod, .removedDelegateMethod:
      "Delegate methods are optional, so the compiler does not report a wrong name (IntuneMAMEnrollmentDelegate.h, "
        + "IntuneMAMPolicyDelegate.h, IntuneMAMComplianceManager.h)."
    case .removedMember, .deprecatedMember, .tooNewMember:
      "See the headers of the release that `--sdk` selects."
    case .delegateSetAfterEnrollment:
      "Set the delegate before the call, which starts the request immediately (IntuneMAMEnrollmentManager.h)."
    case .delegateLost:
      "Keep the delegate in a property: the manager's reference is weak (IntuneMAMEnrollmentManager.h, "
        + "IntuneMAMComplianceManager.h)."
    case .delegateNotSet:
      "Set the manager's `delegate` before the first enrollment (IntuneMAMEnrollmentManager.h, "
        + "IntuneMAMPolicyManager.h, IntuneMAMComplianceManager.h)."
    case .statusCodeMeaning:
      "Use the cases of IntuneMAMEnrollmentStatusCode (IntuneMAMEnrollmentStatus.h)."
    case .wipeAlwaysAnswers:
      "Return true if the account's data is gone, false if it could not be wiped completely "
        + "(IntuneMAMPolicyDelegate.h)."
    case .restartNotHandled:
      "Return false to let the SDK restart the app, or save the user's work and exit "
        + "(IntuneMAMPolicyDelegate.h)."
    case .completionNotCalled:
      "The SDK waits until the handler is called (IntuneMAMPolicyDelegate.h, IntuneMAMEnrollmentDelegate.h)."
    case .completionCalledTwice:
      "Call the handler once on each path (IntuneMAMPolicyDelegate.h)."
    case .cachedPolicyAnswer:
      "Query the policy each time, for the current account (IntuneMAMPolicyManager.h, IntuneMAMPolicy.h)."
    case .missingAfterUpgrade: "See the headers of both releases."
    case .changedBehavior, .changedRequirement:
      "See the release notes, or the header that the finding names."
    }
  }
}

/// A finding about integration code.
public typealias CodeFinding = Finding<CodeRule>
