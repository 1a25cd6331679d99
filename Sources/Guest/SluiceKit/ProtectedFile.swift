internal import FileProtection
internal import Glibc
internal import Wire

/// An open file of the app, encrypted on disk if its owner's policy requires it.
///
/// Offsets and sizes refer to the plaintext. The class is not thread-safe: use a file on one thread
/// at a time.
public final class ProtectedFile {
  public let path: String
  /// The file's owner; nil if it has none.
  public let owner: FileOwner?
  /// The number by which the device identifies the opened content; 0 if the content has none.
  package let item: UInt64
  /// Whether the file is stored as ciphertext.
  public var isEncrypted: Bool {
    if case .encrypted = content { true } else { false }
  }
  /// The offset of the next ``read(_:)`` or ``write(_:)``, in bytes from the start of the file.
  public private(set) var offset = 0

  private let content: Content

  private enum Content {
    case plain(FileCalls)
    case encrypted(EncryptedFile)
  }

  /// Opens the file at `place` with the owner and the key that `grant` states.
  ///
  /// - Parameter path: The path as the app gave it, for error messages.
  init(
    opening place: [UInt8], path: String, mode: FileMode, grant: FileGrant
  ) throws(ProtectedFileError) {
    self.path = path
    owner = FileOwner(grant)
    item = grant.item
    // Writing to an encrypted file also reads the neighbouring bytes.
    let access = mode == .reading ? O_RDONLY : O_RDWR
    let descriptor = (place + [0]).withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        $0.baseAddress.map { Glibc.open($0, access | O_NOFOLLOW | O_CLOEXEC) } ?? -1
      }
    }
    guard descriptor >= 0 else { throw .system("open", path) }
    guard !grant.key.isEmpty else {
      content = .plain(FileCalls(descriptor: descriptor, path: path))
      return
    }
    do throws(FileProtectionError) {
      content = .encrypted(
        try EncryptedFile(descriptor: descriptor, key: FileKey(grant.key), path: path))
    } catch {
      throw ProtectedFileError(error)
    }
  }

  deinit { close() }

  private var isClosed = false

  /// Closes the file. Later calls have no effect. Reading or writing a closed file is a programmer
  /// error and traps.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    switch content {
    case .plain(let calls): Glibc.close(calls.descriptor)
    case .encrypted(let file): file.close()
    }
  }

  // MARK: Sequential access

  /// Reads up to `count` bytes at the offset, and advances the offset. At the end of the file,
  /// returns fewer bytes or none.
  ///
  /// - Throws: ``ProtectedFileError`` if the file cannot be read or decrypted.
  public func read(_ count: Int) throws(ProtectedFileError) -> [UInt8] {
    let bytes = try pread(count, at: offset)
    offset += bytes.count
    return bytes
  }

  /// Writes `bytes` at the offset and advances it.
  ///
  /// - Throws: ``ProtectedFileError`` if the file cannot be written.
  public func write(_ bytes: [UInt8]) throws(ProtectedFileError) {
    try pwrite(bytes, at: offset)
    offset += bytes.count
  }

  /// Sets the offset.
  ///
  /// - Parameter offset: The number of bytes from the start, 0 or more. It may exceed the size of
  ///   the file.
  public func seek(to offset: Int) {
    precondition(offset >= 0, "an offset must not be negative")
    self.offset = offset
  }

  // MARK: Positional access

  /// Reads up to `count` bytes at `offset`. At the end of the file, returns fewer bytes or none.
  ///
  /// - Throws: ``ProtectedFileError`` if the file cannot be read or decrypted.
  public func pread(_ count: Int, at offset: Int) throws(ProtectedFileError) -> [UInt8] {
    try protecting { () throws(FileProtectionError) in
      var failure: FileProtectionError?
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        do throws(FileProtectionError) {
          filled = try fill(UnsafeMutableRawBufferPointer(buffer), from: offset)
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      return bytes
    }
  }

  /// Writes `bytes` at `offset`. A gap between the end of the file and `offset` is filled with zeros.
  ///
  /// - Throws: ``ProtectedFileError`` if the file cannot be written.
  public func pwrite(_ bytes: [UInt8], at offset: Int) throws(ProtectedFileError) {
    try protecting { () throws(FileProtectionError) in
      var failure: FileProtectionError?
      bytes.withUnsafeBytes { bytes in
        do throws(FileProtectionError) {
          try put(bytes, at: offset)
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
    }
  }

  /// Truncates the file to `size` bytes, or extends it with zeros.
  ///
  /// - Throws: ``ProtectedFileError`` if the file cannot be changed.
  public func truncate(to size: Int) throws(ProtectedFileError) {
    try protecting { () throws(FileProtectionError) in
      switch content {
      case .plain(let calls): try calls.truncate(to: size)
      case .encrypted(let file): try file.truncate(to: size)
      }
    }
  }

  /// Returns the size of the plaintext in bytes.
  ///
  /// - Throws: ``ProtectedFileError`` if the system does not report the size, or if the
  ///   file was truncated or altered.
  public func size() throws(ProtectedFileError) -> Int {
    try protecting { () throws(FileProtectionError) in
      switch content {
      case .plain(let calls): return try calls.length()
      case .encrypted(let file): return try file.size
      }
    }
  }

  /// Flushes all written data to disk (`fsync`).
  ///
  /// - Throws: ``ProtectedFileError`` if the system call fails.
  public func sync() throws(ProtectedFileError) {
    try protecting { () throws(FileProtectionError) in
      switch content {
      case .plain(let calls): try calls.sync()
      case .encrypted(let file): try file.sync()
      }
    }
  }

  /// Reads the whole file, independently of the offset.
  ///
  /// - Throws: ``ProtectedFileError`` if the file cannot be read or decrypted.
  public func contents() throws(ProtectedFileError) -> [UInt8] {
    var bytes = try pread(try size(), at: 0)
    // The file may have grown since `size()`.
    while case let more = try pread(64 * 1024, at: bytes.count), !more.isEmpty { bytes += more }
    return bytes
  }

  // MARK: Plain and encrypted content

  private func fill(
    _ buffer: UnsafeMutableRawBufferPointer, from offset: Int
  ) throws(FileProtectionError) -> Int {
    switch content {
    case .plain(let calls): try calls.read(into: buffer, at: offset)
    case .encrypted(let file): try file.read(into: buffer, at: offset)
    }
  }

  private func put(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileProtectionError) {
    switch content {
    case .plain(let calls): try calls.write(bytes, at: offset)
    case .encrypted(let file): try file.write(bytes, at: offset)
    }
  }

  private func protecting<Value>(
    _ body: () throws(FileProtectionError) -> Value
  ) throws(ProtectedFileError) -> Value {
    precondition(!isClosed, "a closed file cannot be read or written")
    do throws(FileProtectionError) {
      return try body()
    } catch {
      throw ProtectedFileError(error)
    }
  }
}

/// The owner of a file or of data (`IntuneMAMFileProtectionInfo`, `IntuneMAMDataProtectionInfo`).
public struct FileOwner: Sendable, Hashable {
  /// The account's UPN.
  public let accountId: String
  /// Whether a policy applies to the account in this app.
  public let isManaged: Bool

  /// Creates the owner that the host's answer states; nil if it states none.
  init?(_ grant: FileGrant) {
    guard !grant.ownerUPN.isEmpty else { return nil }
    accountId = grant.ownerUPN
    isManaged = grant.isManaged
  }

  init(accountId: String, isManaged: Bool) {
    self.accountId = accountId
    self.isManaged = isManaged
  }
}

/// A failure to open, read, write or protect a file or data.
public struct ProtectedFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A code from `IntuneMAMFileProtectionManagerErrors` or `IntuneMAMDataProtectionManagerErrors`.
  public let code: Code
  /// The error as a sentence, in lower case without a full stop.
  public let description: String

  /// An error code. Codes 104 and 105 have different meanings for files and for data.
  public struct Code: Sendable, Hashable {
    public let rawValue: Int

    /// No policy applies to any account in this app.
    public static let applicationNotManaged = Code(rawValue: 100)
    public static let invalidArguments = Code(rawValue: 101)
    public static let encryptFailed = Code(.encryptFailed)
    /// The content was truncated or altered, or its key has been destroyed.
    public static let decryptFailed = Code(.decryptFailed)
    /// The file does not exist. For data, the same number means ``notProtected``.
    public static let fileNotFound = Code(.fileNotFound)
    public static let notProtected = fileNotFound
    /// The path refers to a folder. For data, the same number means ``emptyData``.
    public static let isFolder = Code(.isFolder)
    public static let emptyData = isFolder
    /// The task's identity has no access to the file or data.
    public static let identityNotManaged = Code(rawValue: 106)
    /// Any other failure, such as an error of the file system.
    public static let `internal` = Code(.internal)

    private init(_ failure: FileFailure) { rawValue = failure.rawValue }

    private init(rawValue: Int) { self.rawValue = rawValue }
  }

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// Creates the error for a request that the host did not grant; nil if the host granted it.
  init?(_ outcome: RequestOutcome, _ path: String) {
    switch outcome.end {
    case .delivered, .deliveredEncrypted: return nil
    case .refused:
      let rules = outcome.reasons.map(\.rule).joined(separator: ", ")
      self.init(.identityNotManaged, "`\(path)` is refused: \(rules)")
    case .failed:
      switch FileFailure(rawValue: outcome.status) {
      case .fileNotFound: self.init(.fileNotFound, "there is no file `\(path)`")
      case .isFolder: self.init(.isFolder, "`\(path)` is a folder")
      case .encryptFailed: self.init(.encryptFailed, "`\(path)` cannot be encrypted")
      case .decryptFailed: self.init(.decryptFailed, "`\(path)` cannot be decrypted")
      case .internal, nil: self.init(.internal, "`\(path)` is not available")
      }
    case .undeliverable: self.init(.internal, "`\(path)` is not available")
    }
  }

  init(_ error: FileProtectionError) {
    switch error.code {
    case .cut, .altered, .wrongKey, .notProtected, .newerVersion:
      self.init(.decryptFailed, error.description)
    case .busy, .system, .closed: self.init(.internal, error.description)
    }
  }

  /// Creates an error from the current `errno`. `what` is a verb for the failed action, such as `list`.
  static func system(_ what: String, _ path: String) -> ProtectedFileError {
    ProtectedFileError(.internal, "cannot \(what) `\(path)`: \(String(cString: strerror(errno)))")
  }
}

extension RequestOutcome {
  /// Returns the host's grant, which states the file's owner and whether the file is plaintext.
  ///
  /// - Throws: ``ProtectedFileError`` if the host refused the request, or if its answer contains no grant.
  func grant(for path: String) throws(ProtectedFileError) -> FileGrant {
    if let error = ProtectedFileError(self, path) { throw error }
    guard let file else {
      throw ProtectedFileError(.internal, "the host's answer has no grant for `\(path)`")
    }
    return file
  }
}
