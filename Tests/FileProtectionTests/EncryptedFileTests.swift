import Cryptography
import FileProtection
import Glibc
import Model
import TestSupport
import Testing

@Suite struct EncryptedFileTests {
  private let shelf: Shelf

  init() throws { shelf = try Shelf() }

  @Test(arguments: [1, 100, 4095, 4096, 4097, 262_144, 262_145, 1_000_000])
  func `an encrypted file returns the data that was written`(count: Int) throws {
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

  @Test func `a new encrypted file is empty`() throws {
    try shelf.create()
    #expect(try shelf.open().size == 0)
    #expect(try shelf.open().contents() == [])
    #expect(try shelf.open().read(0, at: 5) == [])
  }

  @Test func `an encrypted file contains no plain text on disk`() throws {
    let line = Array("the note that nobody may read;".utf8)
    let plain = Array(repeatElement(line, count: 10_000).joined())
    try shelf.create("note", plain)
    let raw = try shelf.raw()
    #expect(!raw.contains(line.prefix(12)))
    #expect(raw.count == 4096 * (1 + 74 + 2))
  }

  @Test
  func `a protection header is read only from protected files and not through symbolic links`()
    throws
  {
    let path = try shelf.create("note", sample(5_000))
    try shelf.overwrite("plain", with: sample(5_000))
    try shelf.overwrite("short", with: Array("SLUICEF1".utf8))
    try shelf.overwrite("empty", with: [])
    try #require(symlink(path, shelf.folder.path("link")) == 0)
    #expect(ProtectionHeader(ofFile: Array(path.utf8))?.owner.upn == Shelf.anna.upn)
    for other in ["plain", "short", "empty", "link", "missing"] {
      let header = ProtectionHeader(ofFile: Array(shelf.folder.path(other).utf8))
      #expect(header?.owner.upn == nil, "\(other)")
    }
  }

  @Test func `an encrypted file has the documented layout of header, entries and encrypted chunks`()
    throws
  {
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
    // The size is in the second slot, because the first page wrote the first one.
    let size = withUnsafeBytes(of: UInt64(plain.count).littleEndian) { Array($0) }
    #expect(Array(raw[3648..<3664]) == [2, 0, 0, 0, 0, 0, 0, 0] + size)
  }

  @Test func `the nonces of an encrypted file are never reused`() throws {
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

  @Test
  func `a write to an encrypted file replaces the older of a chunk's two entries`()
    throws
  {
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

  @Test func `a read-only descriptor of an encrypted file cannot write`() throws {
    try shelf.create("note", sample(100))
    let file = try shelf.open("note", O_RDONLY)
    #expect(code { try file.write([1], at: 0) } == .system(EBADF))
    #expect(code { try file.truncate(to: 0) } == .system(EBADF))
    #expect(try file.contents() == sample(100))
  }

  @Test func `an append-only descriptor of an encrypted file is rejected`() throws {
    try shelf.create()
    #expect(code { _ = try shelf.open("note", O_RDWR | O_APPEND) } == .system(EINVAL))
  }

  @Test func `invalid offsets in an encrypted file are rejected`() throws {
    try shelf.create("note", sample(100))
    let file = try shelf.open()
    #expect(code { _ = try file.read(1, at: -1) } == .system(EINVAL))
    #expect(code { try file.write([1], at: -1) } == .system(EINVAL))
    #expect(code { try file.truncate(to: -1) } == .system(EINVAL))
    #expect(code { try file.write([1], at: .max) } == .system(EFBIG))
    #expect(code { try file.truncate(to: .max) } == .system(EFBIG))
    #expect(try file.contents() == sample(100))
  }

  @Test func `a closed encrypted file rejects every call`() throws {
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

  @Test func `a failed open of an encrypted file closes its descriptor`() throws {
    try shelf.overwrite("plain", with: Array("plain text".utf8))
    let descriptor = Glibc.open(shelf.folder.path("plain"), O_RDONLY)
    let found = error {
      _ = try EncryptedFile(descriptor: descriptor, key: shelf.key, path: "plain")
    }
    #expect(found?.description == "`plain` is not protected")
    // Other tests open files at the same time. The descriptor may therefore be in use again, but
    // not for this file.
    var status = stat()
    var own = stat()
    stat(shelf.folder.path("plain"), &own)
    #expect(fstat(descriptor, &status) != 0 || status.st_ino != own.st_ino)
  }

  @Test func `an encrypted file cannot be decrypted with another key`() throws {
    let path = try shelf.create("note", sample(100))
    let found = error {
      _ = try EncryptedFile(
        descriptor: Glibc.open(path, O_RDWR), key: .random(), path: "note")
    }
    #expect(found?.description == "`note` cannot be decrypted with this key")
  }

  @Test func `an encrypted file with a newer format version is rejected with the reason`() throws {
    try shelf.create("note", sample(100))
    var raw = try shelf.raw()
    raw[8] = 2
    try shelf.overwrite(with: raw)
    #expect(
      error { _ = try shelf.open() }?.description
        == "`note` was protected by a newer version of Sluice")
  }

  @Test func `a write to a file that another process has locked fails after a timeout`() throws {
    let path = try shelf.create("note", sample(100))
    let holder = Glibc.open(path, O_RDWR)
    defer { Glibc.close(holder) }
    var lock = flock()
    lock.l_type = Int16(F_RDLCK)
    try #require(fcntl(holder, 37, &lock) == 0)
    let file = try shelf.open(patience: 20)
    #expect(
      error { try file.write([1], at: 0) }?.description == "`note` is locked by another process")
    #expect(try file.contents() == sample(100))
    lock.l_type = Int16(F_UNLCK)
    try #require(fcntl(holder, 37, &lock) == 0)
    try file.write([1], at: 0)
    #expect(try file.read(1, at: 0) == [1])
  }

  @Test func `readers of an encrypted file see complete chunks during writes`() async throws {
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

/// Encrypted files behave like an array of bytes. Two handles see each other's changes.
@Suite struct FileLawTests {
  private let shelf: Shelf

  init() throws { shelf = try Shelf() }

  @Test(arguments: 0..<6) func `random operations on an encrypted file match an array of bytes`(
    seed: Int
  ) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    try shelf.create()
    var handles = [try shelf.open(), try shelf.open()]
    var model: [UInt8] = []
    for step in 0..<700 {
      let which = Int.random(in: 0..<2, using: &generator)
      if Int.random(in: 0..<40, using: &generator) == 0 { handles[which] = try shelf.open() }
      try advance(handles[which], &model, &generator)
      let other = handles[1 - which]
      try check(other, model, &generator, "seed \(seed), step \(step)")
      try #require(try other.size == model.count, "seed \(seed), step \(step)")
      if step.isMultiple(of: 100) {
        try #require(try handles[which].contents() == model, "seed \(seed), step \(step)")
      }
    }
    #expect(try shelf.readAll() == model)
  }

  /// Performs a write or a truncation on the file and on the model.
  private func advance(
    _ file: EncryptedFile, _ model: inout [UInt8], _ generator: inout SeededGenerator
  ) throws {
    let far = 100 * 4096
    switch Int.random(in: 0..<10, using: &generator) {
    case 0:
      let size = place(upTo: min(far, model.count + 20_000), &generator)
      try file.truncate(to: size)
      model = Array(model.prefix(size)) + zeros(size - model.count)
    case 1:
      let size = place(upTo: max(1, model.count), &generator)
      try file.truncate(to: size)
      model = Array(model.prefix(size)) + zeros(size - model.count)
    default:  // open: the last of the numbers
      let offset = place(upTo: min(far, model.count + 6000), &generator)
      let longest = Int.random(in: 0..<6, using: &generator) == 0 ? 90_000 : 9000
      let bytes = sample(place(upTo: longest, &generator), seed: generator.next())
      try file.write(bytes, at: offset)
      guard !bytes.isEmpty else { return }
      model += zeros(offset + bytes.count - model.count)
      model.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
    }
  }

  private func check(
    _ file: EncryptedFile, _ model: [UInt8], _ generator: inout SeededGenerator, _ place: Comment
  ) throws {
    let offset = self.place(upTo: model.count + 100, &generator)
    let count = self.place(upTo: 30_000, &generator)
    let expected = Array(model.dropFirst(offset).prefix(count))
    try #require(try file.read(count, at: offset) == expected, place)
  }

  /// Returns an offset, often at the edge of a chunk.
  private func place(upTo limit: Int, _ generator: inout SeededGenerator) -> Int {
    let any = Int.random(in: 0...limit, using: &generator)
    guard Int.random(in: 0..<3, using: &generator) == 0 else { return any }
    return min(limit, max(0, any / 4096 * 4096 + Int.random(in: -1...1, using: &generator)))
  }

  private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: max(0, count)) }
}

/// Data that was modified on the disk is never returned to an app.
@Suite struct TamperingTests {
  private let shelf: Shelf
  private static let size = 2 * 4096 + 100

  init() throws { shelf = try Shelf() }

  @Test func `any changed byte of an encrypted file is detected`() throws {
    let plain = sample(Self.size)
    let path = try shelf.create("note", plain)
    // There are two live entries: one from a first write, and one from a second.
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

  /// Returns whether every byte near `offset` is significant. This is so in the header, the sizes
  /// and the entries.
  private func isDense(_ offset: Int) -> Bool {
    offset < 256 || (3584..<3712).contains(offset) || (4096..<4352).contains(offset)
  }

  @Test func `reading a changed chunk fails with the chunk's number and returns no data`() throws {
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
    // A complete replacement does not need the old data.
    try file.write([UInt8](repeating: 1, count: 4096), at: 67 * 4096)
    #expect(try file.read(2, at: 67 * 4096) == [1, 1])
  }

  @Test func `a truncated encrypted file is detected`() throws {
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

  @Test func `an open encrypted file that is truncated is reported as truncated`() throws {
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

  /// Replaced bytes of a file with four chunks, and the chunk that is reported.
  struct Exchange: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let chunk: Int
    /// Replaces bytes of a file.
    ///
    /// - Parameter other: A file of the same size under the same key.
    let replace: @Sendable (_ raw: inout [UInt8], _ other: [UInt8]) -> Void

    init(
      _ name: String, chunk: Int,
      _ replace: @escaping @Sendable (_ raw: inout [UInt8], _ other: [UInt8]) -> Void
    ) {
      testDescription = name
      self.chunk = chunk
      self.replace = replace
    }
  }

  static let exchanges = [
    Exchange("another file's chunk, entry and data", chunk: 2) { raw, other in
      for range in [(4096 + 128)..<(4096 + 192), (4 * 4096)..<(5 * 4096)] {
        raw.replaceSubrange(range, with: other[range])
      }
    },
    Exchange("a chunk of another place", chunk: 2) { raw, _ in
      raw.replaceSubrange((4096 + 128)..<(4096 + 192), with: raw[(4096 + 64)..<(4096 + 128)])
      raw.replaceSubrange((4 * 4096)..<(5 * 4096), with: raw[(3 * 4096)..<(4 * 4096)])
    },
    Exchange("a chunk without an entry", chunk: 1) { raw, _ in
      raw.replaceSubrange((4096 + 64)..<(4096 + 128), with: [UInt8](repeating: 0, count: 64))
    },
    Exchange("another file's header", chunk: 0) { raw, other in
      raw.replaceSubrange(..<4096, with: other[..<4096])
    },
  ]

  @Test(arguments: exchanges) func `chunks from another file or position are rejected`(
    exchange: Exchange
  ) throws {
    try shelf.create("one", sample(4 * 4096, seed: 1))
    try shelf.create("two", sample(4 * 4096, seed: 2))
    var raw = try shelf.raw("one")
    exchange.replace(&raw, try shelf.raw("two"))
    try shelf.overwrite("one", with: raw)
    // A header contains its own key.
    let found = error {
      _ = exchange.chunk == 0 ? try shelf.readAll("one") : try shelf.open("one").contents()
    }
    #expect(found == FileProtectionError(.altered, path: "one", chunk: exchange.chunk))
  }
}
