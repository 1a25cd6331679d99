internal import AppProcess
internal import Foundation
internal import SluiceKit

/// Tracks hidden accounts, and the accounts that windows show.
extension SDK {
  var blockedAccounts: [String] { blocked.withLock { $0.keys.sorted() } }

  func blockedReason(of accountId: String) -> IntuneMAMBlockAccountReason {
    blocked.withLock { $0[accountId.lowercased()] } ?? .notBlocked
  }

  /// Records the accounts for which a window now acts. These accounts no longer count as hidden.
  ///
  /// - Parameter accounts: The accounts' object ids.
  func didShow(_ accounts: [String], inWindow window: String?) {
    blocked.withLock { blocked in accounts.forEach { blocked[$0.lowercased()] = nil } }
    windows.withLock { $0[window ?? ""] = accounts }
  }

  /// Returns the object id of an account, or `name` if the object id is unknown. Waits for the
  /// connection's thread.
  func objectID(of name: String) -> String {
    process.read { $0.enrollmentManager.accountId(of: name) }
  }

  /// Returns the accounts for which a window acts. If the device has changed the window's account
  /// since the app set it, returns only the new account.
  ///
  /// - Parameter first: The window's account on the device.
  func accounts(inWindow window: String?, beginningWith first: String) -> [String] {
    let accounts = windows.withLock { $0[window ?? ""] } ?? []
    return accounts.first?.lowercased() == first.lowercased() ? accounts : [first]
  }
}
