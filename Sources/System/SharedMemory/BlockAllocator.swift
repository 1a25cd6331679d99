/// The parts of a region that are in use: each is handed out at the lowest place that has room, so that the same memory
/// serves again and again, and few pages of the region are ever touched.
public struct BlockAllocator: Sendable {
  /// The free ranges in ascending order; no two touch.
  private var free: [Range<Int>]
  /// The ranges in use, by where they begin.
  private var used: [Int: Range<Int>] = [:]
  /// The number of bytes that every block begins at a multiple of.
  private let alignment: Int

  /// An allocator for a region of `count` bytes; `alignment` is a power of two.
  public init(_ count: Int, alignment: Int) {
    free = [0..<count]
    self.alignment = alignment
  }

  /// The number of blocks in use.
  public var usedCount: Int { used.count }

  /// Takes a block of at least `count` bytes.
  ///
  /// - Returns: the offset at which the block begins; nil where no room is left.
  public mutating func allocate(_ count: Int) -> Int? {
    guard count > 0, count <= Int.max - alignment else { return nil }
    let size = (count + alignment - 1) & ~(alignment - 1)
    guard let index = free.firstIndex(where: { $0.count >= size }) else { return nil }
    let start = free[index].lowerBound
    if free[index].count == size {
      free.remove(at: index)
    } else {
      free[index] = (start + size)..<free[index].upperBound
    }
    used[start] = start..<(start + size)
    return start
  }

  /// Gives a block back.
  ///
  /// - Returns: false where no block in use begins at `offset`.
  public mutating func release(_ offset: Int) -> Bool {
    guard var range = used.removeValue(forKey: offset) else { return false }
    var index = free.firstIndex { $0.lowerBound > range.lowerBound } ?? free.endIndex
    if index < free.endIndex, free[index].lowerBound == range.upperBound {
      range = range.lowerBound..<free[index].upperBound
      free.remove(at: index)
    }
    if index > 0, free[index - 1].upperBound == range.lowerBound {
      index -= 1
      range = free[index].lowerBound..<range.upperBound
      free.remove(at: index)
    }
    free.insert(range, at: index)
    return true
  }
}
