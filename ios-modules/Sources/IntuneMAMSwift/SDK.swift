internal import AppProcess
internal import Dispatch
internal import Foundation
internal import SluiceKit
internal import Synchronization

/// The SDK of this process: the receiver of what the device says to it.
///
/// Anything of the SDK that the app names brings it up.
final class SDK: SDKReceiver {
  static let shared = SDK()

  /// The thread of the calls that the headers promise no thread for, in order.
  private let queue = DispatchQueue(label: "com.microsoft.intune.mam.callbacks")
  /// The accounts that the app was asked to hide, with the reason.
  private let blocked = Mutex<[String: IntuneMAMBlockAccountReason]>([:])
  /// The accounts of each window, as the app has set them, by the window's name.
  private let windows = Mutex<[String: [String]]>([:])

  private init() {
    AppProcess.current.setReceiver(self)
  }

  var process: AppProcess { .current }

  /// Calls the app in the background, in the order of such calls.
  func call(_ name: String, _ body: @escaping @Sendable () -> Void) {
    Callback.inBackground(name, on: queue, body)
  }
}

// MARK: enrollment

extension SDK {
  private var enrollmentDelegate: (any IntuneMAMEnrollmentDelegate)? {
    IntuneMAMEnrollmentManager.instance().delegate
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

// MARK: notifications

extension SDK {
  func didPost(_ notification: SluiceKit.IntuneMAMNotification, forAccountId accountId: String?) {
    Callback.onMain("an observer of \(notification.rawValue)") {
      let post = { (name: NSNotification.Name, object: Any?, info: [AnyHashable: Any]?) in
        NotificationCenter.default.post(name: name, object: object, userInfo: info)
      }
      let account = { (key: String) in accountId.map { [key: $0] as [AnyHashable: Any] } }
      switch notification {
      case .policyDidChange:
        post(
          .IntuneMAMPolicyDidChange, IntuneMAMPolicyManager.instance(),
          account(IntuneMAMPolicyDidChangeNotificationAccountId))
      case .wipeDidComplete:
        post(
          .IntuneMAMWipeDidComplete, IntuneMAMPolicyManager.instance(),
          account(IntuneMAMSDKLifecycleEventAccountId))
      case .allowedAccountsDidChange:
        post(
          .IntuneMAMAllowedAccountsDidChange,
          IntuneMAMEnrollmentManager.instance().allowedAccounts(), nil)
      case .dataProtectionDidChange:
        post(
          .IntuneMAMDataProtectionDidChange, IntuneMAMDataProtectionManager.instance(),
          account(IntuneMAMDataProtectionDidChangeNotificationAccountId))
      case .appConfigDidChange:
        post(
          .IntuneMAMAppConfigDidChange, IntuneMAMAppConfigManager.instance(),
          account(IntuneMAMAppConfigDidChangeNotificationAccountId))
      }
    }
  }
}

// MARK: what the policy delegate is asked

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
      let isImplemented = Requirement.isImplemented {
        delegate.identitySwitchRequired(forAccountId: accountId, reason: reason) { done($0) }
      }
      if !isImplemented { answer(.failed) }
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
      let isImplemented = Requirement.isImplemented {
        delegate.addAccountId(accountId) { done($0) }
      }
      if !isImplemented { answer(.failed) }
    }
  }

  /// An app that cannot hide an account is asked to switch to an unmanaged one, as the headers say.
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
      let isImplemented = Requirement.isImplemented {
        delegate.blockAccountId(accountId, reason: .conditionalLaunchBlocked) { done($0) }
      }
      guard !isImplemented else { return }
      identitySwitchRequired(forAccountId: "", reason: .cancelConditionalLaunch, answer: answer)
    }
  }

  func restartApplication(answer: @escaping @Sendable (Bool) -> Void) {
    call("restartApplication()") { [self] in
      var restartsItself = false
      let isImplemented = Requirement.isImplemented {
        restartsItself = policyDelegate?.restartApplication() ?? false
      }
      answer(isImplemented && restartsItself)
    }
  }

  func wipeData(forAccountId accountId: String, answer: @escaping @Sendable (Bool) -> Void) {
    let name = "wipeData(forAccountId:)"
    Callback.inBackground(name) { [self] in
      var isWiped = false
      let isImplemented = Requirement.isImplemented {
        isWiped = policyDelegate?.wipeData(forAccountId: accountId) ?? false
      }
      answer(isImplemented && isWiped)
    }
  }
}

// MARK: blocked accounts

extension SDK {
  var blockedAccounts: [String] { blocked.withLock { $0.keys.sorted() } }

  func blockedReason(of accountId: String) -> IntuneMAMBlockAccountReason {
    blocked.withLock { $0[accountId.lowercased()] } ?? .notBlocked
  }

}

// MARK: windows

extension SDK {
  /// A window acts for other accounts: conditional launch no longer blocks them.
  ///
  /// - Parameter accounts: object ids.
  func didShow(_ accounts: [String], inWindow window: String?) {
    blocked.withLock { blocked in accounts.forEach { blocked[$0.lowercased()] = nil } }
    windows.withLock { $0[window ?? ""] = accounts }
  }

  /// The object id of the account of that name; the name itself where none is known. Asks the connection's thread.
  func objectID(of name: String) -> String {
    process.read { $0.enrollmentManager.accountId(of: name) }
  }

  /// The accounts that a window acts for.
  ///
  /// - Parameter first: the account as the device knows it, which may have changed since the app set it.
  func accounts(inWindow window: String?, beginningWith first: String) -> [String] {
    let accounts = windows.withLock { $0[window ?? ""] } ?? []
    return accounts.first?.lowercased() == first.lowercased() ? accounts : [first]
  }
}

// MARK: without effect

extension SDK {
  /// Says once that a call exists and does nothing.
  func withoutEffect(_ name: String, _ why: String) {
    process.logOnce("`\(name)` has no effect: \(why)")
  }
}
