import Foundation
import IntuneMAMSwift

/// Attaches documents that other apps open here to a new mail.
struct Composer {
  func open(_ url: URL, for accountId: String?) -> Bool {
    guard url.isFileURL else {
      print("a new mail: \(url.absoluteString)")
      return true
    }
    let manager = IntuneMAMPolicyManager.instance()
    guard let policy = manager.policy(), policy.canReceiveSharedFile(url.path) else {
      print("\(url.lastPathComponent) cannot be attached")
      return false
    }
    print("attached: \(url.lastPathComponent)")
    guard let owner = manager.getUIPolicyAccountId(), let data = try? Data(contentsOf: url) else {
      return true
    }
    try? Mailbox(accountId: owner).keep(data, named: url.lastPathComponent)
    return true
  }
}
