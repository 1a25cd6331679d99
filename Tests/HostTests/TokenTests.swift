import Foundation
import JSON
import Model
import TestSupport
import Testing
import Wire

@testable import Enrollment
@testable import Host

extension RealProcesses {
  /// Tokens and enrollment on a real device.
  @Suite struct TokenTests {
    private static let request = AcquireToken(
      account: Lab.anna.upn, resource: "https://graph.microsoft.com", capabilities: ["ProtApp"])

    private static let openssl = "/usr/bin/openssl"
    private static let isOpenSSLThere = FileManager.default.isExecutableFile(atPath: openssl)

    @Test(.enabled(if: isOpenSSLThere, "there is no /usr/bin/openssl"))
    func `a token's signature is that of the device's published key`() throws {
      let (token, keySet) = try Self.issue()
      let parts = token.split(separator: ".").map(String.init)
      try #require(parts.count == 3)
      let keys = try JSONReader.read(keySet)["keys"]?.array
      let key = try #require(keys?.first)
      let header = try JSONReader.read(
        String(decoding: try Self.bytes(parts[0]), as: UTF8.self))
      #expect(header["kid"]?.string == key["kid"]?.string)
      let point =
        try Self.bytes(key["x"]?.string ?? "") + Self.bytes(key["y"]?.string ?? "")
      let input = "\(parts[0]).\(parts[1])"
      let signature = try Self.bytes(parts[2])
      #expect(try Self.verify(input, signature, point) == 0)
      #expect(try Self.verify(input + "x", signature, point) != 0)
    }

    @Test func `no part of a token is in the journal`() throws {
      let lab = try Lab(policy: .managedOnly)
      defer { lab.close() }
      try lab.app("managed", managed: true)
      let token = lab.perform(.acquireToken(Self.request), on: "managed")
      #expect(lab.decisions.last?.operation == .acquireToken)
      let journal = try String(contentsOfFile: lab.device.journalPath, encoding: .utf8)
      let parts = token.split(separator: ".")
      #expect(parts.count == 3)
      for part in parts { #expect(!journal.contains(part)) }
    }

    @Test func `the key outlives the device's going down, and is no other's`() throws {
      let lab = try Lab()
      defer { lab.close() }
      let other = try Lab()
      defer { other.close() }
      #expect(lab.device.tokens.keySet == lab.device.tokens.keySet)
      #expect(lab.device.tokens.keySet != other.device.tokens.keySet)
    }

    @Test func `an app that remediates for ever is named, and outbox up`() throws {
      let lab = try Lab(policy: .managedOnly)
      defer { lab.close() }
      // No policy of this account's is for this app.
      try lab.device.install(
        AppDescription(name: "eager", bundleID: "com.example.eager", integratesSDK: true))
      lab.launch(["eager"])
      for _ in 0..<6 {
        lab.perform(.remediate(account: Lab.anna.upn, isSilent: true), on: "eager")
      }
      let loops = lab.events.filter { if case .remediationLooped = $0 { true } else { false } }
      #expect(
        loops == [
          .remediationLooped(app: "com.example.eager", account: Lab.anna.upn, count: 3)
        ])
      let answers = lab.events.count { if case .complianceAnswered = $0 { true } else { false } }
      #expect(answers == 3)
      #expect(lab.decisions.suffix(3).allSatisfy { $0.verdict.deciding == .remediationLoop })
    }

    @Test func `a hostile number of accounts ends in bounds`() throws {
      let lab = try Lab { $0.service.isReachable = true }
      defer { lab.close() }
      try lab.device.install(
        AppDescription(name: "eager", bundleID: "com.example.eager", integratesSDK: true))
      lab.launch(["eager"])
      lab.device.enrollment.changeService { $0[Lab.anna].needsCredentials = true }
      for number in 0..<200 {
        lab.perform(.remediate(account: "\(number)@example.org", isSilent: false), on: "eager")
        lab.perform(.unenroll(account: "\(number)@example.org", wipes: false), on: "eager")
      }
      #expect(lab.device.owners.registry["eager"]?.accounts.registrations.count ?? 0 <= 64)
      try lab.expectService()
    }

    /// A token, and the keys to check it with, of a device that is gone by then.
    private static func issue() throws -> (token: String, keySet: String) {
      let lab = try Lab(policy: .managedOnly)
      defer { lab.close() }
      try lab.app("managed", managed: true)
      return (lab.perform(.acquireToken(request), on: "managed"), lab.device.tokens.keySet)
    }

    // MARK: by another program

    private static func verify(
      _ input: String, _ signature: [UInt8], _ point: [UInt8]
    ) throws -> Int32 {
      let folder = FileManager.default.temporaryDirectory.appending(
        path: "sluice-token-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      try Data(publicKeyPrefix + [4] + point).write(to: folder.appending(path: "key.der"))
      try Data(der(signature)).write(to: folder.appending(path: "signature"))
      try Data(input.utf8).write(to: folder.appending(path: "input"))
      let process = try StartedProgram(
        openssl,
        [
          "dgst", "-sha256", "-verify", "key.der", "-keyform", "DER", "-signature", "signature",
          "input",
        ], in: folder.path)
      process.waitUntilExit()
      return process.terminationStatus
    }

    /// SubjectPublicKeyInfo of a key of P-256, up to its point (RFC 5480, section 2).
    private static let publicKeyPrefix: [UInt8] = [
      0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08,
      0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    /// ECDSA-Sig-Value (RFC 3279, section 2.2.3).
    private static func der(_ signature: [UInt8]) -> [UInt8] {
      let numbers = [signature.prefix(32), signature.suffix(32)].flatMap { number -> [UInt8] in
        var bytes = Array(number.drop { $0 == 0 })
        if bytes.first.map({ $0 >= 0x80 }) ?? true { bytes.insert(0, at: 0) }
        return [2, UInt8(bytes.count)] + bytes
      }
      return [0x30, UInt8(numbers.count)] + numbers
    }

    /// Base64 for URLs, read by Foundation.
    private static func bytes(_ text: String) throws -> [UInt8] {
      var padded = text.replacing("-", with: "+").replacing("_", with: "/")
      while padded.count % 4 != 0 { padded += "=" }
      return Array(try #require(Data(base64Encoded: padded)))
    }
  }
}
