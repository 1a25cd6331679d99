import Foundation
import Model
import Secrets
import TestSupport
import Testing

extension RealProcesses {
  /// Whether another program takes what keys sign.
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
    func `another program takes the signature, and none of anything else`(
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

    private static func verify(_ options: [String], in workspace: Workspace) throws -> Int32 {
      let process = try StartedProgram(
        openssl,
        ["dgst"] + options + [
          "-verify", "key", "-keyform", "DER", "-signature", "signature", "message",
        ], in: workspace.path)
      process.waitUntilExit()
      return process.terminationStatus
    }

    @Test func `a key signs as its kind does, and in no other way`() throws {
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
