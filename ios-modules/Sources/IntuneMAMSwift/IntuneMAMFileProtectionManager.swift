internal import AppProcess
public import Foundation
internal import SluiceKit

/// Manages the protection and ownership of the app's files.
open class IntuneMAMFileProtectionManager: NSObject, @unchecked Sendable {
  private static let shared = IntuneMAMFileProtectionManager()
  private let sdk = SDK.shared

  private override init() { super.init() }

  open class func instance() -> IntuneMAMFileProtectionManager { shared }

  /// Assigns a file to an account, and encrypts it if the account's policy requires it. Failures
  /// appear in the device's trace.
  ///
  /// - Parameter accountId: The account's object id. With nil or an empty string, the file has no
  ///   owner.
  open func protect(_ path: String, accountId: String?) {
    note(path, set(path, accountId))
  }

  /// Protects a file. Does nothing if the file already belongs to the account and is stored as the current policy
  /// requires.
  open func verifyAndProtect(_ path: String, accountId: String?) {
    let file = ContainerPath(path)
    let error: ProtectedFileError? = sdk.process.ask { app, answer in
      app.fileProtectionManager.verifyAndProtect(
        file.path, accountId: accountId ?? "", inGroup: file.group, completion: answer)
    }
    note(path, error)
  }

  /// Returns the owner of a file; nil if the file has no owner or does not exist, or the device refuses the request.
  open func protectionInfo(_ path: String) -> (any IntuneMAMFileProtectionInfo)? {
    let file = ContainerPath(path)
    let owner: Result<FileOwner?, ProtectedFileError> = sdk.process.ask { app, answer in
      app.fileProtectionManager.protectionInfo(
        file.path, inGroup: file.group, completion: answer)
    }
    return ProtectionInfo(try? owner.get()?.accountId)
  }

  // MARK: File Provider extensions

  /// Assigns a file to an account, and encrypts it if the account's policy requires it.
  ///
  /// - Returns: Whether the file was assigned.
  @discardableResult
  open func encryptFile(_ filePath: String, forAccountId accountId: String) -> Bool {
    (try? encryptFile(filePath, forAccountId: accountId, error: ())) != nil
  }

  /// Assigns a file to an account, and encrypts it if the account's policy requires it.
  ///
  /// - Throws: An error in the domain ``IntuneMAMFileProtectionErrorDomain``.
  open func encryptFile(_ filePath: String, forAccountId accountId: String, error: ()) throws {
    if let error = set(filePath, accountId) { throw error.fileError }
  }

  /// Decrypts a file in place, and removes its owner.
  ///
  /// - Returns: Whether the file was decrypted.
  @discardableResult
  open func decryptFile(_ filePath: String) -> Bool {
    (try? decryptFile(filePath, error: ())) != nil
  }

  /// Decrypts a file in place, and removes its owner.
  ///
  /// - Throws: An error in the domain ``IntuneMAMFileProtectionErrorDomain``.
  open func decryptFile(_ filePath: String, error: ()) throws {
    if let error = set(filePath, "") { throw error.fileError }
  }

  /// Decrypts a file into a copy.
  ///
  /// - Returns: Whether the copy was written.
  @discardableResult
  open func decryptFile(_ filePath: String, toCopyPath copyPath: String) -> Bool {
    (try? decryptFile(filePath, toCopyPath: copyPath, error: ())) != nil
  }

  /// Decrypts a file into a copy.
  ///
  /// - Throws: An error in the domain ``IntuneMAMFileProtectionErrorDomain``, or an error of the
  ///   file system.
  open func decryptFile(_ filePath: String, toCopyPath copyPath: String, error: ()) throws {
    let file = try IntuneMAMFile.open(atPath: filePath, flags: O_RDONLY)
    defer { file.close(nil) }
    try file.wholeContent().write(to: URL(fileURLWithPath: copyPath))
  }

  /// Returns whether a file is encrypted; false if it cannot be read.
  open func isFileEncrypted(_ filePath: String) -> Bool {
    IntuneMAMFile.isFileEncrypted(atPath: filePath)
  }

  // MARK: SQLite

  /// Has no effect, because the simulated SDK does not intercept the app's SQLite. Database files remain plaintext.
  open func protectSqliteVFS(_ vfs: UnsafeMutableRawPointer) {
    sdk.withoutEffect("protectSqliteVFS(_:)", "SQLite files stay plaintext")
  }

  /// Has no effect, like ``protectSqliteVFS(_:)``.
  open func unprotectSqliteVFS(_ vfs: UnsafeMutableRawPointer) {
    sdk.withoutEffect("unprotectSqliteVFS(_:)", "SQLite files stay plaintext")
  }

  // MARK: -

  private func set(_ path: String, _ accountId: String?) -> ProtectedFileError? {
    let file = ContainerPath(path)
    return sdk.process.ask { app, answer in
      app.fileProtectionManager.protect(
        file.path, accountId: accountId ?? "", inGroup: file.group, completion: answer)
    }
  }

  private func note(_ path: String, _ error: ProtectedFileError?) {
    guard let error else { return }
    sdk.process.log("`\(path)` is not protected: \(error)")
  }
}
