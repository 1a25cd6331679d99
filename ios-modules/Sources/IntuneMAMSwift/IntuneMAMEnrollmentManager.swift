internal import AppProcess
public import Foundation
internal import SluiceKit
public import UIKit

/// The registration and enrollment of this app's accounts.
open class IntuneMAMEnrollmentManager: NSObject, @unchecked Sendable {
  private static let shared = IntuneMAMEnrollmentManager()
  private let sdk = SDK.shared

  /// The receiver of results. It is held weakly, so other code must retain it.
  open weak var delegate: (any IntuneMAMEnrollmentDelegate)? {
    didSet { if delegate != nil { hasHadDelegate = true } }
  }
  /// Whether a delegate was ever set. If it is nil again, nothing retained it.
  private(set) var hasHadDelegate = false

  private override init() { super.init() }

  open class func instance() -> IntuneMAMEnrollmentManager { shared }

  // MARK: requests

  /// Registers an account and enrolls it, retrying every 24 hours until enrollment succeeds.
  open func registerAndEnrollAccountId(_ accountId: String) {
    sdk.process.tell { [sdk] in
      $0.enrollmentManager.registerAndEnrollAccountId(
        accountId, completion: sdk.noting("registerAndEnrollAccountId(_:)"))
    }
  }

  /// Prompts the user to sign in, and enrolls the account.
  ///
  /// - Parameter identity: the UPN; nil results in the status `nilAccount`.
  open func loginAndEnrollAccount(_ identity: String?) {
    sdk.process.tell { [sdk] in
      $0.enrollmentManager.loginAndEnrollAccount(
        identity, completion: sdk.noting("loginAndEnrollAccount(_:)"))
    }
  }

  /// Prompts the user to sign in on a window, and enrolls the account.
  open func loginAndEnrollAccount(_ identity: String?, on window: UIWindow?) {
    loginAndEnrollAccount(identity)
  }

  /// Removes and unenrolls an account. Returns at once, because the device already has the token that the SDK
  /// would wait for.
  ///
  /// - Parameter doWipe: whether the account's data is also deleted.
  open func deRegisterAndUnenrollAccountId(_ accountId: String, withWipe doWipe: Bool) {
    sdk.process.tell { [sdk] in
      $0.enrollmentManager.deRegisterAndUnenrollAccountId(
        accountId, withWipe: doWipe,
        completion: sdk.noting("deRegisterAndUnenrollAccountId(_:withWipe:)"))
    }
  }

  // MARK: account information

  /// The object IDs of the registered accounts.
  open func registeredAccountIds() -> [Any] {
    sdk.process.read { $0.enrollmentManager.registeredAccountIds() }
  }

  /// The object ID of the enrolled account; nil if none is enrolled.
  open func enrolledAccountId() -> String? {
    sdk.process.read { $0.enrollmentManager.enrolledAccountId() }
  }

  /// The object IDs of the enrolled accounts.
  open func enrolledAccountIds() -> [String] {
    sdk.process.read { $0.enrollmentManager.enrolledAccountIds() }
  }

  /// The UPNs of the accounts that may sign in; nil if all may.
  open func allowedAccounts() -> [Any]? {
    sdk.process.read { $0.enrollmentManager.allowedAccounts() }
  }

  /// The object IDs of the accounts that may sign in; nil if all may.
  open func allowedAccountIds() -> [Any]? {
    sdk.process.read { $0.enrollmentManager.allowedAccountIds() }
  }

  /// Calls the handler on a background thread with the object ID of the device's MDM account. The ID is nil
  /// unless the app is managed and MDM configures it with `IntuneMAMOID`.
  open func mdmEnrolledAccountId(
    completion completionHandler: @escaping @Sendable (String?) -> Void
  ) {
    let account = mdmEnrolledAccountIdFromCache()
    sdk.call("the handler of mdmEnrolledAccountId(completion:)") { completionHandler(account) }
  }

  /// The object ID of the device's MDM account; nil if there is none, or the app is not configured with it.
  open func mdmEnrolledAccountId() async -> String? { mdmEnrolledAccountIdFromCache() }

  /// The object ID of the device's MDM account, without a request.
  open func mdmEnrolledAccountIdFromCache() -> String? {
    sdk.process.read { $0.enrollmentManager.mdmEnrolledAccountId() }
  }
}
