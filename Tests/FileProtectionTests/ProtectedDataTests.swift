import Cryptography
import FileProtection
import Model
import Testing

@Suite struct ProtectedDataTests {
  private let accountKey = AES256GCM(key: Array(0..<32))
  private let key = FileKey.random()

  private func protect(_ plain: [UInt8]) -> [UInt8] {
    let header = ProtectionHeader(owner: Shelf.anna, key: key, accountKey: accountKey)
    return ProtectedData.protect(plain, header: header, key: key)
  }

  @Test(arguments: [0, 1, 15, 16, 4096, 100_000])
  func `protected data is decrypted to the original data`(count: Int) throws {
    let plain = sample(count)
    let bytes = protect(plain)
    guard case .encrypted(let header, let body) = try ProtectedData.kind(of: bytes) else {
      Issue.record("not encrypted")
      return
    }
    #expect(header.owner.isSameUser(as: Shelf.anna))
    #expect(body.count == count + 28)
    let unwrapped = try header.key(unwrappedBy: accountKey)
    #expect(try ProtectedData.unprotect(bytes, key: unwrapped) == plain)
  }

  @Test func `protected data contains no plain text`() {
    let plain = Array("the note that nobody may read".utf8)
    let bytes = protect(plain)
    #expect(!bytes.contains(plain))
    #expect(protect(plain) != bytes)
    #expect(bytes.starts(with: Array("SLUICED1".utf8) + [1, 0, 0, 0]))
  }

  @Test(arguments: ["", "note"]) func `data that is only marked with its owner stays unencrypted`(
    plain: String
  ) throws {
    let owner = Account(upn: "me@home.example", objectID: nil, tenantID: "")
    let bytes = ProtectedData.mark(Array(plain.utf8), owner: owner)
    #expect(bytes.starts(with: Array("SLUICEU1".utf8) + [15, 0] + Array("me@home.example".utf8)))
    #expect(Array(bytes.suffix(plain.utf8.count)) == Array(plain.utf8))
    guard case .marked(let stated, let body) = try ProtectedData.kind(of: bytes) else {
      Issue.record("not marked")
      return
    }
    #expect(stated.upn == owner.upn)
    #expect(stated.objectID == nil)
    #expect(stated.tenantID == "")
    #expect(Array(bytes[body]) == Array(plain.utf8))
    #expect(try ProtectedData.unprotect(bytes, key: key) == Array(plain.utf8))
  }

  @Test(arguments: ["", "note", "SLUICE", "SLUICEF1 of a file", "SLUICED2"])
  func `unprotected data is recognised and read unchanged`(text: String) throws {
    let bytes = Array(text.utf8)
    guard case .plain = try ProtectedData.kind(of: bytes) else {
      Issue.record("not plain")
      return
    }
    #expect(try ProtectedData.unprotect(bytes, key: key) == bytes)
  }

  @Test func `a flipped bit of protected data is rejected`() throws {
    let plain = Array("note".utf8)
    let bytes = protect(plain)
    // Without the magic number, they are ordinary bytes.
    for bit in 64..<(bytes.count * 8) {
      var changed = bytes
      changed[bit / 8] ^= 1 << (bit % 8)
      let found = code { _ = try ProtectedData.unprotect(changed, key: key) }
      #expect(found != nil, "bit \(bit)")
    }
  }

  @Test func `protected data with missing or additional bytes is rejected`() {
    let bytes = protect(Array("note".utf8))
    for count in 8..<bytes.count {
      let found = code { _ = try ProtectedData.unprotect(Array(bytes.prefix(count)), key: key) }
      #expect(found == .cut || found == .altered, "\(count)")
    }
    #expect(code { _ = try ProtectedData.unprotect(bytes + [0], key: key) } == .altered)
    let marked = ProtectedData.mark([], owner: Shelf.anna)
    for count in 8..<marked.count {
      let found = code { _ = try ProtectedData.kind(of: Array(marked.prefix(count))) }
      #expect(found == .cut, "\(count)")
    }
  }

  @Test func `protected data cannot be decrypted with another key`() {
    let bytes = protect(Array("note".utf8))
    #expect(code { _ = try ProtectedData.unprotect(bytes, key: .random()) } == .altered)
  }

  @Test func `protected data of a newer version has the error code newerVersion`() {
    var bytes = protect([])
    bytes[8] = 9
    #expect(code { _ = try ProtectedData.kind(of: bytes) } == .newerVersion)
  }
}

@Suite struct ProtectionHeaderTests {
  private let accountKey = AES256GCM(key: Array(0..<32))
  private let key = FileKey(Array(100..<132))

  @Test(arguments: [
    Shelf.anna, Account(upn: "ben@fabrikam.com"), Account(upn: "ü@contoso.com", objectID: ""),
    Account(upn: "a", tenantID: "t"),
  ]) func `a protection header states its owner and contains the wrapped key`(owner: Account) throws
  {
    let header = ProtectionHeader(owner: owner, key: key, accountKey: accountKey)
    for bytes in [header.bytes, header.bytes + [UInt8](repeating: 0, count: 200)] {
      let read = try ProtectionHeader(bytes)
      #expect(read.owner.upn == owner.upn)
      #expect(read.owner.objectID == owner.objectID)
      #expect(read.owner.tenantID == owner.tenantID)
      #expect(read.fileID == header.fileID)
      #expect(read.bytes == header.bytes)
      #expect(try read.key(unwrappedBy: accountKey).bytes == key.bytes)
    }
  }

  @Test func `a protection header has a fixed byte layout`() {
    let owner = Account(upn: "ab", objectID: nil, tenantID: "t")
    let header = ProtectionHeader(owner: owner, key: key, accountKey: accountKey)
    let strings: [UInt8] = [2, 0, 0x61, 0x62, 0xFF, 0xFF, 1, 0, 0x74]
    let front = Array("SLUICEF1".utf8) + [1, 0, 0, 0] + header.fileID + strings
    #expect(Array(header.bytes.prefix(front.count)) == front)
    let wrapped = Array(header.bytes[front.count...])
    #expect(wrapped.count == 60)
    #expect(accountKey.open(wrapped, additionalData: front) == key.bytes)
  }

  @Test func `an encrypted file's first page has a header and states size 0`() throws {
    let page = ProtectionHeader.firstPage(owner: Shelf.anna, key: key, accountKey: accountKey)
    #expect(page.count == 4096)
    let header = try ProtectionHeader(page)
    #expect(page[header.bytes.count..<3584].allSatisfy { $0 == 0 })
    // The page has counter 1 and size 0, followed by the nonce and the tag. The second slot was
    // never written.
    #expect(Array(page[3584..<3600]) == [1] + [UInt8](repeating: 0, count: 15))
    #expect(page[3628...].allSatisfy { $0 == 0 })
    let counterAndSize = Array(page[3584..<3600])
    let tagged = AES256GCM(key: key.bytes)
      .open(
        Array(page[3600..<3628]),
        additionalData: Array("size".utf8) + header.fileID + counterAndSize)
    #expect(tagged == [])
  }

  @Test func `the file ids of protection headers are unique`() {
    let headers = (0..<2).map { _ in
      ProtectionHeader(owner: Shelf.anna, key: key, accountKey: accountKey)
    }
    #expect(headers[0].fileID != headers[1].fileID)
    #expect(headers[0].bytes.suffix(60) != headers[1].bytes.suffix(60))
  }

  @Test func `a flipped bit in a protection header is rejected`() {
    let bytes = ProtectionHeader(owner: Shelf.anna, key: key, accountKey: accountKey).bytes
    for bit in 0..<(bytes.count * 8) {
      var changed = bytes
      changed[bit / 8] ^= 1 << (bit % 8)
      let found = code { _ = try ProtectionHeader(changed).key(unwrappedBy: accountKey) }
      #expect(found != nil, "bit \(bit)")
    }
  }

  @Test func `a truncated protection header is rejected`() {
    let bytes = ProtectionHeader(owner: Shelf.anna, key: key, accountKey: accountKey).bytes
    #expect(code { _ = try ProtectionHeader([]) } == .notProtected)
    for count in 1..<bytes.count {
      #expect(code { _ = try ProtectionHeader(Array(bytes.prefix(count))) } == .cut, "\(count)")
    }
  }

  @Test func `bytes that begin with another magic number are not a protection header`() {
    for text in ["x", "SLUICEF2 and more", "note", "SLUICED1"] {
      #expect(code { _ = try ProtectionHeader(Array(text.utf8)) } == .notProtected, "\(text)")
    }
  }

  @Test func `a protection header of a newer version has the error code newerVersion`() {
    var bytes = ProtectionHeader(owner: Shelf.anna, key: key, accountKey: accountKey).bytes
    bytes[8] = 2
    #expect(code { _ = try ProtectionHeader(bytes) } == .newerVersion)
    bytes[8] = 0
    #expect(code { _ = try ProtectionHeader(bytes) } == .altered)
  }

  @Test func `another account's key cannot unwrap the key in a protection header`() throws {
    let header = ProtectionHeader(owner: Shelf.anna, key: key, accountKey: accountKey)
    let other = AES256GCM(key: Array(1..<33))
    #expect(code { _ = try header.key(unwrappedBy: other) } == .wrongKey)
  }

  @Test func `an owner too long for a protection header is rejected`() throws {
    let fits = Account(upn: String(repeating: "a", count: 3584 - 94), objectID: "")
    #expect(ProtectionHeader.canState(fits))
    let header = ProtectionHeader(owner: fits, key: key, accountKey: accountKey)
    #expect(header.bytes.count == 3584)
    #expect(try ProtectionHeader(header.bytes).owner.upn == fits.upn)
    #expect(!ProtectionHeader.canState(Account(upn: fits.upn, objectID: "b")))
  }
}
