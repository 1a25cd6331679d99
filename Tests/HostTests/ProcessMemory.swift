import Foundation

/// What another process has in memory, as far as anybody can read it.
struct ProcessMemory {
  private let path: String
  private let regions: [Range<UInt64>]

  private struct NotReadable: Error {}

  init(of pid: Int32) throws {
    path = "/proc/\(pid)/mem"
    let table = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/\(pid)/maps"))
    let maps = String(decoding: try table.readToEnd() ?? Data(), as: UTF8.self)
    regions = maps.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      let bounds = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
      guard words[1].hasPrefix("r"), bounds.count == 2 else { return nil }
      return bounds[0]..<bounds[1]
    }
  }

  /// Whether `bytes` are somewhere, forwards or backwards: long numbers have their lowest word first in memory.
  func contains(_ bytes: Data) throws -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw NotReadable() }
    defer { close(descriptor) }
    let backwards = Data(bytes.reversed())
    return regions.contains { Self.contains(bytes, or: backwards, in: $0, of: descriptor) }
  }

  private static func contains(
    _ bytes: Data, or others: Data, in region: Range<UInt64>, of descriptor: Int32
  ) -> Bool {
    var piece = Data(count: 4 << 20)
    var start = region.lowerBound
    while start < region.upperBound {
      let size = min(Int(region.upperBound - start), piece.count)
      let count = piece.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress, size, off_t(start))
      }
      guard count > 0 else {
        // Nobody can read that page.
        start += 4096
        continue
      }
      let found = piece.prefix(count)
      if found.range(of: bytes) != nil || found.range(of: others) != nil { return true }
      // What lies over the edge of two pieces is in the next one, too.
      let isLast = start + UInt64(count) >= region.upperBound || count <= bytes.count
      start += UInt64(isLast ? count : count - bytes.count)
    }
    return false
  }
}
