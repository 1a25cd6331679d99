internal import Glibc

/// A hook before each call that changes a file: it is given the number of bytes to be written (1 for a truncation) and
/// returns the number that may go through. With fewer, those are written and the call fails with `EIO`, as if the
/// process had died there. For tests.
package typealias WriteGate = (Int) -> Int

/// The system calls on one descriptor.
struct FileCalls {
  enum Lock: Int32 {
    case shared = 0
    case exclusive = 1
    case none = 2
  }

  /// `F_OFD_SETLK` of `fcntl(2)`: locks that belong to the open file, not to the process, so that two
  /// handles in one process exclude each other as well.
  private static let setLock: Int32 = 37

  let descriptor: Int32
  let path: String
  /// The longest time for which others may hold a lock, in milliseconds.
  let patience: Int
  let gate: WriteGate?

  func failure(_ code: FileProtectionError.Code, chunk: Int? = nil) -> FileProtectionError {
    FileProtectionError(code, path: path, chunk: chunk)
  }

  /// Throws `EINVAL` where the descriptor appends whatever the offset (`pwrite(2)`, BUGS).
  func checkMode() throws(FileProtectionError) {
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0 else { throw failure(.system(errno)) }
    guard flags & O_APPEND == 0 else { throw failure(.system(EINVAL)) }
  }

  /// Reads until `buffer` is full or the file ends; returns the number of bytes.
  func read(
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

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileProtectionError) {
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

  func truncate(to length: Int) throws(FileProtectionError) {
    guard gate?(1) ?? 1 == 1 else { throw failure(.system(EIO)) }
    while ftruncate(descriptor, length) != 0 {
      guard errno == EINTR else { throw failure(.system(errno)) }
    }
  }

  func sync() throws(FileProtectionError) {
    while fsync(descriptor) != 0 {
      guard errno == EINTR else { throw failure(.system(errno)) }
    }
  }

  /// The length of the file in bytes.
  func length() throws(FileProtectionError) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(.system(errno)) }
    return status.st_size
  }

  /// Throws `EFBIG` where the process may not make a file `length` long. To ask beforehand keeps the system
  /// from sending SIGXFSZ, and from writing a part of a page (`setrlimit(2)`).
  func checkLimit(_ length: Int) throws(FileProtectionError) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { return }
    guard limit.rlim_cur == .max || UInt64(length) <= limit.rlim_cur else {
      throw failure(.system(EFBIG))
    }
  }

  /// Throws ``FileProtectionError/Code/busy`` where others hold the lock for longer than ``patience``.
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

/// The reason why protected bytes cannot be read or written, with the file and the chunk.
package struct FileProtectionError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of failure.
  package enum Code: Sendable, Equatable {
    /// The bytes do not begin as protected bytes do.
    case notProtected
    /// A newer Sluice wrote the bytes.
    case newerVersion
    /// The end is missing.
    case cut
    /// A bit is not as it was written.
    case altered
    /// The key is that of another file or account, or the part of the header that would show this was altered.
    case wrongKey
    /// Others held the file's lock for too long.
    case busy
    /// The system refused with this `errno`.
    case system(Int32)
    /// The file was closed before.
    case closed
  }

  package let code: Code
  /// The file; empty where the bytes were not in one.
  package let path: String
  /// The piece of 4,096 bytes, counted from 0, that the error is about; nil where it is about all the bytes.
  package let chunk: Int?

  /// An error of `code` about `chunk` of the file at `path`.
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
    case .wrongKey: "\(place) does not open with this key"
    case .busy: "\(place) is locked by others"
    case .system(let number):
      "\(place) cannot be used: \(String(cString: strerror(number)).lowercased())"
    case .closed: "\(place) is closed"
    }
  }
}
