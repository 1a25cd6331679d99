internal import AppProcess
internal import Foundation
internal import SluiceKit

/// Passes the device's requests to the policy delegate.
extension SDK {
  private var policyDelegate: (any IntuneMAMPolicyDelegate)? {
    IntuneMAMPolicyManager.instance().delegate
  }

  func identitySwitchRequired(
    forAccountId accountId: String, reason: SluiceKit.IntuneMAMIdentitySwitchReason,
    answer: @escaping @Sendable (SluiceKit.IntuneMAMAddIdentityResult) -> Void
  ) {
    let name = "identitySwitchRequired(forAccountId:reason:completionHandler:)"
    let reason = IntuneMAMIdentitySwitchReason(reason)
    Callback.onMain(name) { [self] in
      guard let delegate = policyDelegate else { return answer(.failed) }
      let done = Completion<IntuneMAMSwitchIdentityResult>(of: name, orElse: .failed) {
        answer($0 == .success ? .success : .failed)
      }
      let isImplemented = Requirement.isImplemented(by: delegate) {
        delegate.identitySwitchRequired(forAccountId: accountId, reason: reason) { done($0) }
      }
      guard !isImplemented else { return }
      done.withdraw()
      answer(.failed)
    }
  }

  func addAccountId(
    _ accountId: String,
    answer: @escaping @Sendable (SluiceKit.IntuneMAMAddIdentityResult) -> Void
  ) {
    let name = "addAccountId(_:completionHandler:)"
    Callback.onMain(name) { [self] in
      guard let delegate = policyDelegate else { return answer(.failed) }
      let done = Completion<IntuneMAMAddIdentityResult>(of: name, orElse: .failed) {
        answer($0 == .success ? .success : .failed)
      }
      let isImplemented = Requirement.isImplemented(by: delegate) {
        delegate.addAccountId(accountId) { done($0) }
      }
      guard !isImplemented else { return }
      done.withdraw()
      answer(.failed)
    }
  }

  /// Asks the app to hide an account. If its delegate does not implement the method, the app is asked to switch to an
  /// unmanaged account, as the headers specify.
  func blockAccountId(
    _ accountId: String,
    answer: @escaping @Sendable (SluiceKit.IntuneMAMAddIdentityResult) -> Void
  ) {
    blocked.withLock { $0[accountId.lowercased()] = .conditionalLaunchBlocked }
    let name = "blockAccountId(_:reason:completionHandler:)"
    Callback.onMain(name) { [self] in
      guard let delegate = policyDelegate else { return answer(.failed) }
      let done = Completion<IntuneMAMBlockAccountResult>(of: name, orElse: .failed) {
        answer($0 == .success ? .success : .failed)
      }
      let isImplemented = Requirement.isImplemented(by: delegate) {
        delegate.blockAccountId(accountId, reason: .conditionalLaunchBlocked) { done($0) }
      }
      guard !isImplemented else { return }
      done.withdraw()
      identitySwitchRequired(forAccountId: "", reason: .cancelConditionalLaunch, answer: answer)
    }
  }

  func restartApplication(answer: @escaping @Sendable (Bool) -> Void) {
    call("restartApplication()") { [self] in
      var restartsItself = false
      let isImplemented = Requirement.isImplemented(by: policyDelegate) {
        restartsItself = policyDelegate?.restartApplication() ?? false
      }
      answer(isImplemented && restartsItself)
    }
  }

  func wipeData(forAccountId accountId: String, answer: @escaping @Sendable (Bool) -> Void) {
    let name = "wipeData(forAccountId:)"
    Callback.inBackground(name) { [self] in
      var isWiped = false
      let isImplemented = Requirement.isImplemented(by: policyDelegate) {
        isWiped = policyDelegate?.wipeData(forAccountId: accountId) ?? false
      }
      answer(isImplemented && isWiped)
    }
  }
}
