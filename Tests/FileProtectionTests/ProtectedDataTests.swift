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
  func whatIsProtectedOpensAgain(count: Int) throws {
    let plain = sample(count)
    let bytes = protect(plain)
    guard case .encrypted(let header, let body) = try ProtectedData.kind(of: bytes) else {
      Issue.record("not encrypted")
      return
    }
    #expect(header.owner.isSame(as: Shelf.anna))
    #expect(body.count == count + 28)
    let unwrapped = try header.key(unwrappedBy: accountKey)
    #expect(try ProtectedData.unprotect(bytes, key: unwrapped) == plain)
  }

  @Test func protectedBytesDoNotShowThePlainText() {
    let plain = Array("the note that nobody may read".utf8)
    let bytes = protect(plain)
    #expect(!bytes.contains(plain))
    #expect(protect(plain) != bytes)
    #expect(bytes.starts(with: Array("SLUICED1".utf8) + [1, 0, 0, 0]))
  }

  @Test(arguments: ["", "note"]) func markedBytesStayReadable(plain: String) throws {
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
  func otherBytesArePlainAndStayAsTheyAre(text: String) throws {
    let bytes = Array(text.utf8)
    guard case .plain = try ProtectedData.kind(of: bytes) else {
      Issue.record("not plain")
      return
    }
    #expect(try ProtectedData.unprotect(bytes, key: key) == bytes)
  }

  @Test func noBitMayChange() throws {
    let plain = Array("note".utf8)
    let bytes = protect(plain)
    // Without the magic they are other bytes.
    for bit in 64..<(bytes.count * 8) {
      var changed = bytes
      changed[bit / 8] ^= 1 << (bit % 8)
      let found = code { _ = try ProtectedData.unprotect(changed, key: key) }
      #expect(found != nil, "bit \(bit)")
    }
  }

  @Test func noByteMayBeMissingOrAdded() {
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

  @Test func anotherKeyDoesNotOpen() {
    let bytes = protect(Array("note".utf8))
    #expect(code { _ = try ProtectedData.unprotect(bytes, key: .random()) } == .altered)
  }

  @Test func aNewerVersionIsToldApart() {
    var bytes = protect([])
    bytes[8] = 9
    #expect(code { _ = try ProtectedData.kind(of: bytes) } == .newerVersion)
  }
}
