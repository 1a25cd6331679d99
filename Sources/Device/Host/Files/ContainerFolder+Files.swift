internal import FileProtection
internal import Glibc

extension ContainerFolder {
  /// The beginning of a file: the page where an encrypted file has its header, or as much of it as there is.
  ///
  /// - Returns: nil where there is no such file.
  /// - Throws: ``ContainerError``, also for a folder.
  func firstPage(of path: [UInt8]) throws(ContainerError) -> [UInt8]? {
    let file: Int32
    do throws(ContainerError) {
      file = try open(path, O_RDONLY)
    } catch {
      if error.isMissing { return nil }
      throw error
    }
    defer { close(file) }
    var page = [UInt8](repeating: 0, count: ProtectionHeader.pageSize)
    let count = pread(file, &page, page.count, 0)
    guard count >= 0 else { throw error(errno, "read", path) }
    page.removeLast(page.count - count)
    return page
  }

  /// Creates or empties a file, and writes its beginning.
  ///
  /// - Throws: ``ContainerError``; the file is then empty, or as it was.
  func begin(_ path: [UInt8], with page: [UInt8]) throws(ContainerError) {
    try makeFolders(for: path)
    let file = try open(path, O_RDWR | O_CREAT | O_TRUNC)
    defer { close(file) }
    guard !page.isEmpty else { return }
    let count = pwrite(file, page, page.count, 0)
    guard count == page.count else {
      let code = count < 0 ? errno : ENOSPC
      ftruncate(file, 0)
      throw error(code, "write", path)
    }
  }

  /// Reads all that an open file holds, and closes it; nil where it cannot be read.
  static func contents(of file: Int32) -> [UInt8]? {
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = Glibc.read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }
}
