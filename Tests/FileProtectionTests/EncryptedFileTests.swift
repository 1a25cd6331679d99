import Cryptography
import FileProtection
import Glibc
import TestSupport
import Testing

@Suite struct EncryptedFileTests {
  private let shelf: Shelf

  init() throws { shelf = try Shelf() }

  @Test(arguments: [1, 100, 4095, 4096, 4097, 262_144, 262_145, 1_000_000])
  func whatIsWrittenReadsAgain(count: Int) throws {
    let plain = sample(count)
    try shelf.create("note", plain)
    let file = try shelf.open("note", O_RDONLY)
    #expect(try file.size == count)
    #expect(try file.contents() == plain)
    #expect(try file.read(10, at: count) == [])
    #expect(try file.read(10, at: count - 1) == [plain[count - 1]])
    #expect(try file.read(10, at: .max) == [])
    #expect(try shelf.readAll() == plain)
  }

  @Test func aNewFileIsEmpty() throws {
    try shelf.create()
    #expect(try shelf.open().size == 0)
    #expect(try shelf.open().contents() == [])
    #expect(try shelf.open().read(0, at: 5) == [])
  }

  @Test func theDiskDoesNotShowThePlainText() throws {
    let line = Array("the note that nobody may read;".utf8)
    let plain = Array(repeatElement(line, count: 10_000).joined())
    try shelf.create("note", plain)
    let raw = try shelf.raw()
    #expect(!raw.contains(line.prefix(12)))
    #expect(raw.count == 4096 * (1 + 74 + 2))
  }

  @Test func theLayoutIsFixed() throws {
    let plain = sample(66 * 4096 + 10)
    try shelf.create("note", plain)
    let raw = try shelf.raw()
    #expect(raw.count == 4096 * (1 + 65 + 1 + 3))
    let header = try ProtectionHeader(Array(raw.prefix(4096)))
    let box = AES256GCM(key: shelf.key.bytes)
    for chunk in [0, 63, 64, 66] {
      let entryPage = chunk < 64 ? 1 : 66
      let entry = Array(raw[(entryPage * 4096 + chunk % 64 * 64)...].prefix(32))
      let data = Array(raw[((entryPage + 1 + chunk % 64) * 4096)...].prefix(4096))
      let additional =
        Array("chunk".utf8) + header.fileID + [UInt8(chunk), 0, 0, 0, 0, 0, 0, 0]
        + entry.prefix(4)
      let opened = box.open(
        Array(entry[4..<16]) + data + entry[16...], additionalData: additional)
      let part = Array(plain[(chunk * 4096)...].prefix(4096))
      #expect(opened == part + [UInt8](repeating: 0, count: 4096 - part.count), "chunk \(chunk)")
    }
    // The size is in the second slot, since the first page wrote the first.
    let size = withUnsafeBytes(of: UInt64(plain.count).littleEndian) { Array($0) }
    #expect(Array(raw[3648..<3664]) == [2, 0, 0, 0, 0, 0, 0, 0] + size)
  }

  @Test func noNonceIsUsedTwice() throws {
    try shelf.create("note", sample(100 * 4096))
    var nonces: Set<[UInt8]> = []
    var count = 0
    for round in 0..<5 {
      let file = try shelf.open()
      for chunk in 0..<100 { try file.write([UInt8(round)], at: chunk * 4096) }
      let raw = try shelf.raw()
      for chunk in 0..<100 {
        let pair = (chunk < 64 ? 1 : 66) * 4096 + chunk % 64 * 64
        let entries = [pair, pair + 32].map { Array(raw[$0..<($0 + 32)]) }
        let newer = entries.max { $0[0] < $1[0] } ?? []
        nonces.insert(Array(newer[4..<16]))
        count += 1
      }
    }
    #expect(nonces.count == count)
  }

  @Test func aWriteReplacesTheStaleEntryAndAWriteOfManySettlesThem() throws {
    try shelf.create("note", sample(20 * 4096))
    func counters(_ chunk: Int) throws -> [UInt8] {
      let raw = try shelf.raw()
      return [raw[4096 + chunk * 64], raw[4096 + chunk * 64 + 32]]
    }
    #expect(try counters(3) == [1, 0])
    for expected in [[1, 2], [3, 2], [3, 4]] as [[UInt8]] {
      try shelf.open().write([1], at: 3 * 4096)
      #expect(try counters(3) == expected)
    }
    try shelf.open().write(sample(20 * 4096), at: 0)
    #expect(try counters(3) == [5, 0])
    #expect(try counters(4) == [0, 2])
  }

  @Test func twoHandlesSeeEachOther() throws {
    try shelf.create("note", sample(10_000))
    let (one, two) = (try shelf.open(), try shelf.open())
    var expected = sample(10_000)
    #expect(try one.contents() == expected)
    #expect(try two.contents() == expected)
    try one.write([1, 2, 3], at: 5000)
    expected.replaceSubrange(5000..<5003, with: [1, 2, 3])
    #expect(try two.contents() == expected)
    try two.write([9], at: 10_000)
    #expect(try one.read(5, at: 9_999) == [expected[9_999], 9])
    try one.truncate(to: 5001)
    #expect(try two.read(4096, at: 4096) == Array(expected[4096..<5001]))
    try one.truncate(to: 4096)
    #expect(try two.read(4096, at: 4096) == [])
    try one.truncate(to: 0)
    #expect(try two.read(4096, at: 0) == [])
  }

  @Test func aReadOnlyDescriptorOnlyReads() throws {
    try shelf.create("note", sample(100))
    let file = try shelf.open("note", O_RDONLY)
    #expect(code { try file.write([1], at: 0) } == .system(EBADF))
    #expect(code { try file.truncate(to: 0) } == .system(EBADF))
    #expect(try file.contents() == sample(100))
  }

  @Test func anAppendingDescriptorIsRefused() throws {
    try shelf.create()
    #expect(code { _ = try shelf.open("note", O_RDWR | O_APPEND) } == .system(EINVAL))
  }

  @Test func impossiblePlacesAreRefused() throws {
    try shelf.create("note", sample(100))
    let file = try shelf.open()
    #expect(code { _ = try file.read(1, at: -1) } == .system(EINVAL))
    #expect(code { try file.write([1], at: -1) } == .system(EINVAL))
    #expect(code { try file.truncate(to: -1) } == .system(EINVAL))
    #expect(code { try file.write([1], at: .max) } == .system(EFBIG))
    #expect(code { try file.truncate(to: .max) } == .system(EFBIG))
    #expect(try file.contents() == sample(100))
  }

  @Test func aClosedFileIsClosed() throws {
    try shelf.create("note", sample(100))
    let file = try shelf.open()
    file.close()
    file.close()
    #expect(code { _ = try file.size } == .closed)
    #expect(code { _ = try file.read(1, at: 0) } == .closed)
    #expect(code { try file.write([1], at: 0) } == .closed)
    #expect(code { try file.truncate(to: 0) } == .closed)
    #expect(code { try file.sync() } == .closed)
  }

  @Test func aFailedOpenClosesTheDescriptor() throws {
    try shelf.overwrite("plain", with: Array("plain text".utf8))
    let descriptor = Glibc.open(shelf.folder.path("plain"), O_RDONLY)
    let found = error {
      _ = try EncryptedFile(descriptor: descriptor, key: shelf.key, path: "plain")
    }
    #expect(found?.description == "`plain` is not protected")
    // Others open files meanwhile, so the number may be in use again, but not for this file.
    var status = stat()
    var own = stat()
    stat(shelf.folder.path("plain"), &own)
    #expect(fstat(descriptor, &status) != 0 || status.st_ino != own.st_ino)
  }

  @Test func anotherKeyDoesNotOpen() throws {
    let path = try shelf.create("note", sample(100))
    let found = error {
      _ = try EncryptedFile(
        descriptor: Glibc.open(path, O_RDWR), key: .random(), path: "note")
    }
    #expect(found?.description == "`note` does not open with this key")
  }

  @Test func aNewerVersionIsToldApart() throws {
    try shelf.create("note", sample(100))
    var raw = try shelf.raw()
    raw[8] = 2
    try shelf.overwrite(with: raw)
    #expect(
      error { _ = try shelf.open() }?.description
        == "`note` was protected by a newer version of Sluice")
  }

  @Test func aWriterWaitsOnlySoLong() throws {
    let path = try shelf.create("note", sample(100))
    let holder = Glibc.open(path, O_RDWR)
    defer { Glibc.close(holder) }
    var lock = flock()
    lock.l_type = Int16(F_RDLCK)
    try #require(fcntl(holder, 37, &lock) == 0)
    let file = try shelf.open(patience: 20)
    #expect(error { try file.write([1], at: 0) }?.description == "`note` is locked by others")
    #expect(try file.contents() == sample(100))
    lock.l_type = Int16(F_UNLCK)
    try #require(fcntl(holder, 37, &lock) == 0)
    try file.write([1], at: 0)
    #expect(try file.read(1, at: 0) == [1])
  }

  @Test func readersAreNotDisturbedByAWriter() async throws {
    let count = 80
    try shelf.create("note", [UInt8](repeating: 0, count: count * 4096))
    let (path, key) = (shelf.folder.path("note"), shelf.key)
    async let writing: Void = {
      let file = try EncryptedFile(
        descriptor: Glibc.open(path, O_RDWR), key: key, path: "note")
      var generator = SystemRandomNumberGenerator()
      for round in 1...300 {
        let chunk = Int.random(in: 0..<(count - 12), using: &generator)
        let length = round.isMultiple(of: 3) ? 12 : 1
        try file.write(
          [UInt8](repeating: UInt8(round & 255), count: length * 4096), at: chunk * 4096)
      }
    }()
    let file = try shelf.open("note", O_RDONLY)
    for round in 0..<700 {
      let piece = try file.read(4 * 4096, at: round * 7 % (count - 4) * 4096)
      for start in stride(from: 0, to: piece.count, by: 4096) {
        let chunk = Array(piece[start..<(start + 4096)])
        try #require(chunk == [UInt8](repeating: chunk[0], count: 4096))
      }
    }
    try await writing
  }
}
