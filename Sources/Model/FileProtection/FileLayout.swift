internal import Cryptography
internal import Glibc

/// The layout of a protected file: a page for the header and the size, followed by groups. Each
/// group is a page of entries and the pages of up to 64 chunks.
enum FileLayout {
  static let pageSize = 4096
  static let chunksPerGroup = 64
  /// The offset of the size slots in the first page, in bytes. A header ends before it.
  static let slotsOffset = 3584
  static let slotSize = 64
  static let entrySize = 32
  /// The size of a chunk's two entries, in bytes.
  static let pairSize = 64
  /// The maximum file size, which prevents overflow of offsets.
  static let maximumSize = 1 << 50

  static func entryPageOffset(group: Int) -> Int {
    (1 + group * (chunksPerGroup + 1)) * pageSize
  }

  static func chunkOffset(_ chunk: Int) -> Int {
    let (group, index) = chunk.quotientAndRemainder(dividingBy: chunksPerGroup)
    return entryPageOffset(group: group) + (1 + index) * pageSize
  }

  static func chunkCount(size: Int) -> Int { (size + pageSize - 1) / pageSize }

  /// Returns the file's required length in bytes for `size` bytes of plain text.
  static func fileLength(size: Int) -> Int {
    size == 0 ? pageSize : chunkOffset(chunkCount(size: size) - 1) + pageSize
  }
}

// MARK: - Size

/// The file's size, in two slots that are written alternately.
struct SizeSlots {
  private(set) var bytes = [UInt8](repeating: 0, count: 2 * FileLayout.slotSize)
  private(set) var size = 0
  private var counter: UInt64 = 0
  /// The slot with the current size, 0 or 1.
  private var current = 1

  init() {}

  /// Reads both slots. Each slot must be valid, or consist of zeros if it was never written.
  ///
  /// A write replaces a slot completely, because a slot has 64 bytes and starts at a multiple of 64.
  ///
  /// - Throws: ``FileProtectionError/Code/wrongKey`` if neither slot is valid, `altered` if one is valid and the other
  ///   is invalid.
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
      // No file is written often enough to reach the last counter.
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

  /// Writes `size` to the slot that is not current, and makes that slot current. Returns the slot's offset in
  /// ``bytes``.
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

/// Encrypts and decrypts the chunks and the size of one file. The additional authenticated data binds a chunk
/// to its file, its index and its write counter, so chunks cannot be exchanged.
final class FileCipher {
  private let context: AES256GCMContext
  /// The additional data for a chunk: `chunk`, the file id, the chunk's index, its write counter.
  private let chunkData = UnsafeMutableRawBufferPointer.allocate(byteCount: 33, alignment: 8)
  /// The additional data for the size: `size`, the file id, the slot's counter, the size.
  private let sizeData = UnsafeMutableRawBufferPointer.allocate(byteCount: 36, alignment: 8)
  /// Eight random bytes and a counter.
  private let nonce = UnsafeMutableRawBufferPointer.allocate(
    byteCount: AES256GCM.nonceByteCount, alignment: 8)
  private var nonceCount: UInt32 = 0

  /// Creates the cipher of the file with this key and id.
  ///
  /// - Parameter fileID: 16 bytes.
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

  /// Encrypts `plain` into `sealed`, which may be the same memory, and writes counter, nonce and tag to
  /// `entry`.
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

  /// Decrypts `piece` in place. If `entry` does not match, fills `piece` with zeros and returns false.
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

  /// Writes all 64 bytes of a size slot.
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

  /// Returns whether a size slot is authentic, including the zeros at its end.
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

  /// Returns a nonce that was never used with this key. Its random part is unique to this cipher, and is renewed when
  /// the counter overflows.
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
  func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let base = baseAddress, let otherBase = other.baseAddress else { return true }
    return memcmp(base, otherBase, count) == 0
  }
}
