internal import Glibc

/// A file that is encrypted on disk. Callers read and write plain text at the same offsets.
///
/// Confined to one thread at a time. Handles with separate open file descriptions see each other's writes, even in
/// different processes. If a process dies during a write, each chunk of 4,096 bytes has either its old or its new
/// content. After a power loss, only data covered by ``sync()`` is guaranteed.
package final class EncryptedFile {
  /// The maximum number of pages of entries in the cache. Each covers 256 KiB of plain text.
  private static let maximumPages = 4_096

  private let calls: FileCalls
  private let cipher: FileCipher
  /// The two places in the file that alternately store the size of the plain text, as this handle last read or wrote
  /// them.
  private var slots: SizeSlots
  private var pages: [Int: EntryPage] = [:]
  private var isOpen = true
  private var memory: UnsafeMutableRawBufferPointer?

  /// Opens an encrypted file. Takes ownership of `descriptor`, and closes it even if this throws.
  ///
  /// - Parameters:
  ///   - descriptor: Open for reading, and for writing if the file is to be written; not for appending.
  ///   - path: The path in errors.
  ///   - patience: The lock timeout in milliseconds.
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

  /// The size of the plain text in bytes, including writes by other handles.
  ///
  /// - Throws: ``FileProtectionError`` if the file is closed, truncated, altered, locked or unreadable.
  package var size: Int {
    get throws(FileProtectionError) {
      try checkOpen()
      try readingTwice { () throws(FileProtectionError) in try refreshSize() }
      return slots.size
    }
  }

  /// Synchronises all completed writes to the disk.
  package func sync() throws(FileProtectionError) {
    try checkOpen()
    try calls.sync()
  }

  /// Closes the descriptor. Every later call throws ``FileProtectionError/Code/closed``.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    Glibc.close(calls.descriptor)
    pages = [:]
  }

  /// A buffer for one group of chunks.
  private var scratch: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(
      rebasing: workspace[..<(FileLayout.chunksPerGroup * FileLayout.pageSize)])
  }

  private func checkOpen() throws(FileProtectionError) {
    guard isOpen else { throw calls.failure(.closed) }
  }

  private func whileLocked(
    _ lock: FileCalls.Lock, _ body: () throws(FileProtectionError) -> Void
  ) throws(FileProtectionError) {
    try calls.lock(lock)
    defer { calls.unlock() }
    try body()
  }

  /// Runs the read-only `body` without a lock. If it fails with an error that a concurrent write
  /// can cause, runs it again under a shared lock.
  private func readingTwice(
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

  private func refreshSize() throws(FileProtectionError) {
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

  /// Stores the size of the plain text, without changing the length of the file on disk.
  private func writeSize(_ size: Int) throws(FileProtectionError) {
    var next = slots
    let start = next.advance(to: size, cipher: cipher)
    let slot = UnsafeMutableRawBufferPointer(rebasing: spare[..<FileLayout.slotSize])
    slot.copyBytes(from: next.bytes[start..<(start + FileLayout.slotSize)])
    try calls.write(UnsafeRawBufferPointer(slot), at: FileLayout.slotsOffset + start)
    slots = next
  }

  /// Returns the entries of a group for reading. If they are older than the data, decryption fails.
  ///
  /// The size is read after the entries, so it may be newer. This is safe, because a change of the size also rewrites
  /// or removes the chunks that it affects, which then no longer decrypt with the older entries.
  private func entryPage(group: Int) throws(FileProtectionError) -> EntryPage {
    if let page = pages[group] { return page }
    let page = EntryPage()
    let offset = FileLayout.entryPageOffset(group: group)
    guard try calls.read(into: page.bytes, at: offset) == page.bytes.count else {
      throw calls.failure(.cut, chunk: group * FileLayout.chunksPerGroup)
    }
    try refreshSize()
    store(page, group: group)
    return page
  }

  /// Returns the current entries of a group, empty beyond the end of the file. The caller holds the exclusive
  /// lock.
  private func freshEntryPage(group: Int) throws(FileProtectionError) -> EntryPage {
    let count = try calls.read(into: spare, at: FileLayout.entryPageOffset(group: group))
    UnsafeMutableRawBufferPointer(rebasing: spare[count...])
      .initializeMemory(as: UInt8.self, repeating: 0)
    let page = pages[group] ?? EntryPage()
    page.replace(with: UnsafeRawBufferPointer(spare))
    store(page, group: group)
    return page
  }

  private func forgetEntryPages(from group: Int) {
    for key in pages.keys where key >= group { pages[key] = nil }
  }

  private func store(_ page: EntryPage, group: Int) {
    if pages.count >= Self.maximumPages { pages.removeAll(keepingCapacity: true) }
    pages[group] = page
  }

  /// A buffer of one page for size slots and entries.
  private var spare: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(
      rebasing: workspace[(FileLayout.chunksPerGroup * FileLayout.pageSize)...])
  }

  /// The buffers, allocated on first use. Untouched pages use no memory.
  private var workspace: UnsafeMutableRawBufferPointer {
    if let memory { return memory }
    let new = UnsafeMutableRawBufferPointer.allocate(
      byteCount: (FileLayout.chunksPerGroup + 1) * FileLayout.pageSize,
      alignment: FileLayout.pageSize)
    memory = new
    return new
  }

  // MARK: Opening

  /// Reads the first page. If that fails with an error that a concurrent write can cause, reads it
  /// again under a shared lock.
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

  // MARK: Reading

  /// Reads plain text at `offset` into `buffer`.
  ///
  /// - Returns: The number of bytes: fewer than requested only at the end of the file, 0 beyond the end.
  /// - Throws: ``FileProtectionError`` with the code `closed`, `altered`, `cut`, `wrongKey` if the size was modified,
  ///   `busy` on a lock timeout, or `system`. The error states the chunk if only one chunk is affected. If reading
  ///   fails, `buffer` is filled with zeros.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(FileProtectionError) -> Int {
    try checkOpen()
    guard offset >= 0 else { throw calls.failure(.system(EINVAL)) }
    guard !buffer.isEmpty else { return 0 }
    var count = 0
    do throws(FileProtectionError) {
      try readingTwice { () throws(FileProtectionError) in
        count = try readOnce(into: buffer, at: offset)
      }
    } catch {
      buffer.initializeMemory(as: UInt8.self, repeating: 0)
      throw error
    }
    return count
  }

  private func readOnce(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(FileProtectionError) -> Int {
    let sum = offset.addingReportingOverflow(buffer.count)
    let limit = sum.overflow ? Int.max : sum.partialValue
    if limit > slots.size { try refreshSize() }
    var position = offset
    while position < min(limit, slots.size) {
      let chunk = position / FileLayout.pageSize
      let page = try entryPage(group: chunk / FileLayout.chunksPerGroup)
      // Loading entries may have refreshed the size.
      let end = min(limit, slots.size)
      guard position < end else { break }
      let target = UnsafeMutableRawBufferPointer(
        rebasing: buffer[(position - offset)..<(end - offset)])
      position += try readRun(into: target, at: position, page)
    }
    return position - offset
  }

  /// Reads plain text of one group into `target`: whole chunks, which are decrypted in place, or a part of one chunk.
  /// Returns the number of bytes.
  private func readRun(
    into target: UnsafeMutableRawBufferPointer, at position: Int, _ page: EntryPage
  ) throws(FileProtectionError) -> Int {
    let (chunk, skipped) = position.quotientAndRemainder(dividingBy: FileLayout.pageSize)
    guard skipped == 0, target.count >= FileLayout.pageSize else {
      let piece = UnsafeMutableRawBufferPointer(rebasing: scratch[..<FileLayout.pageSize])
      try fetch(piece, from: chunk)
      try open(piece, chunk: chunk, page)
      let count = min(target.count, FileLayout.pageSize - skipped)
      target.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: piece[skipped..<(skipped + count)]))
      return count
    }
    let left = FileLayout.chunksPerGroup - chunk % FileLayout.chunksPerGroup
    let count = min(left, target.count / FileLayout.pageSize)
    let run = UnsafeMutableRawBufferPointer(rebasing: target[..<(count * FileLayout.pageSize)])
    try fetch(run, from: chunk)
    for index in 0..<count {
      let start = index * FileLayout.pageSize
      let piece = UnsafeMutableRawBufferPointer(
        rebasing: run[start..<(start + FileLayout.pageSize)])
      try open(piece, chunk: chunk + index, page)
    }
    return run.count
  }

  /// Reads the ciphertext of consecutive chunks of one group, one for each page of `pages`.
  private func fetch(
    _ pages: UnsafeMutableRawBufferPointer, from chunk: Int
  ) throws(FileProtectionError) {
    let count = try calls.read(into: pages, at: FileLayout.chunkOffset(chunk))
    guard count == pages.count else {
      throw calls.failure(.cut, chunk: chunk + count / FileLayout.pageSize)
    }
  }

  /// Decrypts the ciphertext of one chunk in place. If the live entry is unknown, tries the newer entry first, then the
  /// older one. The older entry matches if the writer died before it wrote the data.
  private func open(
    _ piece: UnsafeMutableRawBufferPointer, chunk: Int, _ page: EntryPage
  ) throws(FileProtectionError) {
    let index = chunk % FileLayout.chunksPerGroup
    let known = page.liveSlot(of: index)
    guard let slot = known ?? page.newerSlot(of: index) else {
      throw calls.failure(.altered, chunk: chunk)
    }
    if cipher.open(piece, chunk: chunk, entry: page.entry(slot, of: index)) {
      return page.setLive(slot, of: index)
    }
    guard known == nil else { throw calls.failure(.altered, chunk: chunk) }
    try fetch(piece, from: chunk)
    guard cipher.open(piece, chunk: chunk, entry: page.entry(1 - slot, of: index)) else {
      throw calls.failure(.altered, chunk: chunk)
    }
    page.setLive(1 - slot, of: index)
  }

  // MARK: Writing

  /// The minimum number of chunks for which a write also clears the replaced entries. Readers of these chunks then need
  /// not determine which entry is live.
  private static let settledRun = 8

  /// Writes plain text at `offset`, with zeros in a gap between the end and `offset`.
  ///
  /// If this throws, each chunk has either its old or its new content, and a file that would have grown keeps its size.
  ///
  /// - Throws: ``FileProtectionError`` with the code `busy` on a lock timeout, `closed`, `altered`, `cut`, `wrongKey`
  ///   or `system`. Examples of the `errno` of `system` are `EFBIG` beyond the process's or the format's limit,
  ///   `ENOSPC`, and `EBADF` for a read-only descriptor.
  package func write(
    _ bytes: UnsafeRawBufferPointer, at offset: Int
  ) throws(FileProtectionError) {
    try checkOpen()
    guard offset >= 0 else { throw calls.failure(.system(EINVAL)) }
    guard offset <= FileLayout.maximumSize - bytes.count else {
      throw calls.failure(.system(EFBIG))
    }
    guard !bytes.isEmpty else { return }
    try whileLocked(.exclusive) { () throws(FileProtectionError) in
      try refreshSize()
      try overlay(bytes, at: offset)
    }
  }

  /// Truncates the file to `size` bytes, or extends it to `size` bytes with zeros.
  ///
  /// - Throws: ``FileProtectionError`` like ``write(_:at:)``.
  package func truncate(to size: Int) throws(FileProtectionError) {
    try checkOpen()
    guard size >= 0 else { throw calls.failure(.system(EINVAL)) }
    guard size <= FileLayout.maximumSize else { throw calls.failure(.system(EFBIG)) }
    try whileLocked(.exclusive) { () throws(FileProtectionError) in
      try refreshSize()
      if size > slots.size {
        try overlay(UnsafeRawBufferPointer(start: nil, count: 0), at: size)
      } else if size < slots.size {
        try shrink(to: size)
      }
    }
  }

  /// Shrinks the file: zeros the rest of the last chunk and removes the chunks after it.
  private func shrink(to size: Int) throws(FileProtectionError) {
    try writeSize(size)
    if size % FileLayout.pageSize != 0 {
      try overlay(UnsafeRawBufferPointer(start: nil, count: 0), at: size)
    }
    try calls.truncate(to: FileLayout.fileLength(size: size))
    let groups = FileLayout.chunkCount(size: size) / FileLayout.chunksPerGroup
    forgetEntryPages(from: groups)
  }

  /// Writes `bytes` at `offset`, and fills any gap after the current end with zeros. If the file has grown, stores the
  /// new size last.
  private func overlay(
    _ bytes: UnsafeRawBufferPointer, at offset: Int
  ) throws(FileProtectionError) {
    let change = Change(bytes: bytes, offset: offset, oldSize: slots.size)
    let chunks = change.chunks
    guard let last = chunks.last else { return }
    try calls.checkLimit(FileLayout.chunkOffset(last) + FileLayout.pageSize)
    do throws(FileProtectionError) {
      var first = chunks.lowerBound
      while first < chunks.upperBound {
        let group = first / FileLayout.chunksPerGroup
        let end = min(chunks.upperBound, (group + 1) * FileLayout.chunksPerGroup)
        try writeRun(first..<end, group: group, change)
        first = end
      }
    } catch {
      forgetEntryPages(from: chunks.lowerBound / FileLayout.chunksPerGroup)
      if change.newSize > change.oldSize {
        // Frees the space of chunks beyond the end.
        try? calls.truncate(to: FileLayout.fileLength(size: change.oldSize))
      }
      throw error
    }
    if change.newSize > change.oldSize { try writeSize(change.newSize) }
  }

  /// Writes chunks of one group: first their entries, then their data. The new entry of a chunk replaces the entry that
  /// does not match the data on disk. The data therefore matches one of the two entries at all times.
  private func writeRun(
    _ chunks: Range<Int>, group: Int, _ change: Change
  ) throws(FileProtectionError) {
    let page = try freshEntryPage(group: group)
    for chunk in chunks {
      let start = (chunk - chunks.lowerBound) * FileLayout.pageSize
      try seal(
        chunk, change,
        into: UnsafeMutableRawBufferPointer(
          rebasing: scratch[start..<(start + FileLayout.pageSize)]), page)
    }
    try writeEntries(page, chunks, group: group)
    try calls.write(
      UnsafeRawBufferPointer(rebasing: scratch[..<(chunks.count * FileLayout.pageSize)]),
      at: FileLayout.chunkOffset(chunks.lowerBound))
    if chunks.count >= Self.settledRun, empty(chunks, page) {
      try writeEntries(page, chunks, group: group)
    }
  }

  private func writeEntries(
    _ page: EntryPage, _ chunks: Range<Int>, group: Int
  ) throws(FileProtectionError) {
    let start = chunks.lowerBound % FileLayout.chunksPerGroup * FileLayout.pairSize
    let range = start..<(start + chunks.count * FileLayout.pairSize)
    try calls.write(
      UnsafeRawBufferPointer(rebasing: page.bytes[range]),
      at: FileLayout.entryPageOffset(group: group) + start)
  }

  /// Clears the replaced entries of `chunks`. Returns whether there were any.
  private func empty(_ chunks: Range<Int>, _ page: EntryPage) -> Bool {
    var hasChanged = false
    for chunk in chunks {
      let index = chunk % FileLayout.chunksPerGroup
      guard let live = page.liveSlot(of: index), page.counter(1 - live, of: index) != 0 else {
        continue
      }
      page.entry(1 - live, of: index).initializeMemory(as: UInt8.self, repeating: 0)
      hasChanged = true
    }
    return hasChanged
  }

  /// Encrypts the new content of a chunk into `piece`, and replaces the entry that does not match the data on disk.
  private func seal(
    _ chunk: Int, _ change: Change, into piece: UnsafeMutableRawBufferPointer, _ page: EntryPage
  ) throws(FileProtectionError) {
    let index = chunk % FileLayout.chunksPerGroup
    let visible = change.oldByteCount(of: chunk)
    let covered = change.covered(of: chunk)
    let needsOld = visible > 0 && !(covered.lowerBound == 0 && covered.upperBound >= visible)
    if needsOld || visible > 0 && page.liveSlot(of: index) == nil {
      try readOld(chunk, into: piece, page, isNeeded: needsOld)
    }
    var plain = UnsafeRawBufferPointer(piece)
    let new = change.bytes(of: chunk)
    if new.count == piece.count {
      plain = new
    } else {
      let kept = needsOld ? visible : 0
      UnsafeMutableRawBufferPointer(rebasing: piece[kept...])
        .initializeMemory(as: UInt8.self, repeating: 0)
      UnsafeMutableRawBufferPointer(rebasing: piece[covered]).copyMemory(from: new)
    }
    // A chunk beyond the end is never read, so it needs no old entry.
    let stale = visible > 0 ? page.liveSlot(of: index).map { 1 - $0 } ?? 0 : 0
    let counter = page.nextCounter(of: index)
    if visible == 0 { page.entry(1, of: index).initializeMemory(as: UInt8.self, repeating: 0) }
    cipher.seal(
      plain, into: piece, chunk: chunk, counter: counter, entry: page.entry(stale, of: index))
    page.setLive(stale, of: index)
  }

  /// Reads a chunk before it is replaced, to keep a part of it or to find its live entry. Ignores an altered chunk
  /// unless `isNeeded`.
  private func readOld(
    _ chunk: Int, into piece: UnsafeMutableRawBufferPointer, _ page: EntryPage, isNeeded: Bool
  ) throws(FileProtectionError) {
    do throws(FileProtectionError) {
      try fetch(piece, from: chunk)
      try open(piece, chunk: chunk, page)
    } catch {
      guard error.code == .altered, !isNeeded else { throw error }
    }
  }
}

private struct Change {
  let bytes: UnsafeRawBufferPointer
  let offset: Int
  let oldSize: Int

  var newSize: Int { max(oldSize, offset + bytes.count) }

  /// The chunks to write. The first is the one at `offset` or at the old end of the file, whichever comes first. The
  /// last is the one at the end of `bytes`. If the file grows, the old last chunk is included, because a dead process
  /// may have left data after the old end.
  var chunks: Range<Int> {
    let start = min(offset, oldSize) / FileLayout.pageSize
    return start..<max(start, FileLayout.chunkCount(size: offset + bytes.count))
  }

  func oldByteCount(of chunk: Int) -> Int {
    max(0, min(FileLayout.pageSize, oldSize - chunk * FileLayout.pageSize))
  }

  /// Returns the range in `chunk` that the new bytes replace, as offsets in the chunk; empty if there is none.
  func covered(of chunk: Int) -> Range<Int> {
    let start = chunk * FileLayout.pageSize
    let lower = max(0, min(FileLayout.pageSize, offset - start))
    let upper = max(lower, min(FileLayout.pageSize, offset + bytes.count - start))
    return lower..<upper
  }

  func bytes(of chunk: Int) -> UnsafeRawBufferPointer {
    let covered = covered(of: chunk)
    guard !covered.isEmpty else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let start = chunk * FileLayout.pageSize + covered.lowerBound - offset
    return UnsafeRawBufferPointer(rebasing: bytes[start..<(start + covered.count)])
  }
}

// MARK: - Entries

/// The entries of a group in the file: two per chunk, each a counter, a nonce and a tag.
///
/// A chunk's data matches one of its two entries, the live entry. If both are used, the live entry is unknown
/// until this handle reads or writes the chunk. A write by another handle makes it unknown again.
private final class EntryPage {
  let bytes = UnsafeMutableRawBufferPointer.allocate(
    byteCount: FileLayout.pageSize, alignment: FileLayout.entrySize)
  /// One bit per chunk: whether its live entry is known.
  private var known: UInt64 = 0
  /// One bit per chunk: whether the live entry is the second of the two. Valid only if the live entry is known.
  private var second: UInt64 = 0

  init() { bytes.initializeMemory(as: UInt8.self, repeating: 0) }

  deinit { bytes.deallocate() }

  /// Returns entry 0 or 1 of the chunk at `index` in the group.
  func entry(_ slot: Int, of index: Int) -> UnsafeMutableRawBufferPointer {
    let start = index * FileLayout.pairSize + slot * FileLayout.entrySize
    return UnsafeMutableRawBufferPointer(
      rebasing: bytes[start..<(start + FileLayout.entrySize)])
  }

  /// Returns the write counter of an entry; 0 if the entry is empty.
  func counter(_ slot: Int, of index: Int) -> UInt32 {
    UInt32(
      littleEndian: bytes.load(
        fromByteOffset: index * FileLayout.pairSize + slot * FileLayout.entrySize,
        as: UInt32.self))
  }

  /// Returns the number, 0 or 1, of the entry that matches the data. Returns nil if the chunk has no entry, or if only
  /// decryption can show which one matches.
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

  /// Returns the number, 0 or 1, of the entry whose write started last; nil if the chunk has no entry.
  func newerSlot(of index: Int) -> Int? {
    let counters = (counter(0, of: index), counter(1, of: index))
    guard counters != (0, 0) else { return nil }
    return counters.1 > counters.0 ? 1 : 0
  }

  /// Returns the counter for the next write. It is never 0, which marks an empty entry.
  func nextCounter(of index: Int) -> UInt32 {
    let last = max(counter(0, of: index), counter(1, of: index))
    return last == .max ? 1 : last + 1
  }

  /// Updates the page from the file. For chunks that other handles wrote, forgets which entry is live.
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
