import FileProtection
import Glibc
import TestSupport
import Testing

/// Nothing that was changed on the disk is ever returned as data.
@Suite struct AlterationTests {
  private let shelf: Shelf
  private static let size = 2 * 4096 + 100

  init() throws { shelf = try Shelf() }

  @Test func anyAlteredByteIsDetected() throws {
    let plain = sample(Self.size)
    let path = try shelf.create("note", plain)
    // Two live entries: written once, and written twice.
    try shelf.open().write([plain[4096]], at: 4096)
    let raw = try shelf.raw()
    let live = [0..<4096, 4096..<4128, 4192..<4224, 4224..<4256, 8192..<raw.count]
    let descriptor = Glibc.open(path, O_RDWR)
    defer { close(descriptor) }
    var generator = SeededGenerator(seed: 5)
    for offset in raw.indices where isDense(offset) || offset.isMultiple(of: 13) {
      var byte = raw[offset] ^ (1 << UInt8.random(in: 0..<8, using: &generator))
      try #require(pwrite(descriptor, &byte, 1, offset) == 1)
      if live.contains(where: { $0.contains(offset) }) {
        let found = error { _ = try shelf.readAll() }
        #expect(found != nil, "byte \(offset)")
        if offset >= 8192 {
          #expect(found?.code == .altered && found?.chunk == offset / 4096 - 2, "byte \(offset)")
        }
      } else {
        #expect(try shelf.readAll() == plain, "byte \(offset)")
      }
      byte = raw[offset]
      try #require(pwrite(descriptor, &byte, 1, offset) == 1)
    }
    #expect(try shelf.readAll() == plain)
  }

  /// Whether every byte near `offset` has a meaning of its own: in the header, the sizes, the entries.
  private func isDense(_ offset: Int) -> Bool {
    offset < 256 || (3584..<3712).contains(offset) || (4096..<4352).contains(offset)
  }

  @Test func anAlteredChunkIsNamedAndNothingOfItReturned() throws {
    try shelf.create("note", sample(70 * 4096))
    var raw = try shelf.raw()
    raw[(1 + 65 + 1 + 3) * 4096 + 17] ^= 1
    try shelf.overwrite(with: raw)
    let file = try shelf.open()
    var bytes = [UInt8](repeating: 0xEE, count: 70 * 4096)
    let found = error { _ = try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 0) } }
    #expect(found == FileProtectionError(.altered, path: "note", chunk: 67))
    #expect(found?.description == "chunk 67 of `note` was altered")
    #expect(bytes.allSatisfy { $0 == 0 })
    #expect(
      try file.read(100, at: 66 * 4096) == Array(sample(70 * 4096)[(66 * 4096)...].prefix(100)))
    #expect(code { try file.write([1], at: 67 * 4096 + 1) } == .altered)
    // Who replaces all of it needs nothing of the old.
    try file.write([UInt8](repeating: 1, count: 4096), at: 67 * 4096)
    #expect(try file.read(2, at: 67 * 4096) == [1, 1])
  }

  @Test func aFileMayEndNowhereElse() throws {
    try shelf.create("note", sample(66 * 4096))
    let raw = try shelf.raw()
    let boundaries = stride(from: 0, to: raw.count, by: 4096)
    let odd = [1, 7, 8, 9, 100, 3584, 3600, 4095, 4097, 8191, 8193, raw.count - 1]
    for count in Array(boundaries) + odd {
      try shelf.overwrite(with: Array(raw.prefix(count)))
      let found = error { _ = try shelf.open() }
      #expect(found?.code == (count == 0 ? .notProtected : .cut), "\(count)")
      #expect(found?.path == "note")
    }
  }

  @Test func aFileThatIsCutWhileOpenIsCut() throws {
    let path = try shelf.create("note", sample(66 * 4096))
    for length in [4096 * 10, 4096 * 10 + 5, 4096] {
      try shelf.folder.write("", to: "note")
      try shelf.create("note", sample(66 * 4096))
      let file = try shelf.open()
      #expect(try file.read(10, at: 0) == Array(sample(10)))
      truncate(path, length)
      #expect(code { _ = try file.read(4096, at: 20 * 4096) } == .cut)
      #expect(code { _ = try file.size } == .cut)
      #expect(code { try file.write([1], at: 0) } == .cut)
    }
  }

  @Test func anotherFilesChunkIsNotTaken() throws {
    try shelf.create("one", sample(4 * 4096, seed: 1))
    try shelf.create("two", sample(4 * 4096, seed: 2))
    var raw = try shelf.raw("one")
    let other = try shelf.raw("two")
    // Entry and data of chunk 2, under the same key.
    for range in [(4096 + 128)..<(4096 + 192), (4 * 4096)..<(5 * 4096)] {
      raw.replaceSubrange(range, with: other[range])
    }
    try shelf.overwrite("one", with: raw)
    let found = error { _ = try shelf.open("one").contents() }
    #expect(found == FileProtectionError(.altered, path: "one", chunk: 2))
  }

  @Test func aChunkOfAnotherPlaceIsNotTaken() throws {
    try shelf.create("note", sample(4 * 4096))
    var raw = try shelf.raw()
    raw.replaceSubrange((4096 + 128)..<(4096 + 192), with: raw[(4096 + 64)..<(4096 + 128)])
    raw.replaceSubrange((4 * 4096)..<(5 * 4096), with: raw[(3 * 4096)..<(4 * 4096)])
    try shelf.overwrite(with: raw)
    let found = error { _ = try shelf.open().contents() }
    #expect(found == FileProtectionError(.altered, path: "note", chunk: 2))
  }

  @Test func aChunkWithoutAnEntryIsAltered() throws {
    try shelf.create("note", sample(4 * 4096))
    var raw = try shelf.raw()
    raw.replaceSubrange(
      (4096 + 64)..<(4096 + 128), with: [UInt8](repeating: 0, count: 64))
    try shelf.overwrite(with: raw)
    let found = error { _ = try shelf.open().contents() }
    #expect(found == FileProtectionError(.altered, path: "note", chunk: 1))
  }

  @Test func anotherFilesHeaderIsNotTaken() throws {
    try shelf.create("one", sample(4096))
    try shelf.create("two", sample(4096, seed: 2))
    let raw = try shelf.raw("one")
    try shelf.overwrite("one", with: Array(try shelf.raw("two").prefix(4096)) + raw[4096...])
    let found = error { _ = try shelf.readAll("one") }
    #expect(found == FileProtectionError(.altered, path: "one", chunk: 0))
  }
}
