internal import Foundation

/// Memory sizes as reported by the kernel, in KiB (proc_pid_smaps(5)).
enum MemorySize {
  /// Returns a process's PSS, in which shared pages are divided among the processes that use them.
  static func proportional(of pid: Int32?) -> Int {
    field("Pss:", of: "/proc/\(pid ?? 0)/smaps_rollup")
  }

  /// Returns the RSS of this process.
  static func ownResident() -> Int { field("VmRSS:", of: "/proc/self/status") }

  /// Returns the memory available to programs on this machine.
  static func available() -> Int { field("MemAvailable:", of: "/proc/meminfo") }

  private static func field(_ name: String, of path: String) -> Int {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    return line.flatMap { $0.split(separator: " ").dropFirst().first.flatMap { Int($0) } } ?? 0
  }
}
