import Foundation

/// A pseudo-terminal, for what commands do only where a person watches.
final class Terminal {
  private let master: Int32
  /// What a process takes for its terminal.
  let end: FileHandle

  init() throws {
    var descriptors: (master: Int32, end: Int32) = (-1, -1)
    guard openpty(&descriptors.master, &descriptors.end, nil, nil, nil) == 0 else {
      throw POSIXError(.ENOTTY)
    }
    _ = fcntl(descriptors.master, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptors.end, F_SETFD, FD_CLOEXEC)
    master = descriptors.master
    end = FileHandle(fileDescriptor: descriptors.end, closeOnDealloc: true)
  }

  deinit { close(master) }

  /// What has been written, which must be less than the 4 KiB that the kernel keeps; once everybody who can
  /// write has ended.
  func text() throws -> String {
    try end.close()
    var text: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 8192)
    // The kernel hands over some lines at a time, and then fails: nobody is at the other end.
    while true {
      let count = read(master, &bytes, bytes.count)
      if count > 0 {
        text += bytes.prefix(count)
      } else if count == 0 || errno != EINTR {
        return String(decoding: text, as: UTF8.self)
      }
    }
  }
}
