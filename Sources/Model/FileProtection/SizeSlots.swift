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
