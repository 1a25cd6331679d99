internal import AppProcess
public import Foundation
public import FoundationExtensions
internal import SluiceKit
internal import Synchronization

/// An open file of the app. It is encrypted on disk if its owner's policy requires encryption.
open class IntuneMAMFile: NSObject, @unchecked Sendable {
  /// The file. The lock guards it against concurrent access.
  private let file: ProtectedFile
  private let lock = NSLock()

  init(_ file: ProtectedFile) { self.file = file }

  // MARK: Opening

  /// Opens an existing file for reading and writing.
  ///
  /// - Throws: An error in the domain ``IntuneMAMFileProtectionErrorDomain``.
  open class func open(atPath path: String) throws -> IntuneMAMFile {
    try open(path, for: .updating, as: nil)
  }

  /// Opens an existing file.
  ///
  /// - Parameter flags: The flags of open(2). Without `O_WRONLY` or `O_RDWR`, the file is
  ///   read-only.
  /// - Throws: An error in the domain ``IntuneMAMFileProtectionErrorDomain``.
  open class func open(atPath path: String, flags: Int32) throws -> IntuneMAMFile {
    let isReading = flags & (O_WRONLY | O_RDWR) == 0
    return try open(path, for: isReading ? .reading : .updating, as: nil)
  }

  /// Creates a file for an account, or truncates an existing file.
  ///
  /// - Parameter accountId: The owner; nil for the account for which the thread or process acts.
  /// - Throws: An error in the domain ``IntuneMAMFileProtectionErrorDomain``.
  open class func createFile(
    atPath path: String, forAccountId accountId: String?
  ) throws -> IntuneMAMFile {
    try open(path, for: .truncating, as: accountId)
  }

  /// Creates a file for an account, or opens an existing file. With the flag `O_TRUNC`, truncates the existing file.
  /// All other flags and the mode have no effect.
  ///
  /// - Throws: An error in the domain ``IntuneMAMFileProtectionErrorDomain``.
  open class func createFile(
    atPath path: String, flags: Int32, mode: mode_t, forAccountId accountId: String?
  ) throws -> IntuneMAMFile {
    try open(path, for: flags & O_TRUNC == 0 ? .creating : .truncating, as: accountId)
  }

  private static func open(
    _ path: String, for mode: FileMode, as accountId: String?
  ) throws -> IntuneMAMFile {
    let place = ContainerPath(path)
    let result: Result<Opened, ProtectedFileError> = SDK.shared.process.ask { app, answer in
      let open = {
        app.openFile(atPath: place.path, for: mode, inGroup: place.group) {
          answer($0.map(Opened.init))
        }
      }
      guard let accountId else { return open() }
      SluiceKit.IntuneMAMSwiftContextManager.setAccountId(accountId, forScope: open)
    }
    return IntuneMAMFile(try result.mapError(\.fileError).get().file)
  }

  /// A file that the connection's thread has opened and passes to the caller's thread.
  private struct Opened: @unchecked Sendable {
    let file: ProtectedFile
  }

  // MARK: Files by path

  /// Assigns a file to an account, or to no account if `accountId` is nil. Encrypts the file if the account's policy
  /// requires encryption.
  ///
  /// - Throws: An error in the domain ``IntuneMAMFileProtectionErrorDomain``.
  open class func protect(atPath path: String, forAccountId accountId: String?) throws {
    try IntuneMAMFileProtectionManager.instance().encryptFile(
      path, forAccountId: accountId ?? "", error: ())
  }

  /// Decrypts a file in place, and removes its owner.
  ///
  /// - Throws: An error in the domain ``IntuneMAMFileProtectionErrorDomain``.
  open class func decryptFile(atPath path: String) throws {
    try IntuneMAMFileProtectionManager.instance().decryptFile(path, error: ())
  }

  /// Returns whether a file is encrypted; false if it cannot be read.
  open class func isFileEncrypted(atPath path: String) -> Bool {
    let place = ContainerPath(path)
    return SDK.shared.process.read {
      $0.fileProtectionManager.isFileEncrypted(place.path, inGroup: place.group)
    }
  }

  /// Returns the owner of a file; nil if there is none, or the device refuses the request.
  open class func protectionInfoForFile(
    atPath path: String
  ) -> (any IntuneMAMFileProtectionInfo)? {
    IntuneMAMFileProtectionManager.instance().protectionInfo(path)
  }

  // MARK: Content

  /// Reads bytes at the file's offset.
  ///
  /// - Returns: The number of bytes read; 0 at the end of the file, -1 on failure.
  open func read(
    _ buf: UnsafeMutableRawPointer, count: Int, error: NSErrorPointer
  ) -> Int {
    trying(error, -1) { try $0.read(count).put(in: buf) }
  }

  /// Writes bytes at the file's offset.
  ///
  /// - Returns: The number of bytes written; -1 on failure.
  open func write(_ buf: UnsafeRawPointer, count: Int, error: NSErrorPointer) -> Int {
    trying(error, -1) {
      try $0.write(Array(UnsafeRawBufferPointer(start: buf, count: count)))
      return count
    }
  }

  /// Reads bytes at the given offset.
  ///
  /// - Returns: The number of bytes read; 0 at the end of the file, -1 on failure.
  open func pread(
    _ buf: UnsafeMutableRawPointer, count: Int, offset: off_t, error: NSErrorPointer
  ) -> Int {
    trying(error, -1) { try $0.pread(count, at: Int(offset)).put(in: buf) }
  }

  /// Writes bytes at the given offset.
  ///
  /// - Returns: The number of bytes written; -1 on failure.
  open func pwrite(
    _ buf: UnsafeRawPointer, count: Int, offset: off_t, error: NSErrorPointer
  ) -> Int {
    trying(error, -1) {
      try $0.pwrite(Array(UnsafeRawBufferPointer(start: buf, count: count)), at: Int(offset))
      return count
    }
  }

  open func seek(_ offset: off_t, error: NSErrorPointer) {
    trying(error, ()) { $0.seek(to: Int(offset)) }
  }

  open func truncate(_ length: off_t, error: NSErrorPointer) {
    trying(error, ()) { try $0.truncate(to: Int(length)) }
  }

  open func tell(_ error: NSErrorPointer) -> off_t { trying(error, -1) { off_t($0.offset) } }

  open func size(_ error: NSErrorPointer) -> off_t { trying(error, -1) { off_t(try $0.size()) } }

  open func sync(_ error: NSErrorPointer) { trying(error, ()) { try $0.sync() } }

  open func datasync(_ error: NSErrorPointer) { sync(error) }

  /// Returns whether the file is stored as ciphertext.
  open func isEncrypted() -> Bool { lock.withLock { file.isEncrypted } }

  /// Returns the file's owner; nil if there is none.
  open func protectionInfo() -> (any IntuneMAMFileProtectionInfo)? {
    ProtectionInfo(file.owner?.accountId)
  }

  /// Closes the file, which must not be used afterwards.
  open func close(_ error: NSErrorPointer) { lock.withLock { file.close() } }

  /// Reads the whole plaintext.
  func wholeContent() throws -> Data {
    try lock.withLock {
      do throws(ProtectedFileError) {
        return Data(try file.contents())
      } catch {
        throw error.fileError
      }
    }
  }

  private func trying<Value>(
    _ pointer: NSErrorPointer, _ failure: Value,
    _ body: (ProtectedFile) throws -> Value
  ) -> Value {
    lock.withLock {
      do {
        return try body(file)
      } catch {
        pointer?.pointee = (error as? ProtectedFileError)?.fileError ?? error as NSError
        return failure
      }
    }
  }
}

extension [UInt8] {
  /// Copies the bytes to `buffer`, which must be large enough. Returns the number of bytes.
  fileprivate func put(in buffer: UnsafeMutableRawPointer) -> Int {
    withUnsafeBytes { bytes in
      if let start = bytes.baseAddress { buffer.copyMemory(from: start, byteCount: bytes.count) }
    }
    return count
  }
}
