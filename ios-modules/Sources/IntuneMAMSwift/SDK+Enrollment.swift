internal import AppProcess
internal import Foundation
internal import SluiceKit

/// Passes the service's answers about accounts to the app's delegates.
extension SDK {
  private var enrollmentDelegate: (any IntuneMAMEnrollmentDelegate)? {
    let manager = IntuneMAMEnrollmentManager.instance()
    if manager.delegate == nil, manager.hasHadDelegate {
      process.logOnce(
        "the enrollment delegate was deallocated and gets no status, because the manager holds only a weak reference to it"
      )
    }
    return manager.delegate
  }

  func enrollmentRequest(with status: SluiceKit.IntuneMAMEnrollmentStatus) {
    call("enrollmentRequest(with:)") { [self] in
      enrollmentDelegate?.enrollmentRequest(with: IntuneMAMEnrollmentStatus(status))
    }
  }

  func policyRequest(with status: SluiceKit.IntuneMAMEnrollmentStatus) {
    call("policyRequest(with:)") { [self] in
      enrollmentDelegate?.policyRequest(with: IntuneMAMEnrollmentStatus(status))
    }
  }

  func unenrollRequest(with status: SluiceKit.IntuneMAMEnrollmentStatus) {
    call("unenrollRequest(with:)") { [self] in
      enrollmentDelegate?.unenrollRequest(with: IntuneMAMEnrollmentStatus(status))
    }
  }

  func accountId(
    _ accountId: String, hasComplianceStatus status: SluiceKit.IntuneMAMComplianceStatus,
    withErrorMessage message: String, andErrorTitle title: String
  ) {
    guard let status = IntuneMAMComplianceStatus(rawValue: UInt(status.rawValue)) else { return }
    call("accountId(_:hasComplianceStatus:withErrorMessage:andErrorTitle:)") {
      IntuneMAMComplianceManager.instance().delegate?.accountId(
        accountId, hasComplianceStatus: status, withErrorMessage: message, andErrorTitle: title)
    }
  }
}
