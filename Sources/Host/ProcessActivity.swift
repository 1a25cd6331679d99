internal import Glibc

/// What the system says of a process's threads (proc_pid_stat(5)).
struct ProcessActivity {
  private let folder: String

  init(of process: Int32) { folder = "/proc/\(process)/task" }

  /// Whether a thread runs, or waits for the disk, or all of them have just ended.
  var isWorking: Bool {
    guard let directory = opendir(folder) else { return true }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let thread = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard thread.first?.isNumber == true else { continue }
      if let state = state(of: thread), !Self.resting.contains(state) { return true }
    }
    return false
  }

  /// Asleep until something happens, stopped, or an idle thread of the kernel's.
  private static let resting: Set<UInt8> = [
    UInt8(ascii: "S"), UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: "I"),
  ]

  /// nil where the thread has gone meanwhile.
  private func state(of thread: String) -> UInt8? {
    let descriptor = open("\(folder)/\(thread)/stat", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &bytes, bytes.count)
    // The state follows the name, which is in parentheses and may hold any.
    guard count > 0, let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
    return bytes[..<count].dropFirst(end + 2).first
  }
}
