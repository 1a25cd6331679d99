internal import Cryptography
internal import Glibc

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

// MARK: - Size

/// The file's size, in two slots that are written in turn.
struct SizeSlots {
  /// Both slots as they are in the file.
  private(set) var bytes = [UInt8](repeating: 0, count: 2 * FileLayout.slotSize)
  private(set) var size = 0
  /// The counter of the current slot.
  private var counter: UInt64 = 0
  /// The slot with the valid size, 0 or 1.
  private var current = 1

  /// Slots of which none is written.
  init() {}

  /// Reads both slots. Each must be valid, or zero where it was never written: a slot has 64 bytes at a
  /// multiple of 64, and a write of it leaves no part of the old.
  ///
  /// Throws ``FileProtectionError/Code/wrongKey`` where none is valid, `altered` where one of two is not.
  init(_ bytes: UnsafeRawBufferPointer, cipher: FileCipher, path: String)
    throws(FileProtectionError)
  {
    var found = 0
    var wrong = 0
    for index in 0..<2 {
      let start = index * FileLayout.slotSize
      let slot = UnsafeRawBufferPointer(rebasing: bytes[start..<(start + FileLayout.slotSize)])
      guard slot.contains(where: { $0 != 0 }) else { continue }
      let counter = UInt64(littleEndian: slot.loadUnaligned(as: UInt64.self))
      let size = UInt64(littleEndian: slot.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      // The last counter cannot have come about: no file is written so often.
      guard size <= FileLayout.maximumSize, counter < .max,
        cipher.isValid(size: size, counter: counter, slot: slot)
      else {
        wrong += 1
        continue
      }
      found += 1
      if found == 1 || counter > self.counter {
        (self.size, self.counter, current) = (Int(size), counter, index)
      }
    }
    guard found > 0, wrong == 0 else {
      throw FileProtectionError(found > 0 ? .altered : .wrongKey, path: path)
    }
    self.bytes = Array(bytes)
  }

  /// Writes `size` to the slot that is not current; returns the offset of that slot in ``bytes``.
  @discardableResult
  mutating func advance(to size: Int, cipher: FileCipher) -> Int {
    current = 1 - current
    counter += 1
    self.size = size
    let start = current * FileLayout.slotSize
    bytes.withUnsafeMutableBytes {
      cipher.sealSize(
        UInt64(size), counter: counter,
        slot: UnsafeMutableRawBufferPointer(rebasing: $0[start..<(start + FileLayout.slotSize)]))
    }
    return start
  }
}

// MARK: - Cipher

/// Seals and opens the chunks and the size of one file.
///
/// Additional data tie a chunk to its file, its place and its write counter, so that no chunk passes
/// for another.
final class FileCipher {
  private let context: AES256GCMContext
  /// Additional data of a chunk: `chunk`, the file's id, the chunk's index, its write counter.
  private let chunkData = UnsafeMutableRawBufferPointer.allocate(byteCount: 33, alignment: 8)
  /// Additional data of the size: `size`, the file's id, the slot's counter, the size.
  private let sizeData = UnsafeMutableRawBufferPointer.allocate(byteCount: 36, alignment: 8)
  /// Eight random bytes and a count.
  private let nonce = UnsafeMutableRawBufferPointer.allocate(
    byteCount: AES256GCM.nonceByteCount, alignment: 8)
  private var nonceCount: UInt32 = 0

  /// `fileID` has 16 bytes.
  init(key: FileKey, fileID: [UInt8]) {
    context = AES256GCMContext(key: key.bytes)
    chunkData.copyBytes(from: Array("chunk".utf8) + fileID + [UInt8](repeating: 0, count: 12))
    sizeData.copyBytes(from: Array("size".utf8) + fileID + [UInt8](repeating: 0, count: 16))
    nonce.copyBytes(from: randomBytes(8))
  }

  deinit {
    chunkData.deallocate()
    sizeData.deallocate()
    nonce.deallocate()
  }

  /// Writes the ciphertext of `plain` to `sealed`, which may be the same memory, and counter, nonce and tag
  /// to `entry`.
  func seal(
    _ plain: UnsafeRawBufferPointer, into sealed: UnsafeMutableRawBufferPointer, chunk: Int,
    counter: UInt32, entry: UnsafeMutableRawBufferPointer
  ) {
    state(chunk: chunk, counter: counter)
    entry.storeBytes(of: counter.littleEndian, as: UInt32.self)
    let nonce = nextNonce()
    let place = UnsafeMutableRawBufferPointer(rebasing: entry[4..<16])
    place.copyMemory(from: nonce)
    context.seal(
      plain, into: sealed, nonce: nonce, additionalData: UnsafeRawBufferPointer(chunkData),
      tag: UnsafeMutableRawBufferPointer(rebasing: entry[16..<32]))
  }

  /// Decrypts `piece` in place; false, and zeros there, where `entry` was not written for it.
  func open(
    _ piece: UnsafeMutableRawBufferPointer, chunk: Int, entry: UnsafeMutableRawBufferPointer
  ) -> Bool {
    state(chunk: chunk, counter: UInt32(littleEndian: entry.load(as: UInt32.self)))
    let entry = UnsafeRawBufferPointer(entry)
    return context.open(
      UnsafeRawBufferPointer(piece), into: piece,
      nonce: UnsafeRawBufferPointer(rebasing: entry[4..<16]),
      additionalData: UnsafeRawBufferPointer(chunkData),
      tag: UnsafeRawBufferPointer(rebasing: entry[16..<32]))
  }

  /// Fills a size slot, all of whose 64 bytes it writes.
  func sealSize(_ size: UInt64, counter: UInt64, slot: UnsafeMutableRawBufferPointer) {
    state(size: size, counter: counter)
    slot.initializeMemory(as: UInt8.self, repeating: 0)
    slot.storeBytes(of: counter.littleEndian, as: UInt64.self)
    slot.storeBytes(of: size.littleEndian, toByteOffset: 8, as: UInt64.self)
    let nonce = nextNonce()
    UnsafeMutableRawBufferPointer(rebasing: slot[16..<28]).copyMemory(from: nonce)
    let nothing = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    context.seal(
      UnsafeRawBufferPointer(nothing), into: nothing, nonce: nonce,
      additionalData: UnsafeRawBufferPointer(sizeData),
      tag: UnsafeMutableRawBufferPointer(rebasing: slot[28..<44]))
  }

  /// Whether a size slot is as it was written, including the zeros at its end.
  func isValid(size: UInt64, counter: UInt64, slot: UnsafeRawBufferPointer) -> Bool {
    state(size: size, counter: counter)
    let nothing = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    return slot[44...].allSatisfy { $0 == 0 }
      && context.open(
        UnsafeRawBufferPointer(nothing), into: nothing,
        nonce: UnsafeRawBufferPointer(rebasing: slot[16..<28]),
        additionalData: UnsafeRawBufferPointer(sizeData),
        tag: UnsafeRawBufferPointer(rebasing: slot[28..<44]))
  }

  private func state(chunk: Int, counter: UInt32) {
    chunkData.storeBytes(of: UInt64(chunk).littleEndian, toByteOffset: 21, as: UInt64.self)
    chunkData.storeBytes(of: counter.littleEndian, toByteOffset: 29, as: UInt32.self)
  }

  private func state(size: UInt64, counter: UInt64) {
    sizeData.storeBytes(of: counter.littleEndian, toByteOffset: 20, as: UInt64.self)
    sizeData.storeBytes(of: size.littleEndian, toByteOffset: 28, as: UInt64.self)
  }

  /// A nonce that was never used with this key: the random part is this cipher's own, and a new one when
  /// the count has run through.
  private func nextNonce() -> UnsafeRawBufferPointer {
    if nonceCount == .max {
      nonce.copyBytes(from: randomBytes(8))
      nonceCount = 0
    }
    nonceCount += 1
    nonce.storeBytes(of: nonceCount.littleEndian, toByteOffset: 8, as: UInt32.self)
    return UnsafeRawBufferPointer(nonce)
  }
}

extension UnsafeRawBufferPointer {
  /// Whether both buffers have the same count and the same bytes.
  func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let base = baseAddress, let otherBase = other.baseAddress else { return true }
    return memcmp(base, otherBase, count) == 0
  }
}
