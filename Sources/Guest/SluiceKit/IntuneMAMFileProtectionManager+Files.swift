internal import FileProtection
internal import Glibc
internal import Wire

extension IntuneMAMFileProtectionManager {
  /// Whether a file is encrypted on the disk, as its beginning says; false where it cannot be read. Nobody is asked.
  public func isFileEncrypted(_ path: String, inGroup group: String? = nil) -> Bool {
    let place = FileReference(path, group: group ?? "").place
    let descriptor = (place + [0]).withUnsafeBytes { bytes in
      bytes.bindMemory(to: CChar.self).baseAddress.map {
        open($0, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
      }
        ?? -1
    }
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var page = [UInt8](repeating: 0, count: ProtectionHeader.pageSize)
    let count = read(descriptor, &page, page.count)
    return (try? ProtectionHeader(Array(page.prefix(max(0, count))))) != nil
  }
}
