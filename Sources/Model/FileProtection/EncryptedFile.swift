internal import Glibc

/// A file whose bytes are encrypted on the disk and plain here, at the same offsets.
///
/// For one thread at a time. Several handles, each with an open file of its own, also in several processes,
/// see each other's writes. A process that dies while it writes leaves each piece of 4,096 bytes as it was
/// or as it was to be; after a power loss of the device only the writes that ``sync()`` covered are certain.
package final class EncryptedFile {
  /// The largest number of pages of entries that are kept; each is for 256 KiB of the file.
  private static let maximumPages = 4_096

  let calls: FileCalls
  let cipher: FileCipher
  /// The size as it was last read or written.
  private(set) var slots: SizeSlots
  private var pages: [Int: EntryPage] = [:]
  private var isOpen = true
  private var memory: UnsafeMutableRawBufferPointer?

  /// Takes over `descriptor`, and closes it also where this throws. The descriptor must be open for reading, to write
  /// also for writing, and not for appending. `key` is the file's key, `path` is for errors, `patience` the
  /// milliseconds for which others may keep the file from being written, `gate` for tests.
  ///
  /// - Throws: ``FileProtectionError`` with the code `notProtected`, `newerVersion`, `cut`, `wrongKey`, `altered`,
  ///   `busy` or `system`.
  package init(
    descriptor: Int32, key: FileKey, path: String, patience: Int = 10_000,
    gate: WriteGate? = nil
  ) throws(FileProtectionError) {
    calls = FileCalls(descriptor: descriptor, path: path, patience: patience, gate: gate)
    do throws(FileProtectionError) {
      (cipher, slots) = try Self.open(calls, key: key)
    } catch {
      Glibc.close(descriptor)
      throw error
    }
  }

  deinit {
    close()
    memory?.deallocate()
  }

  /// The file's size in bytes of plain text, with the writes of other handles.
  ///
  /// - Throws: ``FileProtectionError`` where the file is closed, cut off or altered, or cannot be read.
  package var size: Int {
    get throws(FileProtectionError) {
      try checkOpen()
      try readingTwice { () throws(FileProtectionError) in try refreshSize() }
      return slots.size
    }
  }

  /// Waits until the disk has all that was written.
  ///
  /// - Throws: ``FileProtectionError`` where the file is closed or the system refuses.
  package func sync() throws(FileProtectionError) {
    try checkOpen()
    try calls.sync()
  }

  /// Closes the descriptor; every other call throws ``FileProtectionError/Code/closed`` from then on.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    Glibc.close(calls.descriptor)
    pages = [:]
  }

  /// Memory of a group's chunks, for data on their way to the file or from it.
  var scratch: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(
      rebasing: workspace[..<(FileLayout.chunksPerGroup * FileLayout.pageSize)])
  }

  func checkOpen() throws(FileProtectionError) {
    guard isOpen else { throw calls.failure(.closed) }
  }

  func whileLocked(
    _ lock: FileCalls.Lock, _ body: () throws(FileProtectionError) -> Void
  ) throws(FileProtectionError) {
    try calls.lock(lock)
    defer { calls.unlock() }
    try body()
  }

  /// Runs `body`, which reads only, without a lock; once more under a lock where it perhaps read a half-done
  /// write of another handle.
  func readingTwice(
    _ body: () throws(FileProtectionError) -> Void
  ) throws(FileProtectionError) {
    do throws(FileProtectionError) {
      try body()
    } catch {
      guard [.cut, .altered, .wrongKey].contains(error.code) else { throw error }
      pages.removeAll(keepingCapacity: true)
      try whileLocked(.shared) { () throws(FileProtectionError) in
        try refreshSize()
        try body()
      }
    }
  }

  /// Reads the size as it is in the file now.
  func refreshSize() throws(FileProtectionError) {
    let now = UnsafeMutableRawBufferPointer(rebasing: spare[..<slots.bytes.count])
    guard try calls.read(into: now, at: FileLayout.slotsOffset) == now.count else {
      throw calls.failure(.cut)
    }
    let isSame = slots.bytes.withUnsafeBytes {
      $0.hasSameBytes(as: UnsafeRawBufferPointer(now))
    }
    if !isSame {
      slots = try SizeSlots(UnsafeRawBufferPointer(now), cipher: cipher, path: calls.path)
    }
    guard try calls.length() >= FileLayout.fileLength(size: slots.size) else {
      throw calls.failure(.cut)
    }
  }

  /// Changes the size, and leaves the file's length as it is.
  func writeSize(_ size: Int) throws(FileProtectionError) {
    var next = slots
    let start = next.advance(to: size, cipher: cipher)
    let slot = UnsafeMutableRawBufferPointer(rebasing: spare[..<FileLayout.slotSize])
    slot.copyBytes(from: next.bytes[start..<(start + FileLayout.slotSize)])
    try calls.write(UnsafeRawBufferPointer(slot), at: FileLayout.slotsOffset + start)
    slots = next
  }

  /// The entries of a group for reading, perhaps from before others' writes: the data do not fit them then.
  ///
  /// Reading them also reads the size. A reader that finds that a chunk fits the entries therefore knows that the size
  /// has not changed within or before that chunk: every such change rewrites the chunk or cuts it off.
  func entryPage(group: Int) throws(FileProtectionError) -> EntryPage {
    if let page = pages[group] { return page }
    let page = EntryPage()
    let offset = FileLayout.entryPageOffset(group: group)
    guard try calls.read(into: page.bytes, at: offset) == page.bytes.count else {
      throw calls.failure(.cut, chunk: group * FileLayout.chunksPerGroup)
    }
    try refreshSize()
    keep(page, group: group)
    return page
  }

  /// The entries of a group as they are in the file now; empty ones where the file ends before them. The caller
  /// holds the exclusive lock.
  func freshEntryPage(group: Int) throws(FileProtectionError) -> EntryPage {
    let count = try calls.read(into: spare, at: FileLayout.entryPageOffset(group: group))
    UnsafeMutableRawBufferPointer(rebasing: spare[count...])
      .initializeMemory(as: UInt8.self, repeating: 0)
    let page = pages[group] ?? EntryPage()
    page.replace(with: UnsafeRawBufferPointer(spare))
    keep(page, group: group)
    return page
  }

  func forgetEntryPages(from group: Int) {
    for key in pages.keys where key >= group { pages[key] = nil }
  }

  private func keep(_ page: EntryPage, group: Int) {
    if pages.count >= Self.maximumPages { pages.removeAll(keepingCapacity: true) }
    pages[group] = page
  }

  /// A page for slots and entries.
  private var spare: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(
      rebasing: workspace[(FileLayout.chunksPerGroup * FileLayout.pageSize)...])
  }

  /// Memory acquired when first needed; untouched pages of it cost nothing.
  private var workspace: UnsafeMutableRawBufferPointer {
    if let memory { return memory }
    let new = UnsafeMutableRawBufferPointer.allocate(
      byteCount: (FileLayout.chunksPerGroup + 1) * FileLayout.pageSize,
      alignment: FileLayout.pageSize)
    memory = new
    return new
  }
}

extension EncryptedFile {
  /// Reads the first page, and once more under a lock where it was perhaps a half-done write of another handle.
  private static func open(
    _ calls: FileCalls, key: FileKey
  ) throws(FileProtectionError) -> (FileCipher, SizeSlots) {
    try calls.checkMode()
    do throws(FileProtectionError) {
      return try readFirstPage(calls, key: key)
    } catch {
      guard [.cut, .altered, .wrongKey].contains(error.code) else { throw error }
      try calls.lock(.shared)
      defer { calls.unlock() }
      return try readFirstPage(calls, key: key)
    }
  }

  private static func readFirstPage(
    _ calls: FileCalls, key: FileKey
  ) throws(FileProtectionError) -> (FileCipher, SizeSlots) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: FileLayout.pageSize, alignment: 8)
    defer { buffer.deallocate() }
    let count = try calls.read(into: buffer, at: 0)
    let header = try ProtectionHeader(firstPage: Array(buffer[..<count]), path: calls.path)
    let cipher = FileCipher(key: key, fileID: header.fileID)
    let end = FileLayout.slotsOffset + 2 * FileLayout.slotSize
    let slots = try SizeSlots(
      UnsafeRawBufferPointer(rebasing: buffer[FileLayout.slotsOffset..<end]), cipher: cipher,
      path: calls.path)
    guard try calls.length() >= FileLayout.fileLength(size: slots.size) else {
      throw calls.failure(.cut)
    }
    return (cipher, slots)
  }
}
