internal import AppProcess
public import Foundation

/// Provides the working-time status of users. If a user is off work, the device asks the app to hide the account with
/// `blockAccountId`. Apps get no other notice.
open class IntuneMAMUserStatusManager: NSObject, @unchecked Sendable {
  private static let shared = IntuneMAMUserStatusManager()

  private override init() { super.init() }

  open class func instance() -> IntuneMAMUserStatusManager { shared }

  /// Returns the status of an account; nil if no policy applies to the account. The status is always `notConfigured`,
  /// because the device does not state why it hides an account.
  open func userStatus(forAccountId accountId: String?) -> (any IntuneMAMUserStatus)? {
    guard IntuneMAMPolicyManager.instance().isAccountIdManaged(accountId) else { return nil }
    return UserStatus(.notConfigured)
  }
}

/// A user's working-time status.
public protocol IntuneMAMUserStatus: NSObjectProtocol {
  func clockStatus() -> IntuneMAMClockStatus
}

/// A user's working-time state, such as at work (clocked in) or off work (clocked out).
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
