internal import Foundation

/// Memory of processes as the kernel counts it, in KiB (proc_pid_smaps(5)).
enum MemorySize {
  /// PSS: what processes share counts in parts.
  static func proportional(of pid: Int32?) -> Int {
    field("Pss:", of: "/proc/\(pid ?? 0)/smaps_rollup")
  }

  /// RSS of this process.
  static func ownResident() -> Int { field("VmRSS:", of: "/proc/self/status") }

  /// Memory of the machine that programs may still take.
  static func available() -> Int { field("MemAvailable:", of: "/proc/meminfo") }

  private static func field(_ name: String, of path: String) -> Int {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    return line.flatMap { $0.split(separator: " ").dropFirst().first.flatMap { Int($0) } } ?? 0
  }
}
