internal import AppProcess
internal import Foundation
internal import SluiceKit

/// The accounts that are hidden, and those that windows show.
extension SDK {
  var blockedAccounts: [String] { blocked.withLock { $0.keys.sorted() } }

  func blockedReason(of accountId: String) -> IntuneMAMBlockAccountReason {
    blocked.withLock { $0[accountId.lowercased()] } ?? .notBlocked
  }

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
