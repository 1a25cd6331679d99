import Foundation
import IntuneMAMSwift

final class ComplianceDelegate: NSObject, IntuneMAMComplianceDelegate {
  weak var account: AccountController?

  func accountId(
    _ accountId: String, hasComplianceStatus status: IntuneMAMComplianceStatus,
    withErrorMessage errMsg: String, andErrorTitle errTitle: String
  ) {
    print("compliance: \(status)")
    switch status {
    case .compliant:
      DispatchQueue.main.async { self.account?.retry() }
    case .interactionRequired:
      IntuneMAMComplianceManager.instance().remediateCompliance(
        forAccountId: accountId, silent: false)
    default:  // open: any failure, also of a newer SDK
      print("\(errTitle): \(errMsg)")
    }
  }
}
