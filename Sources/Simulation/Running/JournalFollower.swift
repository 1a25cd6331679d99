internal import Foundation

/// Reads a journal on from a place in it, line by line, as long as it grows.
struct JournalFollower {
  private let path: String
  /// Where the next line begins, in bytes.
  private(set) var position: Int

  /// Read at once.
  private static let chunk = 64 * 1024

  /// - Parameter position: the beginning of a line.
  init(_ path: String, from position: Int) {
    self.path = path
    self.position = position
  }

  /// The next lines, as notifications of JSON-RPC; nil where there are none yet.
  mutating func next() -> [[UInt8]]? {
    let lines = events()
    guard !lines.isEmpty else { return nil }
    return lines.map { line in
      Array(#"{"jsonrpc":"2.0","method":"journal","params":"#.utf8) + line + [UInt8(ascii: "}")]
    }
  }

  /// The next complete lines, without their ends: some 64 KiB of them, or one that is longer.
  ///
  /// - Parameter limit: how many at most.
  mutating func events(limit: Int = .max) -> [[UInt8]] {
    guard let file = FileHandle(forReadingAtPath: path) else { return [] }
    defer { try? file.close() }
    var size = Self.chunk
    while true {
      guard (try? file.seek(toOffset: UInt64(position))) != nil,
        let data = try? file.read(upToCount: size), !data.isEmpty
      else { return [] }
      let lines = take(Array(data), limit)
      // A line may be longer than what was read.
      if !lines.isEmpty || data.count < size { return lines }
      size *= 2
    }
  }

  private mutating func take(_ bytes: [UInt8], _ limit: Int) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var start = 0
    while lines.count < limit, let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(Array(bytes[start..<end]))
      start = end + 1
    }
    position += start
    return lines
  }

  /// Where the last lines of a journal begin.
  ///
  /// - Parameter count: how many; of what lies more than 1 MiB back none is found.
  static func position(ofLast count: Int, in path: String) -> Int {
    guard let file = FileHandle(forReadingAtPath: path), let end = try? file.seekToEnd() else {
      return 0
    }
    defer { try? file.close() }
    let start = Int(end) - min(Int(end), 1 << 20)
    guard (try? file.seek(toOffset: UInt64(start))) != nil,
      let bytes = (try? file.readToEnd()).flatMap({ $0 }).map(Array.init)
    else { return Int(end) }
    let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
    guard count < ends.count else {
      // The first line may have begun before.
      return start == 0 ? 0 : start + (ends.first.map { $0 + 1 } ?? bytes.count)
    }
    return start + ends[ends.count - count - 1] + 1
  }
}
