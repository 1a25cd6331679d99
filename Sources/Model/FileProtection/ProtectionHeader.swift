package import Cryptography
package import Model

/// The beginning of a protected file: its owner, and its key for holders of the account's key.
///
/// `SLUICEF1`, version and flags (two bytes each, little endian as all integers), the file's id, the owner,
/// and the file's key sealed under the account's key with all bytes before it as additional data.
package struct ProtectionHeader: Sendable {
  /// The size in bytes of the page that the header and the file's size share.
  package static let pageSize = FileLayout.pageSize
  /// The length of the longest header in bytes.
  package static let maximumSize = FileLayout.slotsOffset
  /// The version of the format that this Sluice writes, and the newest that it reads.
  package static let version: UInt16 = 1

  static let magic = Array("SLUICEF1".utf8)
  private static let fileIDByteCount = 16
  private static let wrappedKeyByteCount =
    AES256GCM.nonceByteCount + AES256GCM.keyByteCount + AES256GCM.tagByteCount

  /// 16 random bytes, so that no chunk of another file passes for one of this file, whatever its key.
  package let fileID: [UInt8]
  /// The account that owns the file.
  package let owner: Account
  /// The header as it is in a file, at most ``maximumSize`` bytes, without the size slots and the zeros that fill the
  /// page.
  package let bytes: [UInt8]
  private let path: String

  /// Whether `owner` is short enough for a header: all its names together about 3,400 bytes.
  package static func canState(_ owner: Account) -> Bool {
    let names = [owner.upn, owner.objectID, owner.tenantID]
    let fixed = magic.count + 4 + fileIDByteCount + 2 * names.count + wrappedKeyByteCount
    return names.reduce(fixed) { $0 + ($1?.utf8.count ?? 0) } <= FileLayout.slotsOffset
  }

  /// Makes a header for a new file, with `key` sealed under `accountKey`. ``canState(_:)`` must hold of `owner`.
  package init(owner: Account, key: FileKey, accountKey: AES256GCM) {
    precondition(Self.canState(owner), "an owner's names fit into the header of a file")
    fileID = randomBytes(Self.fileIDByteCount)
    self.owner = owner
    path = ""
    var front = Self.magic
    front.append(littleEndian: Self.version)
    front.append(littleEndian: UInt16(0))
    front += fileID
    front += OwnerBytes.encode(owner)
    let nonce = randomBytes(AES256GCM.nonceByteCount)
    bytes = front + accountKey.seal(key.bytes, nonce: nonce, additionalData: front)
  }

  /// Reads the beginning of a file: the header alone, or more, up to the whole first page. `path` is for errors.
  ///
  /// Only ``key(unwrappedBy:)`` shows whether the stated owner is true.
  ///
  /// - Throws: ``FileProtectionError`` with the code `notProtected` where the bytes do not begin as protected files do,
  ///   `newerVersion`, `cut`, or `altered`.
  package init(_ bytes: [UInt8], path: String = "") throws(FileProtectionError) {
    var reader = ByteReader(bytes, path: path)
    guard !bytes.isEmpty, Self.magic.starts(with: bytes.prefix(Self.magic.count)) else {
      throw reader.failure(.notProtected)
    }
    _ = try reader.bytes(Self.magic.count)
    let version: UInt16 = try reader.integer()
    guard version <= Self.version else { throw reader.failure(.newerVersion) }
    let flags: UInt16 = try reader.integer()
    guard version == Self.version, flags == 0 else { throw reader.failure(.altered) }
    fileID = Array(try reader.bytes(Self.fileIDByteCount))
    owner = try OwnerBytes.decode(&reader)
    _ = try reader.bytes(Self.wrappedKeyByteCount)
    guard reader.position <= FileLayout.slotsOffset else { throw reader.failure(.altered) }
    self.bytes = Array(bytes[..<reader.position])
    self.path = path
  }

  /// The file's key.
  ///
  /// - Throws: ``FileProtectionError`` with the code `wrongKey` where `accountKey` is another account's or a bit of the
  ///   header, such as one of the owner's, is not as it was: AES-GCM cannot tell which.
  package func key(unwrappedBy accountKey: AES256GCM) throws(FileProtectionError) -> FileKey {
    let end = bytes.count - Self.wrappedKeyByteCount
    let front = Array(bytes[..<end])
    guard let key = accountKey.open(Array(bytes[end...]), additionalData: front) else {
      throw FileProtectionError(.wrongKey, path: path)
    }
    return FileKey(key)
  }

  /// The first page of a new, empty protected file: a header and the size 0.
  package static func firstPage(owner: Account, key: FileKey, accountKey: AES256GCM) -> [UInt8] {
    let header = ProtectionHeader(owner: owner, key: key, accountKey: accountKey)
    var page = header.bytes
    page.append(contentsOf: repeatElement(0, count: FileLayout.slotsOffset - page.count))
    let cipher = FileCipher(key: key, fileID: header.fileID)
    var slots = SizeSlots()
    slots.advance(to: 0, cipher: cipher)
    page += slots.bytes
    page.append(contentsOf: repeatElement(0, count: pageSize - page.count))
    return page
  }

  /// Reads a whole first page, in which unused bytes must be zero.
  init(firstPage page: [UInt8], path: String) throws(FileProtectionError) {
    try self.init(page, path: path)
    guard page.count == Self.pageSize else { throw FileProtectionError(.cut, path: path) }
    let rest = FileLayout.slotsOffset + 2 * FileLayout.slotSize
    guard page[bytes.count..<FileLayout.slotsOffset].allSatisfy({ $0 == 0 }),
      page[rest...].allSatisfy({ $0 == 0 })
    else { throw FileProtectionError(.altered, path: path) }
  }
}
