import Cryptography
import FileProtection
import Model
import Testing

@Suite struct ProtectionHeaderTests {
  private let accountKey = AES256GCM(key: Array(0..<32))
  private let key = FileKey(Array(100..<132))

  @Test(arguments: [
    Shelf.anna, Account(upn: "ben@fabrikam.com"), Account(upn: "ü@contoso.com", objectID: ""),
    Account(upn: "a", tenantID: "t"),
  ]) func aHeaderStatesItsOwnerAndKeepsTheKey(owner: Account) throws {
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

  @Test func theLayoutIsFixed() {
    let owner = Account(upn: "ab", objectID: nil, tenantID: "t")
    let header = ProtectionHeader(owner: owner, key: key, accountKey: accountKey)
    let strings: [UInt8] = [2, 0, 0x61, 0x62, 0xFF, 0xFF, 1, 0, 0x74]
    let front = Array("SLUICEF1".utf8) + [1, 0, 0, 0] + header.fileID + strings
    #expect(Array(header.bytes.prefix(front.count)) == front)
    let wrapped = Array(header.bytes[front.count...])
    #expect(wrapped.count == 60)
    #expect(accountKey.open(wrapped, additionalData: front) == key.bytes)
  }

  @Test func theFirstPageHasAHeaderAndASizeOfZero() throws {
    let page = ProtectionHeader.firstPage(owner: Shelf.anna, key: key, accountKey: accountKey)
    #expect(page.count == 4096)
    let header = try ProtectionHeader(page)
    #expect(page[header.bytes.count..<3584].allSatisfy { $0 == 0 })
    // Counter 1, size 0, then nonce and tag; the second slot was never written.
    #expect(Array(page[3584..<3600]) == [1] + [UInt8](repeating: 0, count: 15))
    #expect(page[3628...].allSatisfy { $0 == 0 })
    let counterAndSize = Array(page[3584..<3600])
    let tagged = AES256GCM(key: key.bytes)
      .open(
        Array(page[3600..<3628]),
        additionalData: Array("size".utf8) + header.fileID + counterAndSize)
    #expect(tagged == [])
  }

  @Test func twoFilesNeverHaveOneID() {
    let headers = (0..<2).map { _ in
      ProtectionHeader(owner: Shelf.anna, key: key, accountKey: accountKey)
    }
    #expect(headers[0].fileID != headers[1].fileID)
    #expect(headers[0].bytes.suffix(60) != headers[1].bytes.suffix(60))
  }

  @Test func noBitMayChange() {
    let bytes = ProtectionHeader(owner: Shelf.anna, key: key, accountKey: accountKey).bytes
    for bit in 0..<(bytes.count * 8) {
      var changed = bytes
      changed[bit / 8] ^= 1 << (bit % 8)
      let found = code { _ = try ProtectionHeader(changed).key(unwrappedBy: accountKey) }
      #expect(found != nil, "bit \(bit)")
    }
  }

  @Test func aHeaderMayEndNowhereElse() {
    let bytes = ProtectionHeader(owner: Shelf.anna, key: key, accountKey: accountKey).bytes
    #expect(code { _ = try ProtectionHeader([]) } == .notProtected)
    for count in 1..<bytes.count {
      #expect(code { _ = try ProtectionHeader(Array(bytes.prefix(count))) } == .cut, "\(count)")
    }
  }

  @Test func otherBytesAreNotProtected() {
    for text in ["x", "SLUICEF2 and more", "note", "SLUICED1"] {
      #expect(code { _ = try ProtectionHeader(Array(text.utf8)) } == .notProtected, "\(text)")
    }
  }

  @Test func aNewerVersionIsToldApart() {
    var bytes = ProtectionHeader(owner: Shelf.anna, key: key, accountKey: accountKey).bytes
    bytes[8] = 2
    #expect(code { _ = try ProtectionHeader(bytes) } == .newerVersion)
    bytes[8] = 0
    #expect(code { _ = try ProtectionHeader(bytes) } == .altered)
  }

  @Test func anotherAccountsKeyDoesNotOpen() throws {
    let header = ProtectionHeader(owner: Shelf.anna, key: key, accountKey: accountKey)
    let other = AES256GCM(key: Array(1..<33))
    #expect(code { _ = try header.key(unwrappedBy: other) } == .wrongKey)
  }

  @Test func anOwnerMustFit() throws {
    let fits = Account(upn: String(repeating: "a", count: 3584 - 94), objectID: "")
    #expect(ProtectionHeader.canState(fits))
    let header = ProtectionHeader(owner: fits, key: key, accountKey: accountKey)
    #expect(header.bytes.count == 3584)
    #expect(try ProtectionHeader(header.bytes).owner.upn == fits.upn)
    #expect(!ProtectionHeader.canState(Account(upn: fits.upn, objectID: "b")))
  }
}
