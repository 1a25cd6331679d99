/// The entries of a group's chunks, as they are in the file: two for each, of counter, nonce and tag.
///
/// The data of a chunk fit one of its two entries. Which one, if not the newer, is known where this handle
/// has read or written the chunk since the entries changed.
final class EntryPage {
  /// The page, of 4,096 bytes.
  let bytes = UnsafeMutableRawBufferPointer.allocate(
    byteCount: FileLayout.pageSize, alignment: FileLayout.entrySize)
  /// A bit for each chunk whose live entry is known.
  private var known: UInt64 = 0
  /// A bit for each of those chunks whose live entry is the second.
  private var second: UInt64 = 0

  init() { bytes.initializeMemory(as: UInt8.self, repeating: 0) }

  deinit { bytes.deallocate() }

  /// One of the two entries (0 or 1) of the chunk that is the `index`-th of the group.
  func entry(_ slot: Int, of index: Int) -> UnsafeMutableRawBufferPointer {
    let start = index * FileLayout.pairSize + slot * FileLayout.entrySize
    return UnsafeMutableRawBufferPointer(
      rebasing: bytes[start..<(start + FileLayout.entrySize)])
  }

  /// The number of times that the chunk was written; 0 where the entry is empty.
  func counter(_ slot: Int, of index: Int) -> UInt32 {
    UInt32(
      littleEndian: bytes.load(
        fromByteOffset: index * FileLayout.pairSize + slot * FileLayout.entrySize,
        as: UInt32.self))
  }

  /// The entry that the data fit; nil where that is not known without a look at the data.
  func liveSlot(of index: Int) -> Int? {
    if known & (1 << index) != 0 { return second & (1 << index) != 0 ? 1 : 0 }
    return switch (counter(0, of: index), counter(1, of: index)) {
    case (0, 0): nil
    case (_, 0): 0
    case (0, _): 1
    default: nil  // open: two counters, both of them used
    }
  }

  func setLive(_ slot: Int, of index: Int) {
    known |= 1 << index
    second = second & ~(1 << index) | (UInt64(slot) << index)
  }

  /// The entry of the last write that was begun; nil where the chunk has none.
  func newerSlot(of index: Int) -> Int? {
    let counters = (counter(0, of: index), counter(1, of: index))
    guard counters != (0, 0) else { return nil }
    return counters.1 > counters.0 ? 1 : 0
  }

  /// The counter of the next write; 0 is kept for an empty entry.
  func nextCounter(of index: Int) -> UInt32 {
    let last = max(counter(0, of: index), counter(1, of: index))
    return last == .max ? 1 : last + 1
  }

  /// Takes over the page as it is in the file now, and forgets the live entries of chunks that others wrote since.
  func replace(with fresh: UnsafeRawBufferPointer) {
    guard !UnsafeRawBufferPointer(bytes).hasSameBytes(as: fresh) else { return }
    for index in 0..<FileLayout.chunksPerGroup {
      let start = index * FileLayout.pairSize
      let range = start..<(start + FileLayout.pairSize)
      if !bytes[range].elementsEqual(fresh[range]) { known &= ~(1 << index) }
    }
    bytes.copyMemory(from: fresh)
  }
}
