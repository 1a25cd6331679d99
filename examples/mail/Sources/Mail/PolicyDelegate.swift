import Foundation
import IntuneMAMSwift

final class PolicyDelegate: NSObject, IntuneMAMPolicyDelegate {
  func wipeData(forAccountId accountId: String) -> Bool {
    let isGone = Mailbox(accountId: accountId).remove()
    print("the mailbox was wiped: \(isGone)")
    return isGone
  }

  func restartApplication() -> Bool {
    // Drafts are saved on every change, so the SDK may restart the app.
    false
  }

  func identitySwitchRequired(
    forAccountId accountId: String, reason: IntuneMAMIdentitySwitchReason,
    completionHandler: @escaping (IntuneMAMSwitchIdentityResult) -> Void
  ) {
    print("switching to \(accountId.isEmpty ? "no account" : accountId)")
    completionHandler(.success)
  }

  func addAccountId(
    _ accountId: String, completionHandler: @escaping (IntuneMAMAddIdentityResult) -> Void
  ) {
    completionHandler(.success)
  }
}
