/// The layout of a protected file.
///
/// A page for the header and the size; then groups, each of a page of entries and the pages of up to 64
/// chunks.
enum FileLayout {
  static let pageSize = 4096
  static let chunksPerGroup = 64
  /// The offset of the size slots, which bounds the header.
  static let slotsOffset = 3584
  static let slotSize = 64
  static let entrySize = 32
  /// The size of both entries of a chunk.
  static let pairSize = 64
  /// The longest file, so that no offset overflows.
  static let maximumSize = 1 << 50

  static func entryPageOffset(group: Int) -> Int {
    (1 + group * (chunksPerGroup + 1)) * pageSize
  }

  static func chunkOffset(_ chunk: Int) -> Int {
    let (group, index) = chunk.quotientAndRemainder(dividingBy: chunksPerGroup)
    return entryPageOffset(group: group) + (1 + index) * pageSize
  }

  static func chunkCount(size: Int) -> Int { (size + pageSize - 1) / pageSize }

  /// The length in bytes that the file must have to hold `size` bytes of plain text.
  static func fileLength(size: Int) -> Int {
    size == 0 ? pageSize : chunkOffset(chunkCount(size: size) - 1) + pageSize
  }
}
