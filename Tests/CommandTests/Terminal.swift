import Foundation

/// A pseudo-terminal, for behaviour that requires a terminal.
final class Terminal {
  private let master: Int32
  /// The side that a process uses as its terminal.
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

  /// Waits until the program has written `text`. The text up to it is removed.
  func wait(for text: String) throws {
    var written: [UInt8] = []
    var byte: UInt8 = 0
    while !written.reversed().starts(with: text.utf8.reversed()) {
      let count = read(master, &byte, 1)
      if count > 0 {
        written.append(byte)
      } else if count == 0 || errno != EINTR {
        throw POSIXError(.EIO)
      }
    }
  }

  /// Types a text.
  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// Returns the written text once all writers have exited. It is at most 4 KiB, the size of the
  /// kernel's buffer.
  func text() throws -> String {
    try end.close()
    var text: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 8192)
    // The kernel returns a few lines at a time. It fails when no process has the other end open.
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
