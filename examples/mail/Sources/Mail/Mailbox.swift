import Foundation
import IntuneMAMSwift

/// The files of an account's mails.
struct Mailbox {
  let accountId: String

  private var folder: URL {
    FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
      .appendingPathComponent(accountId)
  }

  /// Keeps an attachment, encrypted where the account's policy asks for it.
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
