import Cryptography
import FileProtection
import Glibc
import Model
import TestSupport
import Testing

/// A folder with protected files for one test.
struct Shelf {
  static let pageSize = ProtectionHeader.pageSize
  static let anna = Account(
    upn: "anna@contoso.com", objectID: "0f8fad5b-d9cb-469f-a165-70867728950e",
    tenantID: "contoso.com")

  let folder: Workspace
  let accountKey = AES256GCM(key: randomBytes(32))
  let key = FileKey.random()

  init() throws { folder = try Workspace() }

  /// Creates a protected file, which is empty as the host provides it.
  ///
  /// - Returns: The file's path.
  @discardableResult
  func create(_ name: String = "note") throws -> String {
    let page = ProtectionHeader.firstPage(owner: Self.anna, key: key, accountKey: accountKey)
    try overwrite(name, with: page)
    return folder.path(name)
  }

  /// Creates a protected file with the content `plain`.
  @discardableResult
  func create(_ name: String = "note", _ plain: [UInt8]) throws -> String {
    let path = try create(name)
    let file = try open(name)
    try file.write(plain, at: 0)
    file.close()
    return path
  }

  func open(
    _ name: String = "note", _ flags: Int32 = O_RDWR, patience: Int = 10_000,
    gate: WriteGate? = nil
  ) throws -> EncryptedFile {
    try EncryptedFile(
      descriptor: Glibc.open(folder.path(name), flags), key: key, path: name,
      patience: patience, gate: gate)
  }

  /// Returns the bytes of a file on the disk.
  func raw(_ name: String = "note") throws -> [UInt8] {
    let descriptor = Glibc.open(folder.path(name), O_RDONLY)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Int(lseek(descriptor, 0, SEEK_END)))
    try #require(pread(descriptor, &bytes, bytes.count, 0) == bytes.count)
    return bytes
  }

  /// Replaces the bytes of a file on the disk.
  func overwrite(_ name: String = "note", with bytes: [UInt8]) throws {
    let descriptor = Glibc.open(folder.path(name), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    try #require(pwrite(descriptor, bytes, bytes.count, 0) == bytes.count)
  }

  /// Returns the complete content, read as a device does. The header has the file's key, which is
  /// encrypted under the account's key.
  func readAll(_ name: String = "note") throws -> [UInt8] {
    let header = try ProtectionHeader(Array(try raw(name).prefix(Self.pageSize)), path: name)
    let key = try header.key(unwrappedBy: accountKey)
    let file = try EncryptedFile(
      descriptor: Glibc.open(folder.path(name), O_RDONLY), key: key, path: name)
    return try file.contents()
  }
}

/// Returns bytes that depend on the offset and the seed.
func sample(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  var generator = SeededGenerator(seed: seed)
  var bytes: [UInt8] = []
  bytes.reserveCapacity(count + 8)
  while bytes.count < count { withUnsafeBytes(of: generator.next()) { bytes += $0 } }
  return Array(bytes.prefix(count))
}

extension EncryptedFile {
  func write(_ bytes: [UInt8], at offset: Int) throws {
    try bytes.withUnsafeBytes { try write($0, at: offset) }
  }

  func read(_ count: Int, at offset: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0xEE, count: count)
    let done = try bytes.withUnsafeMutableBytes { try read(into: $0, at: offset) }
    return Array(bytes[..<done])
  }

  func contents() throws -> [UInt8] { try read(size, at: 0) }
}

/// Expects that each chunk of a file is in its state before or after a change.
func expectOldOrNew(_ now: [UInt8], _ old: [UInt8], _ new: [UInt8], _ place: Comment) throws {
  try #require(now.count == old.count || now.count == new.count, place)
  for start in stride(from: 0, to: now.count, by: 4096) {
    let chunk = Array(now[start..<min(start + 4096, now.count)])
    let isOneOfBoth = [old, new].contains { whole in
      let part = Array(whole.dropFirst(start).prefix(chunk.count))
      return part + [UInt8](repeating: 0, count: chunk.count - part.count) == chunk
    }
    try #require(isOneOfBoth, "\(place), chunk \(start / 4096)")
  }
}

/// Returns the code of the error that `body` throws; nil if it throws none.
func code(_ body: () throws -> Void) -> FileProtectionError.Code? { error(body)?.code }

func error(_ body: () throws -> Void) -> FileProtectionError? {
  do {
    try body()
    return nil
  } catch {
    return error as? FileProtectionError
  }
}
