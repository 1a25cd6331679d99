internal import AppProcess
public import Foundation

/// The working time of users. The device hides the account of a user who is off work by `blockAccountId`, and tells
/// apps no more of it.
open class IntuneMAMUserStatusManager: NSObject, @unchecked Sendable {
  private static let shared = IntuneMAMUserStatusManager()

  private override init() { super.init() }

  open class func instance() -> IntuneMAMUserStatusManager { shared }

  /// nil for an account that no policy applies to.
  open func userStatus(forAccountId accountId: String?) -> (any IntuneMAMUserStatus)? {
    guard IntuneMAMPolicyManager.instance().isAccountIdManaged(accountId) else { return nil }
    let reason = IntuneMAMPolicyManager.instance().blockedReason(forAccountId: accountId ?? "")
    return UserStatus(reason == .clockedOut ? .clockedOut : .notConfigured)
  }
}

/// Whether a user is at work.
public protocol IntuneMAMUserStatus: NSObjectProtocol {
  func clockStatus() -> IntuneMAMClockStatus
}

/// What is known of a user's working time.
public enum IntuneMAMClockStatus: Int, Sendable {
  case notConfigured = 0
  case unknown = 1
  case clockedIn = 2
  case clockedOut = 3
  case clockedInStale = 4
  case clockedOutStale = 5
}

private final class UserStatus: NSObject, IntuneMAMUserStatus {
  private let status: IntuneMAMClockStatus

  init(_ status: IntuneMAMClockStatus) { self.status = status }

  func clockStatus() -> IntuneMAMClockStatus { status }
}
