import Cryptography
import Foundation
import TestSupport
import Testing

@Suite struct P256SigningKeyTests {
  @Test func `a key that was written is the same key`() throws {
    let key = P256SigningKey()
    let same = try #require(P256SigningKey(derRepresentation: key.derRepresentation))
    #expect(same.publicKey == key.publicKey)
    #expect(key.publicKey.count == 65 && key.publicKey[0] == 4)
    #expect(P256SigningKey().publicKey != key.publicKey)
  }

  @Test func `what is no key is none`() {
    let der = P256SigningKey().derRepresentation
    #expect(P256SigningKey(derRepresentation: []) == nil)
    #expect(P256SigningKey(derRepresentation: [1, 2, 3]) == nil)
    #expect(P256SigningKey(derRepresentation: Array(der.prefix(40))) == nil)
  }

  @Test func `signatures have 64 bytes, and differ each time`() {
    let key = P256SigningKey()
    let signatures = Set((0..<20).map { _ in key.signature(of: [1, 2, 3]) })
    #expect(signatures.count == 20)
    #expect(signatures.allSatisfy { $0.count == P256SigningKey.signatureByteCount })
  }

  private static let openssl = "/usr/bin/openssl"
  private static let isOpenSSLThere = FileManager.default.isExecutableFile(atPath: openssl)

  @Test(.enabled(if: isOpenSSLThere, "there is no /usr/bin/openssl"), arguments: 0..<8)
  func `another program takes the signature, and none of anything else`(round: Int) throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "sluice-p256-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let key = P256SigningKey()
    let message = Array("message \(round)".utf8)
    let signature = Self.der(key.signature(of: message))
    try Data(Self.keyInfo + key.publicKey).write(to: folder.appending(path: "key.der"))
    try Data(signature).write(to: folder.appending(path: "signature"))
    try Data(message).write(to: folder.appending(path: "message"))
    #expect(try Self.verify(in: folder) == 0)
    try Data(message + [0]).write(to: folder.appending(path: "message"))
    #expect(try Self.verify(in: folder) != 0)
  }

  /// What stands before the point in the SubjectPublicKeyInfo of P-256 (RFC 5480).
  private static let keyInfo: [UInt8] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A,
    0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
  ]

  private static func verify(in folder: URL) throws -> Int32 {
    let process = try StartedProgram(
      openssl,
      [
        "dgst", "-sha256", "-verify", "key.der", "-keyform", "DER", "-signature", "signature",
        "message",
      ], in: folder.path)
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// ECDSA-Sig-Value (RFC 3279, section 2.2.3), by hand.
  private static func der(_ signature: [UInt8]) -> [UInt8] {
    let numbers = [signature[..<32], signature[32...]].flatMap { number -> [UInt8] in
      var bytes = Array(number.drop { $0 == 0 })
      if bytes.first.map({ $0 >= 0x80 }) ?? true { bytes.insert(0, at: 0) }
      return [2, UInt8(bytes.count)] + bytes
    }
    return [0x30, UInt8(numbers.count)] + numbers
  }
}
