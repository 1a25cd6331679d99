internal import Foundation
internal import Synchronization

/// The persistent cache of the app's accounts. It is thread-safe.
final class AccountCache: Sendable {
  /// The account cache of this process. It is a file in the app's container, which is the working
  /// directory.
  static let ofProcess = AccountCache(
    file: URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
      .appendingPathComponent("Library/MSAL/accounts.json"))

  private let file: URL
  /// The lock on the file.
  private let lock = Mutex(())

  init(file: URL) { self.file = file }

  func read() throws(Failure) -> CachedAccounts {
    try lock.withLock { _ throws(Failure) in try load() }
  }

  /// Modifies the accounts. Writes the cache file if they have changed.
  func change<Result>(
    _ body: (inout CachedAccounts) -> sending Result
  ) throws(Failure) -> sending Result {
    try lock.withLock { _ throws(Failure) in
      let before = try load()
      var accounts = before
      let result = body(&accounts)
      if accounts != before { try store(accounts) }
      return result
    }
  }

  private func load() throws(Failure) -> CachedAccounts {
    guard FileManager.default.fileExists(atPath: file.path) else { return CachedAccounts() }
    do {
      return try JSONDecoder().decode(CachedAccounts.self, from: Data(contentsOf: file))
    } catch {
      throw .internal(
        .internalErrorUnexpected, "the account cache `\(file.path)` cannot be read: \(error)")
    }
  }

  private func store(_ accounts: CachedAccounts) throws(Failure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try encoder.encode(accounts).write(to: file, options: .atomic)
    } catch {
      throw .internal(
        .internalErrorUnexpected, "the account cache `\(file.path)` cannot be written: \(error)")
    }
  }
}
