internal import FileProtection
internal import Glibc
internal import SluiceKit
internal import Synchronization
internal import Wire

/// The behaviour of the ready-made guest when an account is to be wiped.
final class DrivenWipe: IntuneMAMPolicyDelegate {
  private let behaviour = Mutex(WipeBehaviour.failed)

  func behave(_ behaviour: WipeBehaviour) { self.behaviour.withLock { $0 = behaviour } }

  func wipeData(forAccountId accountId: String) -> Bool {
    switch behaviour.withLock({ $0 }) {
    case .failed: return false
    case .lie: return true
    case .crash: abort()
    case .hang: while true { sleep(60) }
    case .success:
      for path in OwnFiles.paths() where Self.owner(of: path)?.isNamed(accountId) == true {
        unlink(path)
      }
      return true
    }
  }

  /// The owner that a file states; nil where it states none.
  private static func owner(of path: String) -> Account? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var page = [UInt8](repeating: 0, count: ProtectionHeader.pageSize)
    let count = fread(&page, 1, page.count, file)
    page.removeLast(page.count - count)
    return (try? ProtectionHeader(page))?.owner
  }
}
