internal import Foundation

/// The files of proc(5) that tell of this process and of the machine's memory.
struct ProcessFiles {
  /// The text of a file, without blanks at its ends; nil where it cannot be read.
  static func text(_ path: String) -> String? {
    (try? String(contentsOfFile: path, encoding: .utf8))?
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private let status = ProcessFiles.text("/proc/self/status") ?? ""
  private let memory = ProcessFiles.text("/proc/meminfo") ?? ""

  /// Whether a filter of system calls is in force.
  var isFiltered: Bool { Self.words(after: "Seccomp:", in: status).first == "2" }

  /// Bytes of memory that processes may have without swapping; `Int.max` where the kernel does not tell.
  var availableMemory: Int {
    Self.words(after: "MemAvailable:", in: memory).first.flatMap { Int($0) }.map { $0 << 10 }
      ?? .max
  }

  /// The words of the line that begins with `name`, without that.
  private static func words(after name: String, in text: String) -> [Substring] {
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.dropFirst(name.count).split(whereSeparator: \.isWhitespace) ?? []
  }
}
