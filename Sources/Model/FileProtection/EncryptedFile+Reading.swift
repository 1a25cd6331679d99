internal import Glibc

extension EncryptedFile {
  /// Reads plain text from `offset` on into `buffer` and returns the number of bytes, fewer than asked for only
  /// where the file ends, 0 at its end and beyond.
  ///
  /// - Throws: ``FileProtectionError`` with the code `altered` or `cut` and the chunk where a byte is not as it was
  ///   written, `wrongKey` where the size is not, or `busy` where others write for too long (`buffer` is zeros then);
  ///   `closed`; or `system` where `offset` is negative or the system refuses.
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
      // The size may just have been read anew.
      let end = min(limit, slots.size)
      guard position < end else { break }
      let target = UnsafeMutableRawBufferPointer(
        rebasing: buffer[(position - offset)..<(end - offset)])
      position += try readRun(into: target, at: position, page)
    }
    return position - offset
  }

  /// Reads whole chunks of one group straight into `target`, or a part of one chunk; returns the number of bytes.
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

  /// Reads ciphertext of as many chunks of one group as `pages` has pages.
  func fetch(
    _ pages: UnsafeMutableRawBufferPointer, from chunk: Int
  ) throws(FileProtectionError) {
    let count = try calls.read(into: pages, at: FileLayout.chunkOffset(chunk))
    guard count == pages.count else {
      throw calls.failure(.cut, chunk: chunk + count / FileLayout.pageSize)
    }
  }

  /// Decrypts the fetched ciphertext of one chunk in place.
  ///
  /// Where either of two entries may be that of the data and the newer one does not fit, its writer died before
  /// the data.
  func open(
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
}
