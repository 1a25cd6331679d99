/// A payload in memory that the host has lent to a guest.
public struct SharedBytes: Sendable, Hashable {
  /// The offset in the memory; a multiple of ``alignment``.
  public var offset: Int
  /// Length in bytes.
  public var count: Int

  /// The payload of `count` bytes at `offset`.
  public init(offset: Int, count: Int) {
    self.offset = offset
    self.count = count
  }

  /// The number of bytes that every payload begins at a multiple of.
  public static let alignment = 4096
  /// The length of the shortest payload in shared memory; shorter ones are faster within their message.
  public static let leastCount = 64 * 1024

  var range: Range<Int> { offset..<(offset + count) }
}
