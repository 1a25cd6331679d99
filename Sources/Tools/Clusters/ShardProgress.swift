internal import Foundation
internal import JSON

/// How far a shard is, as the blob tells that it writes.
struct ShardProgress: Sendable {
  /// The pieces that are done.
  private(set) var done = 0
  /// The pieces of all shards together; nil while nothing is known of the shard.
  private(set) var total: Int?
  /// Whether the blob is whole.
  private(set) var isWhole = false
  /// The blob that is read, and how far.
  private var file = ""
  private var offset: UInt64 = 0
  private var rest = Data()

  /// Looks at the blob of a path, or at the newest of those that are not whole.
  mutating func look(at path: String, besides open: [String]) {
    isWhole = FileManager.default.fileExists(atPath: path)
    guard let next = isWhole ? path : open.max(by: { Self.time(of: $0) < Self.time(of: $1) })
    else { return }
    if next != file {
      let known = total
      self = ShardProgress()
      (file, total, isWhole) = (next, known, next == path)
    }
    readOn()
  }

  private static func time(of file: String) -> Date {
    (try? FileManager.default.attributesOfItem(atPath: file))?[.modificationDate] as? Date
      ?? .distantPast
  }

  private mutating func readOn() {
    guard let handle = FileHandle(forReadingAtPath: file) else { return }
    defer { try? handle.close() }
    guard (try? handle.seek(toOffset: offset)) != nil, let more = try? handle.readToEnd() else {
      return
    }
    offset += UInt64(more.count)
    rest += more
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      take(rest[rest.startIndex..<end])
      rest = rest[(end + 1)...]
    }
    rest = Data(rest)
  }

  private mutating func take(_ line: Data) {
    if line.starts(with: #"{"piece":"#.utf8) {
      done += 1
    } else if total == nil, line.starts(with: #"{"schema":"#.utf8) {
      total = (try? JSONReader.read(Array(line)))?["pieces"]?.array?.count
    }
  }
}
