internal import FileProtection
internal import Glibc
internal import Model

extension ContainerFolder {
  /// Bytes at the beginning of a file that hold its header.
  private static let headerSize = ProtectionHeader.pageSize
  private static let magicSize = 8

  /// Opens a regular file, even where its guest has taken away the permission to.
  ///
  /// - Throws: ``ContainerError`` as ``open(_:_:mode:)`` does.
  func openUnlocking(_ path: [UInt8], _ flags: Int32) throws(ContainerError) -> Int32 {
    do throws(ContainerError) {
      return try open(path, flags)
    } catch {
      guard error.code == EACCES else { throw error }
      try unlock(path)
      return try open(path, flags)
    }
  }

  /// The owner that a file states, be it encrypted or one with data that an app has protected by itself; nil where it
  /// states none.
  ///
  /// - Throws: ``ContainerError`` also with `EBADMSG` where the file begins like a protected one and the rest
  ///   of its header cannot be read.
  func statedOwner(of path: [UInt8]) throws(ContainerError) -> Account? {
    let bytes = try beginning(of: path)
    switch try? ProtectedData.kind(of: bytes) {
    case .encrypted(let header, _): return header.owner
    case .marked(let owner, _): return owner
    case .plain, nil: return try header(in: bytes, path)?.owner
    }
  }

  private func header(
    in bytes: [UInt8], _ path: [UInt8]
  ) throws(ContainerError) -> ProtectionHeader? {
    do throws(FileProtectionError) {
      return try ProtectionHeader(bytes)
    } catch {
      // Less than the first eight bytes may be the beginning of anything.
      if error.code == .notProtected || bytes.count < Self.magicSize { return nil }
      throw self.error(EBADMSG, "read the owner of", path)
    }
  }

  private func beginning(of path: [UInt8]) throws(ContainerError) -> [UInt8] {
    let file = try openUnlocking(path, O_RDONLY)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Self.headerSize)
    let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
    guard count >= 0 else { throw error(errno, "read", path) }
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}
