internal import Cryptography
internal import Glibc

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
