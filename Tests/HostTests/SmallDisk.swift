import Foundation
import Glibc

/// A file system of its own at a folder, of a few pages: real enough to be full, or to be read-only.
struct SmallDisk {
  let path: String

  /// Whether this process may mount.
  static let isAvailable: Bool = {
    let path = NSTemporaryDirectory() + "sluice-disk-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    guard let disk = try? SmallDisk(at: path) else { return false }
    disk.unmount()
    return true
  }()

  struct Refused: Error {
    var code: Int32
  }

  /// - Parameter path: made, where it is missing.
  /// - Throws: ``Refused`` where the kernel does not mount.
  init(at path: String, kibibytes: Int = 64) throws {
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    guard mount("tmpfs", path, "tmpfs", 0, "size=\(kibibytes)k,mode=0777") == 0 else {
      throw Refused(code: errno)
    }
  }

  /// The file that has taken the room that was left.
  private var filler: String { "\(path)/filler" }

  /// Leaves no room for anything.
  func fill() throws {
    let descriptor = open(filler, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Refused(code: errno) }
    let bytes = [UInt8](repeating: 1, count: 4_096)
    while write(descriptor, bytes, bytes.count) > 0 {}
    close(descriptor)
  }

  /// Gives the room back that ``fill()`` took.
  ///
  /// The file is emptied, not removed: a process that another test has started since may hold it open.
  func makeRoom() throws {
    guard truncate(filler, 0) == 0 else { throw Refused(code: errno) }
  }

  func makeReadOnly() throws {
    guard mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0
    else { throw Refused(code: errno) }
  }

  func unmount() { umount2(path, CInt(MNT_DETACH)) }
}
