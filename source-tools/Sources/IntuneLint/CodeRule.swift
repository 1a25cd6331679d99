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
    case .unknownDelegateMethod: "a delegate's method that no version of the SDK calls"
    case .removedDelegateMethod: "a delegate's method that this version of the SDK no longer calls"
    case .removedMember: "a call of what this version of the SDK no longer has"
    case .deprecatedMember: "use of what the SDK has deprecated"
    case .tooNewMember: "use of what this version of the SDK does not have yet"
    case .delegateSetAfterEnrollment: "an enrollment that begins before its delegate is set"
    case .delegateLost: "a delegate that nobody keeps"
    case .delegateNotSet:
      "a type that conforms to a delegate protocol, while no such delegate is set"
    case .statusCodeMeaning: "a number that is another status than the code says"
    case .wipeAlwaysAnswers: "a wipe whose answer does not depend on its outcome"
    case .restartNotHandled: "a restart that the app promises and does not perform"
    case .completionNotCalled: "a completion handler that is not called on some path"
    case .completionCalledTwice: "a completion handler that is called twice on one path"
    case .cachedPolicyAnswer: "an answer of the policy that is kept while the identity changes"
    case .missingAfterUpgrade: "a case or method that the upgrade adds, and the code needs"
    case .changedBehavior: "a declaration whose behavior the upgrade changes"
    case .changedRequirement: "what the upgrade requires of the app"
    }
  }

  /// The section of Microsoft's headers or guide that specifies the rule.
  public var help: String {
    switch self {
    case .unknownDelegateMethod, .removedDelegateMethod:
      "the methods of delegates are optional, so that a compiler does not notice (IntuneMAMEnrollmentDelegate.h, "
        + "IntuneMAMPolicyDelegate.h, IntuneMAMComplianceManager.h)"
    case .removedMember, .deprecatedMember, .tooNewMember:
      "the headers of the release that `--sdk` selects"
    case .delegateSetAfterEnrollment:
      "set the delegate before the call, which starts the request immediately (IntuneMAMEnrollmentManager.h)"
    case .delegateLost:
      "keep the delegate in a property: the manager's is weak (IntuneMAMEnrollmentManager.h, "
        + "IntuneMAMComplianceManager.h)"
    case .delegateNotSet:
      "set the manager's `delegate` before the first enrollment (IntuneMAMEnrollmentManager.h, "
        + "IntuneMAMPolicyManager.h, IntuneMAMComplianceManager.h)"
    case .statusCodeMeaning:
      "compare with the cases of IntuneMAMEnrollmentStatusCode (IntuneMAMEnrollmentStatus.h)"
    case .wipeAlwaysAnswers:
      "answer true if the account's data are gone, false if they could not be wiped completely "
        + "(IntuneMAMPolicyDelegate.h)"
    case .restartNotHandled:
      "answer false to let the SDK restart the app, or save the user's work and exit "
        + "(IntuneMAMPolicyDelegate.h)"
    case .completionNotCalled:
      "the SDK waits until the handler is called (IntuneMAMPolicyDelegate.h, IntuneMAMEnrollmentDelegate.h)"
    case .completionCalledTwice: "call the handler once on each path (IntuneMAMPolicyDelegate.h)"
    case .cachedPolicyAnswer:
      "ask each time, for the account that is in use then (IntuneMAMPolicyManager.h, IntuneMAMPolicy.h)"
    case .missingAfterUpgrade: "the headers of both releases"
    case .changedBehavior, .changedRequirement: "the release notes, or the header that is named"
    }
  }
}

/// A finding about integration code.
public typealias CodeFinding = Finding<CodeRule>
