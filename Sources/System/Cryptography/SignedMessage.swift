internal import CCrypto

/// A signed CMS message, with its content and the result of verifying its signatures.
///
/// Each signature is verified with the signer's certificate in the message. The certificate itself is not validated:
/// its chain, root and dates are ignored.
///
/// Source: RFC 5652, section 5.
package struct SignedMessage: Sendable, Equatable {
  package enum Verdict: Sendable, Equatable {
    /// Every signature matches the content.
    case intact
    /// A signature does not match: the content or the signature was changed.
    case broken
    /// A signature is missing or cannot be verified. The text is the cause, as a clause in lower case without a full
    /// stop.
    case unknown(String)
  }

  package var verdict: Verdict
  /// The signed content; nil if the message contains only the signatures.
  package var content: [UInt8]?
  /// The subjects of the signers' certificates in the format of ``distinguishedName(_:)``, in message order. Signers
  /// whose certificate is not in the message are omitted. Empty if the message exceeds ``mostSignatures``.
  package var signers: [String]

  /// The maximum number of signatures, and also of digest algorithms, in a message that is verified. libcrypto's
  /// running time grows with the square of the number of algorithms, and libcrypto recurses once per algorithm.
  package static let mostSignatures = 16

  /// Parses and verifies a message.
  ///
  /// - Parameter bytes: the message in DER or BER.
  /// - Returns: nil if `bytes` is not a signed message, or is damaged.
  package init?(_ bytes: [UInt8]) {
    guard let message = MessageHandle(bytes), message.isSigned else { return nil }
    content = message.content
    let count = message.signerCount
    let algorithms = message.digestAlgorithmCount ?? .max
    guard max(count, algorithms) <= Self.mostSignatures else {
      signers = []
      verdict = .unknown(
        "the CMS message has more than \(Self.mostSignatures) signatures or digest algorithms")
      return
    }
    let subjects = message.findSigners()
    signers = subjects
    if count == 0 {
      verdict = .unknown("the CMS message has no signature")
    } else if subjects.count < count {
      verdict = .unknown("the CMS message does not contain its signer's certificate")
    } else {
      verdict = message.verdict()
    }
  }
}

/// A CMS message in libcrypto. Confined to one thread at a time.
private final class MessageHandle {
  private let message: OpaquePointer

  /// Returns nil if `bytes` is not a CMS message.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= Int(Int32.max) else { return nil }
    let message = bytes.withUnsafeBytes { bytes -> OpaquePointer? in
      guard let memory = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
      defer { BIO_free(memory) }
      return d2i_CMS_bio(memory, nil)
    }
    ERR_clear_error()
    guard let message else { return nil }
    self.message = message
  }

  deinit { CMS_ContentInfo_free(message) }

  /// Whether the message is signed data, rather than encrypted or plain data.
  var isSigned: Bool { OBJ_obj2nid(CMS_get0_type(message)) == NID_pkcs7_signed }

  var content: [UInt8]? {
    guard let octets = CMS_get0_content(message)?.pointee else { return nil }
    return Array(
      UnsafeBufferPointer(
        start: ASN1_STRING_get0_data(octets), count: Int(ASN1_STRING_length(octets))))
  }

  var signerCount: Int {
    guard let infos = CMS_get0_SignerInfos(message) else { return 0 }
    return max(0, Int(OPENSSL_sk_num(infos)))
  }

  /// The number of the message's digest algorithms (RFC 5652, section 5.1); nil if the message cannot be encoded or its
  /// encoding cannot be read.
  ///
  /// libcrypto has no function that counts the algorithms. They are counted in libcrypto's encoding of the message,
  /// because the original may be BER with indefinite lengths.
  var digestAlgorithmCount: Int? {
    var encoded: UnsafeMutablePointer<UInt8>?
    let size = Int(i2d_CMS_ContentInfo(message, &encoded))
    guard size > 0, let encoded else { return nil }
    defer { CRYPTO_free(encoded, #file, #line) }
    // ContentInfo has a type and, in a tag, SignedData: a version, and the set of algorithms.
    let info = DERElements(encoded, count: size).first
    var data = info?.dropFirst()?.first?.first?.dropFirst()?.first
    var count = 0
    while let rest = data, !rest.isEmpty {
      data = rest.dropFirst()
      count += 1
    }
    return data.map { _ in count }
  }

  func findSigners() -> [String] {
    defer { ERR_clear_error() }
    CMS_set1_signers_certs(message, nil, 0)
    guard let certificates = CMS_get0_signers(message) else { return [] }
    // The caller owns the list; the message owns its elements.
    defer { OPENSSL_sk_free(certificates) }
    return (0..<max(0, OPENSSL_sk_num(certificates))).map { index in
      OPENSSL_sk_value(certificates, index)
        .flatMap { X509_get_subject_name(OpaquePointer($0)) }.map(distinguishedName) ?? ""
    }
  }

  func verdict() -> SignedMessage.Verdict {
    ERR_clear_error()
    defer { ERR_clear_error() }
    // Without an output, CMS_verify still hashes all of the content.
    let flags = UInt32(CMS_NO_SIGNER_CERT_VERIFY | CMS_BINARY)
    if CMS_verify(message, nil, nil, nil, nil, flags) == 1 { return .intact }
    var isBroken = false
    while true {
      let error = ERR_get_error()
      if error == 0 { break }
      let reason = ERR_GET_REASON(error)
      if ERR_GET_LIB(error) == ERR_LIB_CMS {
        isBroken =
          isBroken || reason == CMS_R_VERIFICATION_FAILURE || reason == CMS_R_CONTENT_VERIFY_ERROR
      } else if ERR_GET_LIB(error) == ERR_LIB_EVP {
        return .unknown("the signature's algorithm is not supported")
      }
    }
    return isBroken ? .broken : .unknown("the signature's format is not supported")
  }
}

// MARK: - Encoding

/// A sequence of elements in DER (X.690), in memory that another object owns.
private struct DERElements {
  private let bytes: UnsafePointer<UInt8>
  private let count: Int

  init(_ bytes: UnsafePointer<UInt8>, count: Int) {
    self.bytes = bytes
    self.count = count
  }

  var isEmpty: Bool { count == 0 }

  /// The elements inside the first element; nil if there is no well-formed element.
  var first: DERElements? { header.map { DERElements($0.content, count: $0.length) } }

  /// Returns the elements after the first element; nil if there is no well-formed element.
  func dropFirst() -> DERElements? {
    header.map { head in
      let size = head.content - bytes + head.length
      return DERElements(bytes + size, count: count - size)
    }
  }

  /// The position and length of the first element's content; nil if there is no well-formed element.
  private var header: (content: UnsafePointer<UInt8>, length: Int)? {
    guard !isEmpty else { return nil }
    var (place, length, tag, kind) = (Optional(bytes), 0, Int32(0), Int32(0))
    let form = ASN1_get_object(&place, &length, &tag, &kind, count)
    // The highest bit marks an error, the lowest an indefinite length, which DER does not have.
    guard form & 0x81 == 0, let content = place, length <= count - (content - bytes) else {
      ERR_clear_error()
      return nil
    }
    return (content, length)
  }
}

// MARK: - Names

/// Returns libcrypto's `X509_NAME` as text in the format of RFC 2253, such as `CN=phone,O=Contoso`; empty if it
/// cannot be printed.
package func distinguishedName(_ name: OpaquePointer) -> String {
  guard let text = BIO_new(BIO_s_mem()) else { return "" }
  defer { BIO_free(text) }
  guard X509_NAME_print_ex(text, name, 0, nameFlags) >= 0 else { return "" }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 256)
  while case let count = BIO_read(text, &chunk, Int32(chunk.count)), count > 0 {
    bytes += chunk[..<Int(count)]
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// The libcrypto flags for the format of RFC 2253, except the flag that escapes non-ASCII characters.
private let nameFlags = [
  Int(ASN1_STRFLGS_ESC_2253), Int(ASN1_STRFLGS_ESC_CTRL), Int(ASN1_STRFLGS_UTF8_CONVERT),
  Int(ASN1_STRFLGS_DUMP_UNKNOWN), Int(ASN1_STRFLGS_DUMP_DER), Int(XN_FLAG_SEP_COMMA_PLUS),
  Int(XN_FLAG_DN_REV), Int(XN_FLAG_DUMP_UNKNOWN_FIELDS),
].reduce(0) { $0 | UInt($1) }
