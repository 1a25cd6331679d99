internal import AppProcess
public import Foundation
internal import SluiceKit
public import UIKit

/// The accounts of this app.
open class IntuneMAMEnrollmentManager: NSObject, @unchecked Sendable {
  private static let shared = IntuneMAMEnrollmentManager()
  private let sdk = SDK.shared

  /// The receiver of what comes of requests. Weak: somebody else has to hold it.
  open weak var delegate: (any IntuneMAMEnrollmentDelegate)? {
    didSet { if delegate != nil { hasHadDelegate = true } }
  }
  /// Whether there ever was one: where it is gone, nobody held it.
  private(set) var hasHadDelegate = false

  private override init() { super.init() }

  open class func instance() -> IntuneMAMEnrollmentManager { shared }

  // MARK: requests

  /// Registers an account and has the service enroll it, again every 24 hours until that succeeds.
  open func registerAndEnrollAccountId(_ accountId: String) {
    sdk.process.tell { [sdk] in
      $0.enrollmentManager.registerAndEnrollAccountId(
        accountId, completion: sdk.noting("registerAndEnrollAccountId(_:)"))
    }
  }

  /// Has the user sign in and the service enroll the account.
  ///
  /// - Parameter identity: the UPN; nil ends as `nilAccount`.
  open func loginAndEnrollAccount(_ identity: String?) {
    sdk.process.tell { [sdk] in
      $0.enrollmentManager.loginAndEnrollAccount(
        identity, completion: sdk.noting("loginAndEnrollAccount(_:)"))
    }
  }

  /// The same; the login belongs to a window.
  open func loginAndEnrollAccount(_ identity: String?, on window: UIWindow?) {
    loginAndEnrollAccount(identity)
  }

  /// Removes an account and unenrolls it. Returns at once: the token that the SDK would wait for is the device's.
  ///
  /// - Parameter doWipe: whether its data are removed, too.
  open func deRegisterAndUnenrollAccountId(_ accountId: String, withWipe doWipe: Bool) {
    sdk.process.tell { [sdk] in
      $0.enrollmentManager.deRegisterAndUnenrollAccountId(
        accountId, withWipe: doWipe,
        completion: sdk.noting("deRegisterAndUnenrollAccountId(_:withWipe:)"))
    }
  }

  // MARK: what is known

  /// Object ids of the registered accounts.
  open func registeredAccountIds() -> [Any] {
    sdk.process.read { $0.enrollmentManager.registeredAccountIds() }
  }

  /// Object id of the enrolled account; nil where none is.
  open func enrolledAccountId() -> String? {
    sdk.process.read { $0.enrollmentManager.enrolledAccountId() }
  }

  /// Object ids of the enrolled accounts.
  open func enrolledAccountIds() -> [String] {
    sdk.process.read { $0.enrollmentManager.enrolledAccountIds() }
  }

  /// UPNs of the accounts that may sign in; nil: all may.
  open func allowedAccounts() -> [Any]? {
    sdk.process.read { $0.enrollmentManager.allowedAccounts() }
  }

  /// Object ids of the accounts that may sign in; nil: all may.
  open func allowedAccountIds() -> [Any]? {
    sdk.process.read { $0.enrollmentManager.allowedAccountIds() }
  }

  /// Object id of the account that the device is enrolled in MDM under, for a managed app that is told it by
  /// `IntuneMAMOID`; else nil. The handler is called on a background thread.
  open func mdmEnrolledAccountId(
    completion completionHandler: @escaping @Sendable (String?) -> Void
  ) {
    let account = mdmEnrolledAccountIdFromCache()
    sdk.call("the handler of mdmEnrolledAccountId(completion:)") { completionHandler(account) }
  }

  /// Object id of the account that the device is enrolled in MDM under; nil where there is none, or the app is not told.
  open func mdmEnrolledAccountId() async -> String? { mdmEnrolledAccountIdFromCache() }

  /// What is known of it without asking.
  open func mdmEnrolledAccountIdFromCache() -> String? {
    sdk.process.read { $0.enrollmentManager.mdmEnrolledAccountId() }
  }
}
