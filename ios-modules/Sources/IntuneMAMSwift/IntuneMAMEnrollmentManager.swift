internal import AppProcess
public import Foundation
internal import SluiceKit
public import UIKit

/// Registers and enrolls this app's accounts.
open class IntuneMAMEnrollmentManager: NSObject, @unchecked Sendable {
  private static let shared = IntuneMAMEnrollmentManager()
  private let sdk = SDK.shared

  /// The receiver of results. It is held weakly, so other code must retain it.
  open weak var delegate: (any IntuneMAMEnrollmentDelegate)? {
    didSet { if delegate != nil { hasHadDelegate = true } }
  }
  /// Whether a delegate has ever been set. If ``delegate`` is nil again, the app has probably not retained it.
  private(set) var hasHadDelegate = false

  private override init() { super.init() }

  open class func instance() -> IntuneMAMEnrollmentManager { shared }

  // MARK: Requests

  /// Registers an account and enrolls it. A failed enrollment is retried; the interval depends on the failure.
  open func registerAndEnrollAccountId(_ accountId: String) {
    sdk.process.tell { [sdk] in
      $0.enrollmentManager.registerAndEnrollAccountId(
        accountId, completion: sdk.noting("registerAndEnrollAccountId(_:)"))
    }
  }

  /// Prompts the user to sign in, and enrolls the account.
  ///
  /// - Parameter identity: The UPN; nil for the user for whom MDM enrolled the device. If there is no such user, the
  ///   result has the status `nilAccount`.
  open func loginAndEnrollAccount(_ identity: String?) {
    sdk.process.tell { [sdk] in
      $0.enrollmentManager.loginAndEnrollAccount(
        identity, completion: sdk.noting("loginAndEnrollAccount(_:)"))
    }
  }

  /// Prompts the user to sign in, and enrolls the account. The window is ignored, because nothing is drawn.
  open func loginAndEnrollAccount(_ identity: String?, on window: UIWindow?) {
    loginAndEnrollAccount(identity)
  }

  /// Unenrolls an account, which is then no longer registered. Returns immediately, because the simulated device
  /// already has the token for which the SDK on a phone waits.
  ///
  /// - Parameter doWipe: Whether the account's data is also deleted.
  open func deRegisterAndUnenrollAccountId(_ accountId: String, withWipe doWipe: Bool) {
    sdk.process.tell { [sdk] in
      $0.enrollmentManager.deRegisterAndUnenrollAccountId(
        accountId, withWipe: doWipe,
        completion: sdk.noting("deRegisterAndUnenrollAccountId(_:withWipe:)"))
    }
  }

  // MARK: Account information

  /// Returns the object ids of the registered accounts, or the UPNs of accounts without one.
  open func registeredAccountIds() -> [Any] {
    sdk.process.read { $0.enrollmentManager.registeredAccountIds() }
  }

  /// Returns the first of ``enrolledAccountIds()``; nil if no account is enrolled.
  open func enrolledAccountId() -> String? {
    sdk.process.read { $0.enrollmentManager.enrolledAccountId() }
  }

  /// Returns the object ids of the enrolled accounts, or the UPNs of accounts without one.
  open func enrolledAccountIds() -> [String] {
    sdk.process.read { $0.enrollmentManager.enrolledAccountIds() }
  }

  /// Returns an array with the UPN of the only account that may sign in. Nil if all accounts may sign in, or if only
  /// the account's object id is known.
  open func allowedAccounts() -> [Any]? {
    sdk.process.read { $0.enrollmentManager.allowedAccounts() }
  }

  /// Returns an array with the object id of the only account that may sign in. Nil if all accounts may sign in, or if
  /// only the account's UPN is known.
  open func allowedAccountIds() -> [Any]? {
    sdk.process.read { $0.enrollmentManager.allowedAccountIds() }
  }

  /// Calls the handler on a background thread with the object id of the device's MDM account. The id is nil if MDM does
  /// not manage the app, or if the app's configuration does not contain `IntuneMAMOID`.
  open func mdmEnrolledAccountId(
    completion completionHandler: @escaping @Sendable (String?) -> Void
  ) {
    let account = mdmEnrolledAccountIdFromCache()
    sdk.call("the handler of mdmEnrolledAccountId(completion:)") { completionHandler(account) }
  }

  /// Returns the object id of the device's MDM account. Nil if there is no such account, or if the app's configuration
  /// does not contain the id.
  open func mdmEnrolledAccountId() async -> String? { mdmEnrolledAccountIdFromCache() }

  /// Returns the same object id as ``mdmEnrolledAccountId()``. Neither method sends a request to the device.
  open func mdmEnrolledAccountIdFromCache() -> String? {
    sdk.process.read { $0.enrollmentManager.mdmEnrolledAccountId() }
  }
}
