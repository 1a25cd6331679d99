internal import Glibc

/// The bytes that a process and its ended children have written to files (proc_pid_io(5)).
enum WrittenBytes {
  /// The number of bytes; 0 where the system does not tell.
  static func of(_ process: Int32) -> Int {
    let descriptor = open("/proc/\(process)/io", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    let text = String(decoding: ContainerFolder.contents(of: descriptor) ?? [], as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix("wchar: ") }
    return line.flatMap { Int($0.dropFirst("wchar: ".count)) } ?? 0
  }
}
