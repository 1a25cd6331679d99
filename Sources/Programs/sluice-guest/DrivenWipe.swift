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
      removeFiles(of: accountId, in: ".")
      return true
    }
  }

  /// Removes files that state the account as their owner.
  private func removeFiles(of accountId: String, in folder: String) {
    guard let stream = opendir(folder) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name != ".", name != ".." else { continue }
      let path = "\(folder)/\(name)"
      if entry.pointee.d_type == DT_DIR {
        removeFiles(of: accountId, in: path)
      } else if Self.owner(of: path)?.isNamed(accountId) == true {
        unlink(path)
      }
    }
  }

  private static func owner(of path: String) -> Account? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var page = [UInt8](repeating: 0, count: ProtectionHeader.pageSize)
    let count = fread(&page, 1, page.count, file)
    page.removeLast(page.count - count)
    return (try? ProtectionHeader(page))?.owner
  }
}
