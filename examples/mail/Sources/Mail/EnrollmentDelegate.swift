import Foundation
import IntuneMAMSwift

final class EnrollmentDelegate: NSObject, IntuneMAMEnrollmentDelegate {
  weak var account: AccountController?

  func enrollmentRequest(with status: IntuneMAMEnrollmentStatus) {
    print("enrollment of \(status.identity): \(status.statusCode.rawValue)")
    switch status.statusCode {
    case .newPoliciesReceived, .policiesHaveNotChanged, .noPolicyReceived:
      DispatchQueue.main.async { self.show(status.accountId) }
    case .notEmmAccount, .mdmEnrolledDifferentUser, .notDeviceAccount:
      // The device is enrolled for another organisation's account, so this account must be removed.
      account?.forget()
    default:  // open: any other status, also of a newer SDK
      break
    }
  }

  func policyRequest(with status: IntuneMAMEnrollmentStatus) {
    print("policy of \(status.identity): \(status.statusCode.rawValue)")
  }

  func unenrollRequest(with status: IntuneMAMEnrollmentStatus) {
    print("unenrollment of \(status.identity): \(status.statusCode.rawValue)")
  }

  private func show(_ accountId: String) {
    IntuneMAMPolicyManager.instance().setUIPolicyAccountId(accountId) { result in
      print("the mailbox is shown: \(result == .success)")
    }
  }
}
