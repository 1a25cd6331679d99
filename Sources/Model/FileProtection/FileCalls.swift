internal import Glibc

/// A hook for tests, called before each change of a file. The argument is the number of bytes to write, or 1 for a
/// truncation.
///
/// The hook returns the number of bytes that may be written. If it returns less than the argument, the call writes only
/// that many bytes and fails with `EIO`, as if the process had died.
package typealias WriteGate = (Int) -> Int

/// The system calls on one descriptor.
package struct FileCalls {
  enum Lock: Int32 {
    case shared = 0
    case exclusive = 1
    case none = 2
  }

  /// `F_OFD_SETLK` of `fcntl(2)`. These locks belong to the open file description, so two handles in one
  /// process exclude each other.
  private static let setLock: Int32 = 37

  package let descriptor: Int32
  let path: String
  /// The lock timeout in milliseconds.
  let patience: Int
  let gate: WriteGate?

  /// Creates the calls for `descriptor`, which the caller has opened.
  ///
  /// - Parameter path: The path in errors.
  package init(
    descriptor: Int32, path: String, patience: Int = 0, gate: WriteGate? = nil
  ) {
    self.descriptor = descriptor
    self.path = path
    self.patience = patience
    self.gate = gate
  }

  func failure(_ code: FileProtectionError.Code, chunk: Int? = nil) -> FileProtectionError {
    FileProtectionError(code, path: path, chunk: chunk)
  }

  /// Throws `EINVAL` if the descriptor is open for appending. Appending ignores offsets (`pwrite(2)`, BUGS).
  func checkMode() throws(FileProtectionError) {
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0 else { throw failure(.system(errno)) }
    guard flags & O_APPEND == 0 else { throw failure(.system(EINVAL)) }
  }

  /// Reads until `buffer` is full or the file ends. Returns the number of bytes.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(FileProtectionError) -> Int {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = pread(descriptor, rest.baseAddress, rest.count, offset + done)
      if count == 0 { break }
      if count > 0 {
        done += count
      } else if errno != EINTR {
        throw failure(.system(errno))
      }
    }
    return done
  }

  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileProtectionError) {
    let allowed = gate?(bytes.count) ?? bytes.count
    var done = 0
    while done < allowed {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done..<allowed])
      let count = pwrite(descriptor, rest.baseAddress, rest.count, offset + done)
      if count >= 0 {
        done += count
      } else if errno != EINTR {
        throw failure(.system(errno))
      }
    }
    guard done == bytes.count else { throw failure(.system(EIO)) }
  }

  package func truncate(to length: Int) throws(FileProtectionError) {
    guard gate?(1) ?? 1 == 1 else { throw failure(.system(EIO)) }
    while ftruncate(descriptor, length) != 0 {
      guard errno == EINTR else { throw failure(.system(errno)) }
    }
  }

  package func sync() throws(FileProtectionError) {
    while fsync(descriptor) != 0 {
      guard errno == EINTR else { throw failure(.system(errno)) }
    }
  }

  package func length() throws(FileProtectionError) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(.system(errno)) }
    return status.st_size
  }

  /// Throws `EFBIG` if `length` exceeds the process's file size limit. Without the check, a write could raise SIGXFSZ
  /// or leave a partially written page (`setrlimit(2)`).
  func checkLimit(_ length: Int) throws(FileProtectionError) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { return }
    guard limit.rlim_cur == .max || UInt64(length) <= limit.rlim_cur else {
      throw failure(.system(EFBIG))
    }
  }

  /// Throws ``FileProtectionError/Code/busy`` if another handle holds the lock for longer than
  /// ``patience``.
  func lock(_ kind: Lock) throws(FileProtectionError) {
    var waited = 0
    var pause = 50
    while !(try tryLock(kind)) {
      guard waited < patience * 1000 else { throw failure(.busy) }
      usleep(UInt32(pause))
      waited += pause
      pause = min(pause * 2, 5_000)
    }
  }

  func unlock() { _ = try? tryLock(.none) }

  private func tryLock(_ kind: Lock) throws(FileProtectionError) -> Bool {
    var lock = flock()
    lock.l_type = Int16(kind.rawValue)
    lock.l_whence = Int16(SEEK_SET)
    while fcntl(descriptor, Self.setLock, &lock) != 0 {
      if errno == EAGAIN || errno == EACCES { return false }
      guard errno == EINTR else { throw failure(.system(errno)) }
    }
    return true
  }
}

// MARK: - Error

/// An error in protected bytes, with the file and the chunk.
package struct FileProtectionError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Code: Sendable, Equatable {
    /// The bytes do not start with the magic number of a protected file or of protected data.
    case notProtected
    case newerVersion
    /// The bytes end too early.
    case cut
    case altered
    /// The key belongs to another file or account, or the bytes with which the key is verified were altered. These
    /// causes cannot be distinguished.
    case wrongKey
    /// Another handle held the file's lock beyond the timeout.
    case busy
    /// A system call failed with this `errno`.
    case system(Int32)
    case closed
  }

  package let code: Code
  /// The path of the file; empty if the bytes are not in a file.
  package let path: String
  /// The index of the affected chunk of 4,096 bytes; nil if the error affects all bytes.
  package let chunk: Int?

  package init(_ code: Code, path: String, chunk: Int? = nil) {
    self.code = code
    self.path = path
    self.chunk = chunk
  }

  package var description: String {
    let file = path.isEmpty ? "the protected data" : "`\(path)`"
    let place = chunk.map { "chunk \($0) of \(file)" } ?? file
    return switch code {
    case .notProtected: "\(place) is not protected"
    case .newerVersion: "\(place) was protected by a newer version of Sluice"
    case .cut: "\(place) is cut off"
    case .altered: "\(place) was altered"
    case .wrongKey: "\(place) cannot be decrypted with this key"
    case .busy: "\(place) is locked by another process"
    case .system(let number):
      "\(place) cannot be used: \(String(cString: strerror(number)).lowercased())"
    case .closed: "\(place) is closed"
    }
  }
}
