import Foundation
import Model
import Secrets
import TestSupport
import Testing

extension RealProcesses {
  /// Verifies the keys' signatures with another program.
  @Suite struct SignatureTests {
    private static let openssl = "/usr/bin/openssl"
    private static let isOpenSSLThere = FileManager.default.isExecutableFile(atPath: openssl)

    private static let cases: [(SignatureAlgorithm, PrivateKey.Kind, [String])] = [
      (.ecdsaSignatureMessageX962SHA256, .p256, ["-sha256"]),
      (.ecdsaSignatureMessageX962SHA384, .p384, ["-sha384"]),
      (.ecdsaSignatureMessageX962SHA512, .p521, ["-sha512"]),
      (.rsaSignatureMessagePKCS1v15SHA256, .rsa(2048), ["-sha256"]),
      (.rsaSignatureMessagePKCS1v15SHA384, .rsa(2048), ["-sha384"]),
      (.rsaSignatureMessagePKCS1v15SHA512, .rsa(2048), ["-sha512"]),
      (.rsaSignatureMessagePSSSHA256, .rsa(2048), ["-sha256"] + pss(32)),
      (.rsaSignatureMessagePSSSHA384, .rsa(2048), ["-sha384"] + pss(48)),
      (.rsaSignatureMessagePSSSHA512, .rsa(2048), ["-sha512"] + pss(64)),
    ]

    private static func pss(_ salt: Int) -> [String] {
      ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:\(salt)"]
    }

    @Test(.enabled(if: isOpenSSLThere, "there is no /usr/bin/openssl"), arguments: cases)
    func `OpenSSL verifies a signature, and rejects it for other data`(
      algorithm: SignatureAlgorithm, kind: PrivateKey.Kind, options: [String]
    ) throws {
      let workspace = try Workspace()
      let key = try PrivateKey(kind)
      try Data(key.publicKey).write(to: URL(fileURLWithPath: workspace.path("key")))
      try Data(key.sign(Array("message".utf8), algorithm)).write(
        to: URL(fileURLWithPath: workspace.path("signature")))
      try workspace.write("message", to: "message")
      #expect(try Self.verify(options, in: workspace) == 0)
      try workspace.write("massage", to: "message")
      #expect(try Self.verify(options, in: workspace) != 0)
    }

    @Test(.enabled(if: isOpenSSLThere, "there is no /usr/bin/openssl"), arguments: 0..<8)
    func `OpenSSL verifies an ES256 signature, and rejects it for other data`(round: Int) throws {
      let workspace = try Workspace()
      let key = try PrivateKey(.p256)
      let signature = key.es256Signature(of: Array("message \(round)".utf8))
      try Data(Self.keyInfo + #require(key.p256Point)).write(
        to: URL(fileURLWithPath: workspace.path("key")))
      try Data(Self.der(signature)).write(to: URL(fileURLWithPath: workspace.path("signature")))
      try workspace.write("message \(round)", to: "message")
      #expect(try Self.verify(["-sha256"], in: workspace) == 0)
      try workspace.write("message \(round)\0", to: "message")
      #expect(try Self.verify(["-sha256"], in: workspace) != 0)
    }

    /// The bytes before the point in a P-256 SubjectPublicKeyInfo (RFC 5480).
    private static let keyInfo: [UInt8] = [
      0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08,
      0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    /// Encodes ECDSA-Sig-Value (RFC 3279, section 2.2.3) independently.
    private static func der(_ signature: [UInt8]) -> [UInt8] {
      let numbers = [signature[..<32], signature[32...]].flatMap { number -> [UInt8] in
        var bytes = Array(number.drop { $0 == 0 })
        if bytes.first.map({ $0 >= 0x80 }) ?? true { bytes.insert(0, at: 0) }
        return [2, UInt8(bytes.count)] + bytes
      }
      return [0x30, UInt8(numbers.count)] + numbers
    }

    @Test func `ES256 signatures have 64 bytes and are randomised`() throws {
      let key = try PrivateKey(.p256)
      let signatures = Set((0..<20).map { _ in key.es256Signature(of: [1, 2, 3]) })
      #expect(signatures.count == 20 && signatures.allSatisfy { $0.count == 64 })
    }

    @Test func `a P-256 key round-trips, and other curves are rejected`()
      throws
    {
      let key = try PrivateKey(.p256)
      let point = try #require(key.p256Point)
      #expect(try PrivateKey(der: key.der).p256Point == point)
      #expect(point.count == 65 && point[0] == 4)
      #expect(try PrivateKey(.p256).p256Point != point)
      for kind in [PrivateKey.Kind.p384, .p521, .rsa(2048)] {
        #expect(try PrivateKey(kind).p256Point == nil)
      }
      for bytes in [[], [1, 2, 3], Array(key.der.prefix(40))] {
        #expect(throws: SecretError.self) { try PrivateKey(der: bytes) }
      }
    }

    private static func verify(_ options: [String], in workspace: Workspace) throws -> Int32 {
      let process = try StartedProgram(
        openssl,
        ["dgst"] + options + [
          "-verify", "key", "-keyform", "DER", "-signature", "signature", "message",
        ], in: workspace.path)
      process.waitUntilExit()
      return process.terminationStatus
    }

    @Test func `RSA keys and P-256 keys sign only with their own algorithms`() throws {
      let rsa = try PrivateKey(.rsa(2048))
      let elliptic = try PrivateKey(.p256)
      for algorithm in SignatureAlgorithm.allCases {
        let isForRSA = "\(algorithm)".hasPrefix("rsa")
        let data = [UInt8](repeating: 1, count: 32)
        #expect((try? rsa.sign(data, algorithm)) == nil || isForRSA)
        #expect((try? elliptic.sign(data, algorithm)) == nil || !isForRSA)
      }
    }
  }
}
