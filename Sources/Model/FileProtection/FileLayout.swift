/// Where things are in a protected file.
///
/// A page for the header and the size; then groups, each of a page of entries and the pages of up to 64
/// chunks.
enum FileLayout {
  static let pageSize = 4096
  static let chunksPerGroup = 64
  /// Where the header ends at the latest.
  static let slotsOffset = 3584
  static let slotSize = 64
  static let entrySize = 32
  /// Both entries of a chunk.
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

  /// How long the file must be to hold `size` bytes.
  static func fileLength(size: Int) -> Int {
    size == 0 ? pageSize : chunkOffset(chunkCount(size: size) - 1) + pageSize
  }
}
