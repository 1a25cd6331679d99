internal import Foundation
internal import Model
internal import Secrets
internal import TestSupport
internal import Testing

struct PKCS12FileTests {
  private static func bytes(_ sample: String) throws -> [UInt8] {
    try Array(#require(Data(base64Encoded: sample, options: .ignoreUnknownCharacters)))
  }

  private static func code(of bytes: [UInt8], _ password: String) -> SecretError.Code? {
    do {
      _ = try PKCS12File(bytes).open(password: password)
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `opening a PKCS#12 file yields a certificate and its key`() throws {
    let identity = try PKCS12File(Self.bytes(PKCS12Samples.valid)).open(
      password: PKCS12Samples.password)
    let certificate = try #require(identity.certificates.first)
    #expect(certificate.subject == "CN=valid,O=Contoso")
    #expect(certificate.invalidReason(at: 1_767_225_600) == nil)
    let signature = try identity.key.sign([1, 2, 3], .ecdsaSignatureMessageX962SHA256)
    #expect(certificate.verifies(signature, of: [1, 2, 3]))
    #expect(!certificate.verifies(signature, of: [1, 2, 4]))
  }

  @Test func `a wrong password of a PKCS#12 file is rejected`() throws {
    let bytes = try Self.bytes(PKCS12Samples.valid)
    #expect(Self.code(of: bytes, "open-sesam") == .wrongPassword)
    #expect(Self.code(of: bytes, "") == .wrongPassword)
  }

  @Test func `a truncated PKCS#12 file is rejected`() throws {
    let bytes = try Self.bytes(PKCS12Samples.valid)
    for count in stride(from: 0, to: bytes.count, by: 7) {
      #expect(Self.code(of: Array(bytes[..<count]), PKCS12Samples.password) == .malformed)
    }
  }

  @Test func `a damaged PKCS#12 file is rejected`() throws {
    let bytes = try Self.bytes(PKCS12Samples.valid)
    for index in stride(from: 40, to: bytes.count - 120, by: 31) {
      var damaged = bytes
      damaged[index] ^= 0x55
      #expect(Self.code(of: damaged, PKCS12Samples.password) != nil)
    }
  }

  @Test func `an RC2-encrypted PKCS#12 file is reported as unsupported`() throws {
    let bytes = try Self.bytes(PKCS12Samples.legacy)
    let error = #expect(throws: SecretError.self) {
      _ = try PKCS12File(bytes).open(password: PKCS12Samples.password)
    }
    #expect(error?.code == .unsupported)
    #expect(error?.description.contains("RC2") == true)
    #expect(Self.code(of: bytes, "no") == .wrongPassword)
  }

  /// The count is the last integer of the file.
  @Test func `a PKCS#12 file with excessive iterations is rejected`() throws {
    let bytes = try Self.bytes(PKCS12Samples.valid)
    #expect(Array(bytes.suffix(4)) == [2, 2, 8, 0])
    var greedy = bytes
    greedy[bytes.count - 2] = 0x7F
    #expect(Self.code(of: greedy, PKCS12Samples.password) == .wrongPassword)
    // There are two more bytes, in the integer and in the two sequences around it.
    greedy = Array(bytes.dropLast(4)) + [2, 4, 0x7F, 0, 0, 0]
    for start in [0, bytes.count - 67] {
      #expect(greedy[start] == 0x30)
      let isLong = greedy[start + 1] == 0x82
      greedy[start + (isLong ? 3 : 1)] += 2
    }
    #expect(Self.code(of: greedy, PKCS12Samples.password) == .unsupported)
  }

  // Each encrypted part states its own number. Data after the file is not parsed, but it is
  // counted.
  @Test func `the iterations of all key derivations in a PKCS#12 file are added up`() throws {
    let bytes = try Self.bytes(PKCS12Samples.valid)
    let name: [UInt8] = [6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5, 0x0c]
    func derivation(_ count: [UInt8]) -> [UInt8] {
      name + [0x30, UInt8(4 + 2 + count.count), 4, 2, 1, 2, 2, UInt8(count.count)] + count
    }
    #expect(Self.code(of: bytes + derivation([0x08, 0]), PKCS12Samples.password) == nil)
    #expect(
      Self.code(of: bytes + derivation([1, 0xc9, 0xc3, 0x80]), PKCS12Samples.password)
        == .unsupported)
    let half = derivation([0x08, 0, 0])
    #expect(Self.code(of: bytes + half, PKCS12Samples.password) == nil)
    #expect(Self.code(of: bytes + half + half, PKCS12Samples.password) == .unsupported)
  }

  // MARK: Hidden iterations

  /// The files have a key in cleartext, and in an encrypted part. The password is `secret`.
  @Test(arguments: ["modest-1.p12", "modest-2.p12"])
  func `a PKCS#12 file with a key in cleartext or in an encrypted part is opened`(file: String) {
    #expect(Self.code(of: Repository.sample(file), "secret") == nil)
  }

  /// The files' key needs 1,000,001 iterations, which are stated in an encrypted part, in cleartext
  /// that BER divides into pieces of five bytes, or after a salt in pieces (BER) that looks like
  /// other parameters, with one iteration.
  @Test(arguments: ["greedy-1.p12", "greedy-2.p12", "greedy-3.p12"])
  func `excessive iteration counts hidden in parts of a PKCS#12 file are rejected`(file: String) {
    let error = #expect(throws: SecretError.self) {
      try PKCS12File(Repository.sample(file)).open(password: "secret")
    }
    #expect(error?.code == .unsupported)
    #expect(error?.description == "the PKCS #12 file requires more than 1000000 iterations")
  }

  /// The key is derived by scrypt.
  @Test func `a PKCS#12 file with a key derivation such as scrypt is rejected as unsupported`() {
    let error = #expect(throws: SecretError.self) {
      try PKCS12File(Repository.sample("scrypt.p12")).open(password: "secret")
    }
    #expect(error?.code == .unsupported)
    #expect(error?.description.hasSuffix("such as scrypt") == true)
  }

  @Test(arguments: [
    (PKCS12Samples.expired, "it expired at 2021-01-01T00:00:00Z"),
    (PKCS12Samples.future, "it is not valid before 2040-01-01T00:00:00Z"),
  ])
  func `an expired or future certificate states why it is invalid`(sample: String, reason: String)
    throws
  {
    let identity = try PKCS12File(Self.bytes(sample)).open(password: PKCS12Samples.password)
    #expect(identity.certificates.first?.invalidReason(at: 1_767_225_600) == reason)
  }
}
