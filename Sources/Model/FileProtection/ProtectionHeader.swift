package import Cryptography
internal import Glibc
package import Model

/// The header of a protected file: the owner, and the file's key sealed under the account's key.
///
/// The fields are the magic number `SLUICEF1`, version and flags (two bytes each), the file id, the
/// owner, and the sealed key. Integers are little endian. All bytes before the sealed key are its
/// additional authenticated data.
package struct ProtectionHeader: Sendable {
  /// The size in bytes of the page that contains the header and the file's size.
  package static let pageSize = FileLayout.pageSize
  /// The maximum size of a header in bytes.
  package static let maximumSize = FileLayout.slotsOffset
  /// The format version that this release writes, and the newest that it reads.
  package static let version: UInt16 = 1

  fileprivate static let magic = Array("SLUICEF1".utf8)
  private static let fileIDByteCount = 16
  private static let wrappedKeyByteCount =
    AES256GCM.nonceByteCount + AES256GCM.keyByteCount + AES256GCM.tagByteCount

  /// 16 random bytes. They prevent the exchange of chunks between files, even under the same key.
  package let fileID: [UInt8]
  /// The account that owns the file, as stated in the header.
  package let owner: Account
  /// The encoded header, at most ``maximumSize`` bytes, without the size slots and the padding of the page.
  package let bytes: [UInt8]
  private let path: String

  /// Returns whether the names of `owner` fit into a header. The maximum is 3,490 bytes in total.
  package static func canState(_ owner: Account) -> Bool {
    let names = [owner.upn, owner.objectID, owner.tenantID]
    let fixed = magic.count + 4 + fileIDByteCount + 2 * names.count + wrappedKeyByteCount
    return names.reduce(fixed) { $0 + ($1?.utf8.count ?? 0) } <= FileLayout.slotsOffset
  }

  /// Creates a header for a new file, with `key` sealed under `accountKey`. ``canState(_:)`` must be true for
  /// `owner`.
  package init(owner: Account, key: FileKey, accountKey: AES256GCM) {
    precondition(Self.canState(owner), "an owner's names must fit into the header of a file")
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

  /// Reads the header at the start of `bytes`. Errors state `path`.
  ///
  /// Only ``key(unwrappedBy:)`` verifies the stated owner.
  ///
  /// - Throws: ``FileProtectionError`` with the code `notProtected` if the bytes do not start with
  ///   the magic number, `newerVersion`, `cut` or `altered`.
  package init(_ bytes: [UInt8], path: String = "") throws(FileProtectionError) {
    var reader = ByteReader(source: bytes, path: path)
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

  /// Reads the header of the file at a path, and follows no symbolic link. Returns nil if the file cannot be read or
  /// has no valid header.
  package init?(ofFile path: [UInt8]) {
    let descriptor = (path + [0]).withUnsafeBytes { bytes in
      bytes.bindMemory(to: CChar.self).baseAddress.map {
        Glibc.open($0, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
      } ?? -1
    }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var page = [UInt8](repeating: 0, count: Self.pageSize)
    let count = Glibc.read(descriptor, &page, page.count)
    guard let header = try? ProtectionHeader(Array(page.prefix(max(0, count)))) else { return nil }
    self = header
  }

  /// Decrypts the file's key with the owner's key, and thereby verifies the owner.
  ///
  /// - Throws: ``FileProtectionError`` with the code `wrongKey` if `accountKey` belongs to another account or the
  ///   header was altered. AES-GCM cannot distinguish the two.
  package func key(unwrappedBy accountKey: AES256GCM) throws(FileProtectionError) -> FileKey {
    let end = bytes.count - Self.wrappedKeyByteCount
    let front = Array(bytes[..<end])
    guard let key = accountKey.open(Array(bytes[end...]), additionalData: front) else {
      throw FileProtectionError(.wrongKey, path: path)
    }
    return FileKey(key)
  }

  /// Returns the first page of a new, empty protected file: a header and the size 0.
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

  /// Reads a complete first page. Its unused bytes must be zero.
  init(firstPage page: [UInt8], path: String) throws(FileProtectionError) {
    try self.init(page, path: path)
    guard page.count == Self.pageSize else { throw FileProtectionError(.cut, path: path) }
    let rest = FileLayout.slotsOffset + 2 * FileLayout.slotSize
    guard page[bytes.count..<FileLayout.slotsOffset].allSatisfy({ $0 == 0 }),
      page[rest...].allSatisfy({ $0 == 0 })
    else { throw FileProtectionError(.altered, path: path) }
  }
}

// MARK: - Key

/// The key of one protected file, or of data with a ``ProtectionHeader``.
package struct FileKey: Sendable {
  package let bytes: [UInt8]

  /// Creates a key from its 32 bytes.
  ///
  /// - Precondition: `bytes` has 32 elements.
  package init(_ bytes: [UInt8]) {
    precondition(bytes.count == AES256GCM.keyByteCount, "a file's key must have 32 bytes")
    self.bytes = bytes
  }

  package static func random() -> FileKey { FileKey(randomBytes(AES256GCM.keyByteCount)) }
}

// MARK: - Data

/// Data that carries its owner: encrypted for a managed account, marked for an unmanaged account.
///
/// Encrypted data is the magic number `SLUICED1`, a ``ProtectionHeader`` without its first eight bytes, nonce,
/// ciphertext and tag. All bytes before the nonce are additional authenticated data.
///
/// Marked data is the magic number `SLUICEU1`, the owner's names and the plain bytes.
package enum ProtectedData {
  /// The kind of protection, with the range of the content.
  package enum Kind: Sendable {
    case plain
    /// The readable bytes of the unmanaged account `owner`, in the range `body`.
    case marked(owner: Account, body: Range<Int>)
    /// The encrypted bytes of a managed account. `body` is the range of nonce, ciphertext and tag.
    case encrypted(header: ProtectionHeader, body: Range<Int>)
  }

  private static let encryptedMagic = Array("SLUICED1".utf8)
  private static let markedMagic = Array("SLUICEU1".utf8)

  /// Encrypts `plain`, which may be empty, under `key`. `header` must have been created with `key`.
  package static func protect(
    _ plain: [UInt8], header: ProtectionHeader, key: FileKey
  ) -> [UInt8] {
    let front = encryptedMagic + header.bytes[ProtectionHeader.magic.count...]
    let nonce = randomBytes(AES256GCM.nonceByteCount)
    return front + AES256GCM(key: key.bytes).seal(plain, nonce: nonce, additionalData: front)
  }

  /// Prepends the owner to `plain`. Each of the owner's names has at most 65,534 bytes.
  package static func mark(_ plain: [UInt8], owner: Account) -> [UInt8] {
    markedMagic + OwnerBytes.encode(owner) + plain
  }

  /// Returns the kind of protection of `bytes`, without a key.
  ///
  /// Only ``ProtectionHeader/key(unwrappedBy:)`` verifies the owner of encrypted bytes. The owner of marked
  /// bytes cannot be verified.
  ///
  /// - Throws: ``FileProtectionError`` with the code `newerVersion`, `cut` or `altered` if the
  ///   bytes start with a magic number of protected data but are malformed.
  package static func kind(of bytes: [UInt8]) throws(FileProtectionError) -> Kind {
    if bytes.starts(with: markedMagic) {
      var reader = ByteReader(source: bytes, path: "")
      _ = try reader.bytes(markedMagic.count)
      let owner = try OwnerBytes.decode(&reader)
      return .marked(owner: owner, body: reader.position..<bytes.count)
    }
    guard bytes.starts(with: encryptedMagic) else { return .plain }
    let rest = bytes[encryptedMagic.count...].prefix(FileLayout.slotsOffset)
    let header = try ProtectionHeader(ProtectionHeader.magic + rest)
    let overhead = AES256GCM.nonceByteCount + AES256GCM.tagByteCount
    guard bytes.count >= header.bytes.count + overhead else {
      throw FileProtectionError(.cut, path: "")
    }
    return .encrypted(header: header, body: header.bytes.count..<bytes.count)
  }

  /// Returns the content of protected bytes, or unprotected bytes unchanged. `key` is used for encrypted
  /// bytes only.
  ///
  /// - Throws: ``FileProtectionError`` like ``kind(of:)``, and with the code `altered` if the bytes were
  ///   altered or `key` does not match.
  package static func unprotect(
    _ bytes: [UInt8], key: FileKey
  ) throws(FileProtectionError) -> [UInt8] {
    switch try kind(of: bytes) {
    case .plain: return bytes
    case .marked(_, let body): return Array(bytes[body])
    case .encrypted(_, let body):
      let front = Array(bytes[..<body.lowerBound])
      let box = AES256GCM(key: key.bytes)
      guard let plain = box.open(Array(bytes[body]), additionalData: front) else {
        throw FileProtectionError(.altered, path: "")
      }
      return plain
    }
  }
}

// MARK: - Fields

/// The encoding of an account: UPN, object id and tenant, each as a two-byte length and UTF-8.
private enum OwnerBytes {
  /// The length that encodes nil.
  private static let absent: UInt16 = 0xFFFF

  /// Encodes an account. Each of its strings must have at most 65,534 bytes.
  static func encode(_ owner: Account) -> [UInt8] {
    var bytes: [UInt8] = []
    for string in [owner.upn, owner.objectID, owner.tenantID] {
      let utf8 = string.map { Array($0.utf8) }
      precondition(utf8?.count ?? 0 < absent, "an account's names must have at most 65,534 bytes")
      bytes.append(littleEndian: utf8.map { UInt16($0.count) } ?? absent)
      bytes += utf8 ?? []
    }
    return bytes
  }

  static func decode(_ reader: inout ByteReader) throws(FileProtectionError) -> Account {
    guard let upn = try string(&reader) else { throw reader.failure(.altered) }
    let objectID = try string(&reader)
    return Account(upn: upn, objectID: objectID, tenantID: try string(&reader))
  }

  private static func string(_ reader: inout ByteReader) throws(FileProtectionError) -> String? {
    let count: UInt16 = try reader.integer()
    guard count != absent else { return nil }
    guard let string = String(validating: try reader.bytes(Int(count)), as: UTF8.self) else {
      throw reader.failure(.altered)
    }
    return string
  }
}

/// Reads fields from the front of bytes. Throws ``FileProtectionError/Code/cut`` at a premature end.
private struct ByteReader {
  let source: [UInt8]
  let path: String
  private(set) var position = 0

  mutating func bytes(_ count: Int) throws(FileProtectionError) -> ArraySlice<UInt8> {
    guard source.count - position >= count else { throw failure(.cut) }
    defer { position += count }
    return source[position..<(position + count)]
  }

  mutating func integer<Integer: FixedWidthInteger>() throws(FileProtectionError) -> Integer {
    let bytes = try bytes(MemoryLayout<Integer>.size)
    return bytes.withUnsafeBytes { Integer(littleEndian: $0.loadUnaligned(as: Integer.self)) }
  }

  func failure(_ code: FileProtectionError.Code) -> FileProtectionError {
    FileProtectionError(code, path: path)
  }
}

extension [UInt8] {
  fileprivate mutating func append(littleEndian number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
