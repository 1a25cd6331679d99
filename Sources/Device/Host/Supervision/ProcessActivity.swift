internal import Glibc

/// The activity of a process's threads, as the system tells it (proc_pid_stat(5), proc_pid_schedstat(5)).
struct ProcessActivity {
  private let folder: String

  init(of process: Int32) { folder = "/proc/\(process)/task" }

  /// Number of times that the threads have been given a processor; nil while one of them has a processor, or waits for
  /// one or for the disk, and where all of them have just ended.
  ///
  /// A process with the same number twice has slept all the time between.
  var rest: UInt64? {
    guard let directory = opendir(folder) else { return nil }
    defer { closedir(directory) }
    var turns: UInt64 = 0
    while let entry = readdir(directory) {
      let thread = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard thread.first?.isNumber == true else { continue }
      turns &+= self.turns(of: thread)
      if let state = state(of: thread), !Self.resting.contains(state) { return nil }
    }
    return turns
  }

  /// States of threads at rest: asleep until something happens, stopped, or an idle thread of the kernel's.
  private static let resting: Set<UInt8> = [
    UInt8(ascii: "S"), UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: "I"),
  ]

  /// The state of a thread; nil where the thread has gone meanwhile.
  private func state(of thread: String) -> UInt8? {
    let text = text(of: "\(thread)/stat")
    // The state follows the name, which is in parentheses and may hold parentheses.
    guard let end = text.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    return text.dropFirst(end + 2).first
  }

  /// Number of times that a thread has been given a processor; 0 where the kernel does not count, or the thread has
  /// gone meanwhile.
  private func turns(of thread: String) -> UInt64 {
    let fields = text(of: "\(thread)/schedstat").split { $0 <= UInt8(ascii: " ") }
    return fields.count < 3 ? 0 : UInt64(String(decoding: fields[2], as: UTF8.self)) ?? 0
  }

  private func text(of file: String) -> ArraySlice<UInt8> {
    let descriptor = open("\(folder)/\(file)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &bytes, bytes.count)
    return bytes[..<max(0, count)]
  }
}
