internal import CCrypto
internal import Cryptography
internal import Glibc
internal import Model

/// An X.509 certificate.
///
/// Confined to one thread at a time.
package final class Certificate {
  let pointer: OpaquePointer

  init(owning pointer: OpaquePointer) { self.pointer = pointer }

  deinit { X509_free(pointer) }

  /// Parses a certificate.
  ///
  /// - Throws: ``SecretError`` unless `der` is exactly one certificate.
  package convenience init(der: [UInt8]) throws(SecretError) {
    var rest = 0
    let certificate = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var start = bytes.baseAddress
      let certificate = d2i_X509(nil, &start, bytes.count)
      if let start, let base = bytes.baseAddress { rest = bytes.count - (start - base) }
      return certificate
    }
    ERR_clear_error()
    guard let certificate else { throw SecretError(.malformed, "no X.509 certificate") }
    self.init(owning: certificate)
    guard rest == 0 else {
      throw SecretError(.malformed, "the file has data after the certificate")
    }
  }

  package var der: [UInt8] { encoded { i2d_X509(pointer, $0) } }

  /// The subject, such as `CN=phone,O=Contoso`.
  package var subject: String { X509_get_subject_name(pointer).map(distinguishedName) ?? "" }

  /// The issuer, in the format of ``subject``.
  package var issuer: String { X509_get_issuer_name(pointer).map(distinguishedName) ?? "" }

  /// The first second at which the certificate is valid, counted from 1970-01-01T00:00:00Z; nil if the certificate's
  /// field is not a valid time.
  package var notBefore: Int? { X509_get0_notBefore(pointer).flatMap(Self.seconds) }

  /// The last second at which the certificate is valid, counted from 1970-01-01T00:00:00Z; nil if the certificate's
  /// field is not a valid time.
  package var notAfter: Int? { X509_get0_notAfter(pointer).flatMap(Self.seconds) }

  /// Returns a clause that states why the certificate is invalid at `time`; nil if it is valid.
  package func invalidReason(at time: Int) -> String? {
    guard let notBefore, let notAfter else { return "it does not state its validity period" }
    if time < notBefore { return "it is not valid before \(Timestamp.text(notBefore))" }
    if time > notAfter { return "it expired at \(Timestamp.text(notAfter))" }
    return nil
  }

  package func isSigned(by issuer: Certificate) -> Bool {
    defer { ERR_clear_error() }
    guard let key = X509_get0_pubkey(issuer.pointer) else { return false }
    return X509_verify(pointer, key) == 1
  }

  /// Verifies `signature` over `data` with the certificate's public key. The algorithm is ECDSA with SHA-256 or, for
  /// RSA keys, PKCS #1 v1.5 with SHA-256.
  package func verifies(_ signature: [UInt8], of data: [UInt8]) -> Bool {
    defer { ERR_clear_error() }
    guard let key = X509_get0_pubkey(pointer), let context = EVP_MD_CTX_new() else { return false }
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else { return false }
    return EVP_DigestVerify(context, signature, signature.count, data, data.count) == 1
  }

  func isOf(_ key: PrivateKey) -> Bool {
    defer { ERR_clear_error() }
    return X509_check_private_key(pointer, key.pointer) == 1
  }

  private static func seconds(_ time: UnsafePointer<ASN1_TIME>) -> Int? {
    var parts = tm()
    guard ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
    return timegm(&parts)
  }
}

// MARK: - Pair of key and certificate

/// A private key with its certificates.
///
/// Confined to one thread at a time.
package final class CertifiedKey {
  /// The certificate of the key, followed by further certificates, such as the certificates of its issuers.
  package let certificates: [Certificate]
  package let key: PrivateKey

  /// Combines a key and its certificates.
  ///
  /// - Throws: ``SecretError`` if there is no certificate, or the first one belongs to another key.
  package init(_ certificates: [Certificate], key: PrivateKey) throws(SecretError) {
    guard let first = certificates.first, first.isOf(key) else {
      throw SecretError(.mismatch, "the key does not match the certificate")
    }
    self.certificates = certificates
    self.key = key
  }
}

// MARK: - PKCS #12

/// A PKCS #12 file (RFC 7292): a private key and its certificates, protected by a password.
package struct PKCS12File {
  private let bytes: [UInt8]

  /// Creates a file from `bytes`, which are not parsed until ``open(password:)``.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Decrypts the file.
  ///
  /// - Throws: ``SecretError`` if the password is wrong, the file is damaged, the key or its certificate is missing, or
  ///   the two do not match. Also if the file requires too many iterations or uses an unsupported algorithm, such as
  ///   RC2 or scrypt.
  package func open(password: String) throws(SecretError) -> CertifiedKey {
    defer { ERR_clear_error() }
    let file = bytes.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var start = bytes.baseAddress
      return d2i_PKCS12(nil, &start, bytes.count)
    }
    guard let file else {
      throw SecretError(.malformed, "the file is not a PKCS #12 file, or is truncated")
    }
    defer { PKCS12_free(file) }
    guard Self.iterations(of: file) <= Self.maximumIterations,
      Self.iterations(statedIn: bytes) <= Self.maximumIterations
    else { throw Self.tooManyIterations }
    guard PKCS12_verify_mac(file, password, -1) == 1 else {
      throw SecretError(.wrongPassword, "the password of the PKCS #12 file is wrong")
    }
    var budget = IterationBudget(left: Self.maximumIterations)
    try budget.takeParts(of: file, password)
    ERR_clear_error()
    var key: OpaquePointer?
    var certificate: OpaquePointer?
    var others: OpaquePointer?
    guard PKCS12_parse(file, password, &key, &certificate, &others) == 1 else {
      guard sluice_is_unsupported(ERR_peek_last_error()) == 1 else {
        throw SecretError(.unsupported, "the content of the PKCS #12 file cannot be read")
      }
      throw SecretError(
        .unsupported,
        "the PKCS #12 file uses an encryption that OpenSSL 3 supports only in its legacy provider, "
          + "such as RC2; export it again with AES, without `-legacy`")
    }
    let chain = Self.take(others)
    let owned = certificate.map(Certificate.init(owning:))
    guard let key = key.map(PrivateKey.init(owning:)) else {
      throw SecretError(.malformed, "the PKCS #12 file has no private key")
    }
    guard let owned else {
      throw SecretError(.malformed, "the PKCS #12 file has no certificate for its key")
    }
    return try CertifiedKey([owned] + chain, key: key)
  }

  /// The maximum number of iterations, which limits the time to open a hostile file. It applies to the MAC and,
  /// separately, to the sum over all encrypted parts.
  private static let maximumIterations = 1_000_000

  fileprivate static let tooManyIterations = SecretError(
    .unsupported, "the PKCS #12 file requires more than \(maximumIterations) iterations")

  private static func iterations(of file: OpaquePointer) -> Int {
    var count: UnsafePointer<ASN1_INTEGER>?
    PKCS12_get0_mac(nil, nil, nil, &count, file)
    // A missing count means 1 iteration.
    guard let count else { return 1 }
    return Self.count(count)
  }

  /// Returns the count as an integer; `Int.max` if it is negative or does not fit into `Int`.
  fileprivate static func count(_ iterations: UnsafePointer<ASN1_INTEGER>) -> Int {
    let count = ASN1_INTEGER_get(iterations)
    return count < 0 ? .max : count
  }

  /// The DER-encoded object identifiers of PBKDF2 (1.2.840.113549.1.5.12) and of the six PKCS #12 schemes
  /// (1.2.840.113549.1.12.1.1 to 6). In a file, the iteration count follows each identifier.
  private static let derivations: [[UInt8]] =
    [[0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0c]]
    + (1...6).map { [0x06, 0x0a, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x0c, 0x01, $0] }

  /// Returns the sum of the iteration counts that `bytes` states in cleartext for encrypted parts; `Int.max` if the sum
  /// does not fit into `Int`. The MAC's count is not included.
  private static func iterations(statedIn bytes: [UInt8]) -> Int {
    var sum = 0
    for place in bytes.indices where bytes[place] == 0x06 {
      let rest = bytes[place...]
      guard let name = derivations.first(where: { rest.starts(with: $0) }) else { continue }
      var parameters = DERReader(rest.dropFirst(name.count))
      guard parameters.enter(0x30), parameters.skip(0x04), let count = parameters.integer() else {
        continue
      }
      let (total, isTooMuch) = sum.addingReportingOverflow(count)
      if isTooMuch { return .max }
      sum = total
    }
    return sum
  }

  /// Returns the certificates in a libcrypto list, and frees the list.
  private static func take(_ list: OpaquePointer?) -> [Certificate] {
    guard let list else { return [] }
    defer { OPENSSL_sk_free(list) }
    return (0..<max(0, OPENSSL_sk_num(list))).compactMap { index in
      OPENSSL_sk_value(list, index).map { Certificate(owning: OpaquePointer($0)) }
    }
  }
}

/// The number of key derivation iterations that a PKCS #12 file may still require.
///
/// The parts are read with libcrypto, because an encrypted part can contain further parts, and BER can divide the
/// cleartext at any byte. An encrypted part is decrypted only if its iterations are within the budget.
private struct IterationBudget {
  var left: Int

  /// Subtracts from the budget the iterations that the parts of `file` require. Decrypts encrypted parts to find the
  /// parts inside them.
  ///
  /// - Throws: ``SecretError`` if the iterations exceed the budget, or a key derivation states no iteration count.
  mutating func takeParts(of file: OpaquePointer, _ password: String) throws(SecretError) {
    defer { ERR_clear_error() }
    // An unreadable part is reported when the file is opened.
    guard let parts = PKCS12_unpack_authsafes(file) else { return }
    defer {
      OPENSSL_sk_pop_free(parts) { PKCS7_free($0?.assumingMemoryBound(to: PKCS7.self)) }
    }
    for index in 0..<max(0, OPENSSL_sk_num(parts)) {
      guard let part = OPENSSL_sk_value(parts, index)?.assumingMemoryBound(to: PKCS7.self)
      else { continue }
      let bags: OpaquePointer?
      switch OBJ_obj2nid(part.pointee.type) {
      case NID_pkcs7_data: bags = PKCS12_unpack_p7data(part)
      case NID_pkcs7_encrypted:
        guard let algorithm = part.pointee.d.encrypted?.pointee.enc_data?.pointee.algorithm else {
          continue
        }
        try take(algorithm)
        bags = PKCS12_unpack_p7encdata(part, password, -1)
      default: continue  // open: any other type, which libcrypto ignores
      }
      guard let bags else { continue }
      defer { OPENSSL_sk_pop_free(bags) { PKCS12_SAFEBAG_free($0.map(OpaquePointer.init)) } }
      try takeBags(bags)
    }
  }

  private mutating func takeBags(_ bags: OpaquePointer) throws(SecretError) {
    for index in 0..<max(0, OPENSSL_sk_num(bags)) {
      guard let bag = OPENSSL_sk_value(bags, index).map(OpaquePointer.init) else { continue }
      if let inner = PKCS12_SAFEBAG_get0_safes(bag) { try takeBags(inner) }
      guard PKCS12_SAFEBAG_get_nid(bag) == NID_pkcs8ShroudedKeyBag,
        let key = PKCS12_SAFEBAG_get0_pkcs8(bag)
      else { continue }
      var algorithm: UnsafePointer<X509_ALGOR>?
      X509_SIG_get0(key, &algorithm, nil)
      if let algorithm { try take(algorithm) }
    }
  }

  private mutating func take(_ algorithm: UnsafePointer<X509_ALGOR>) throws(SecretError) {
    guard let count = Self.iterations(of: algorithm) else {
      throw SecretError(
        .unsupported,
        "the PKCS #12 file uses a key derivation other than PBKDF2 and those of PKCS #12, "
          + "such as scrypt")
    }
    guard count <= left else { throw PKCS12File.tooManyIterations }
    left -= count
  }

  /// Returns the iteration count in the parameters of `algorithm`; nil if its key derivation has no count. libcrypto
  /// parses the parameters, because they may be BER, and a salt may look like other parameters.
  private static func iterations(of algorithm: UnsafePointer<X509_ALGOR>) -> Int? {
    switch OBJ_obj2nid(algorithm.pointee.algorithm) {
    case NID_pbes2:
      guard let scheme = parameters(of: algorithm, d2i_PBE2PARAM) else { return nil }
      defer { PBE2PARAM_free(scheme) }
      guard let derivation = scheme.pointee.keyfunc,
        OBJ_obj2nid(derivation.pointee.algorithm) == NID_id_pbkdf2,
        let stated = parameters(of: derivation, d2i_PBKDF2PARAM)
      else { return nil }
      defer { PBKDF2PARAM_free(stated) }
      return PKCS12File.count(stated.pointee.iter)
    case NID_pbe_WithSHA1And128BitRC4, NID_pbe_WithSHA1And40BitRC4,
      NID_pbe_WithSHA1And3_Key_TripleDES_CBC, NID_pbe_WithSHA1And2_Key_TripleDES_CBC,
      NID_pbe_WithSHA1And128BitRC2_CBC, NID_pbe_WithSHA1And40BitRC2_CBC:
      guard let stated = parameters(of: algorithm, d2i_PBEPARAM) else { return nil }
      defer { PBEPARAM_free(stated) }
      return PKCS12File.count(stated.pointee.iter)
    default: return nil  // open: any other identifier
    }
  }

  /// Parses an algorithm's parameters with `read`; nil if `read` expects parameters of another type. The caller frees
  /// the result.
  private static func parameters<Parameters>(
    of algorithm: UnsafePointer<X509_ALGOR>,
    _ read: (
      UnsafeMutablePointer<UnsafeMutablePointer<Parameters>?>?,
      UnsafeMutablePointer<UnsafePointer<UInt8>?>?, Int
    ) -> UnsafeMutablePointer<Parameters>?
  ) -> UnsafeMutablePointer<Parameters>? {
    guard let parameter = algorithm.pointee.parameter, parameter.pointee.type == V_ASN1_SEQUENCE,
      let sequence = parameter.pointee.value.sequence
    else { return nil }
    var start = ASN1_STRING_get0_data(sequence)
    return read(nil, &start, Int(ASN1_STRING_length(sequence)))
  }
}

/// A reader for DER that knows only tags, lengths and integers.
private struct DERReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// Moves to the content of the next element. Returns false if the element has another tag or a malformed length.
  mutating func enter(_ tag: UInt8) -> Bool { length(of: tag) != nil }

  mutating func skip(_ tag: UInt8) -> Bool {
    guard let count = length(of: tag), count <= rest.count else { return false }
    rest = rest.dropFirst(count)
    return true
  }

  /// Reads an unsigned integer; nil if the next element is not one. A value of eight or more bytes becomes `Int.max`.
  mutating func integer() -> Int? {
    guard let count = length(of: 0x02), count > 0, count <= rest.count else { return nil }
    let digits = rest.prefix(count).drop { $0 == 0 }
    guard digits.count < 8 else { return .max }
    return digits.reduce(0) { $0 << 8 | Int($1) }
  }

  private mutating func length(of tag: UInt8) -> Int? {
    guard rest.popFirst() == tag, let first = rest.popFirst() else { return nil }
    guard first >= 0x80 else { return Int(first) }
    // For an indefinite length (BER), the content follows directly.
    let count = Int(first & 0x7f)
    guard count <= 4, count <= rest.count else { return nil }
    let length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
    rest = rest.dropFirst(count)
    return length
  }
}
