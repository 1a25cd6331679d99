import Foundation
import IntuneMAMSwift

/// The mail files of an account.
struct Mailbox {
  let accountId: String

  private var folder: URL {
    FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
      .appendingPathComponent(accountId)
  }

  /// Stores an attachment, encrypted if the account's policy requires it.
  func keep(_ data: Data, named name: String) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = try IntuneMAMFile.createFile(
      atPath: folder.appendingPathComponent(name).path, forAccountId: accountId)
    defer { file.close(nil) }
    data.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      _ = file.write(start, count: bytes.count, error: nil)
    }
  }

  func remove() -> Bool {
    guard FileManager.default.fileExists(atPath: folder.path) else { return true }
    return (try? FileManager.default.removeItem(at: folder)) != nil
  }
}
