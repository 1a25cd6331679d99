internal import Glibc

extension EncryptedFile {
  /// The number of chunks in one write from which on the entries of the replaced chunks are emptied afterwards, so
  /// that no reader has to find out later which of two entries is that of the data.
  private static let settledRun = 8

  /// Writes plain text at `offset`; the gap between the end and an `offset` beyond becomes zeros. All
  /// bytes are written or this throws; then each chunk is as it was or as it was to be, and a file that
  /// was to grow has its old size.
  ///
  /// - Throws: ``FileProtectionError`` with the code `busy` where others write for too long, `closed`, `altered`
  ///   or `cut`, or `system` with the system's `errno`: `EFBIG` beyond the process's limit, `ENOSPC`, `EBADF` for
  ///   a read-only descriptor.
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

  /// Cuts the file to `size` bytes, or extends it to `size` bytes with zeros.
  ///
  /// - Throws: ``FileProtectionError`` as ``write(_:at:)`` does.
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

  /// Shrinks the file: the bytes beyond the new end in its chunk become zeros, and the chunks after it are cut off.
  private func shrink(to size: Int) throws(FileProtectionError) {
    try writeSize(size)
    if size % FileLayout.pageSize != 0 {
      try overlay(UnsafeRawBufferPointer(start: nil, count: 0), at: size)
    }
    try calls.truncate(to: FileLayout.fileLength(size: size))
    let groups = FileLayout.chunkCount(size: size) / FileLayout.chunksPerGroup
    forgetEntryPages(from: groups)
  }

  /// Writes `bytes`, and zeros between the end and `offset`, then the size if it has grown.
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
        // To give back the space of chunks beyond the end.
        try? calls.truncate(to: FileLayout.fileLength(size: change.oldSize))
      }
      throw error
    }
    if change.newSize > change.oldSize { try writeSize(change.newSize) }
  }

  /// Writes chunks of one group: first their entries, each in place of the one that does not fit the data on disk, so
  /// that at every instant the data fit an entry; then the data.
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

  /// Empties the replaced entries; returns false where there were none.
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

  /// Encrypts the new content of a chunk into `piece`, and writes its entry in place of the stale one.
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

  /// Reads a chunk that is to be replaced, to keep a part of it or only to see which of its entries is live. An
  /// altered chunk matters only where a part of it is needed.
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

/// Bytes on their way to a place in a file.
private struct Change {
  let bytes: UnsafeRawBufferPointer
  let offset: Int
  let oldSize: Int

  var newSize: Int { max(oldSize, offset + bytes.count) }

  /// The chunks that must be written: those of the bytes, those between the end and `offset`, and the chunk in
  /// which the file ended if it grows, since the rest of that chunk may be left over from a dead process.
  var chunks: Range<Int> {
    let start = min(offset, oldSize) / FileLayout.pageSize
    return start..<max(start, FileLayout.chunkCount(size: offset + bytes.count))
  }

  /// The number of bytes that the file had in `chunk`.
  func oldByteCount(of chunk: Int) -> Int {
    max(0, min(FileLayout.pageSize, oldSize - chunk * FileLayout.pageSize))
  }

  /// The range of `chunk` that new bytes cover; empty where none do.
  func covered(of chunk: Int) -> Range<Int> {
    let start = chunk * FileLayout.pageSize
    let lower = max(0, min(FileLayout.pageSize, offset - start))
    let upper = max(lower, min(FileLayout.pageSize, offset + bytes.count - start))
    return lower..<upper
  }

  /// The new bytes of `chunk`.
  func bytes(of chunk: Int) -> UnsafeRawBufferPointer {
    let covered = covered(of: chunk)
    guard !covered.isEmpty else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let start = chunk * FileLayout.pageSize + covered.lowerBound - offset
    return UnsafeRawBufferPointer(rebasing: bytes[start..<(start + covered.count)])
  }
}
