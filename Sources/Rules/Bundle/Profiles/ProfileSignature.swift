internal import Cryptography
internal import Foundation

/// The signature of a profile, verified with the certificate that it contains.
///
/// Trust in that certificate is not checked; anyone can create one.
package struct ProfileSignature: Sendable, Equatable {
  /// The result of the verification.
  package enum State: Sendable, Equatable {
    /// The profile is unchanged since it was signed.
    case intact
    /// The profile or the signature was changed.
    case broken
    /// The signature could not be verified. The reason is in lower case, without full stop.
    case unknown(String)
  }

  package var state: State
  /// The subject names in the signers' certificates: `CN=Contoso,O=Contoso Ltd`.
  package var signers: [String]

  /// - Parameter message: The signed message; nil if libcrypto cannot read it.
  init(_ message: SignedMessage?) {
    signers = message?.signers ?? []
    state =
      switch message?.verdict {
      case .intact: .intact
      case .broken: .broken
      case .unknown(let reason): .unknown(reason)
      case nil: .unknown("its form is not supported")
      }
  }

  var warning: String {
    let names = signers.isEmpty ? "" : " by \(signers.map { "`\($0)`" }.joined(separator: ", "))"
    return switch state {
    case .intact:
      "the profile is signed\(names); it is as it was signed, but whether to trust its signer is "
        + "not checked"
    case .broken: "the profile was changed after it was signed\(names)"
    case .unknown(let reason): "the profile's signature is not verified: \(reason)"
    }
  }
}

// MARK: - Envelope

/// The envelope of a signed or encrypted profile, as far as it can be read without keys.
///
/// Source: RFC 5652, Cryptographic Message Syntax.
enum CryptographicMessage {
  case signed(content: [UInt8], ProfileSignature)
  /// The signature is detached from the content, or the message is damaged.
  case signedWithoutContent
  case encrypted

  /// `id-signedData`, 1.2.840.113549.1.7.2, including tag and length.
  private static let signedData: [UInt8] = [
    0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02,
  ]
  /// `id-envelopedData`, 1.2.840.113549.1.7.3.
  private static let envelopedData: [UInt8] = signedData.dropLast() + [0x03]

  /// - Parameter bytes: DER, BER as streaming signers write it, or the Base64 text of either.
  /// - Returns: nil if `bytes` are not a signed or enveloped message.
  init?(_ bytes: [UInt8]) {
    let message = Self.fromText(bytes) ?? bytes
    guard message.first == 0x30, message.count > 2 else { return nil }
    // The object identifier follows the outer sequence's tag and length.
    let start = 2 + (message[1] > 0x80 ? Int(message[1] & 0x7f) : 0)
    let type = message.dropFirst(start)
    if type.starts(with: Self.envelopedData) {
      self = .encrypted
    } else if type.starts(with: Self.signedData) {
      var reader = BERReader(message)
      if let content = Self.content(&reader) {
        self = .signed(content: content, ProfileSignature(SignedMessage(message)))
      } else {
        self = .signedWithoutContent
      }
    } else {
      return nil
    }
  }

  /// Descends to `encapContentInfo` > `eContent`.
  private static func content(_ reader: inout BERReader) -> [UInt8]? {
    guard
      // ContentInfo: contentType, [0] content
      reader.enter(0x30), reader.element(0x06) != nil, reader.enter(0xa0),
      // SignedData: version, digestAlgorithms, encapContentInfo
      reader.enter(0x30), reader.element(0x02) != nil, reader.element(0x31) != nil,
      // EncapsulatedContentInfo: eContentType, [0] eContent
      reader.enter(0x30), reader.element(0x06) != nil, reader.enter(0xa0)
    else { return nil }
    return reader.octets()
  }

  private static func fromText(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.starts(with: "-----BEGIN ".utf8) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    guard lines.first == "-----BEGIN PKCS7-----" || lines.first == "-----BEGIN CMS-----" else {
      return nil
    }
    let text = lines.dropFirst().prefix { !$0.hasPrefix("-----END ") }.joined()
    return Data(base64Encoded: text, options: .ignoreUnknownCharacters).map(Array.init)
  }
}

/// Reads elements of ASN.1's Basic Encoding Rules, forwards and downwards only. Tags have one byte. An
/// element that extends beyond the bytes, or beyond its parent, is rejected.
///
/// Source: ITU-T X.690.
private struct BERReader {
  private var rest: ArraySlice<UInt8>

  private enum Length {
    case definite(Int)
    /// The content ends with two zero bytes.
    case indefinite
  }

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// Enters the next element. Elements after it are no longer reachable.
  mutating func enter(_ tag: UInt8) -> Bool {
    guard let length = header(tag) else { return false }
    if case .definite(let count) = length { rest = rest.prefix(count) }
    return true
  }

  /// The bytes of the next element; nil if it has another tag or an indefinite length.
  mutating func element(_ tag: UInt8) -> ArraySlice<UInt8>? {
    guard case .definite(let count) = header(tag) else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// The content of the next octet string, primitive or constructed.
  mutating func octets() -> [UInt8]? {
    if let whole = element(0x04) { return Array(whole) }
    guard let length = header(0x24) else { return nil }
    if case .definite(let count) = length { rest = rest.prefix(count) }
    var octets: [UInt8] = []
    while let piece = element(0x04) { octets += piece }
    switch length {
    case .definite: return rest.isEmpty ? octets : nil
    case .indefinite: return rest.starts(with: [0, 0]) ? octets : nil
    }
  }

  /// Skips tag and length. On failure, returns nil and does not move.
  private mutating func header(_ tag: UInt8) -> Length? {
    var ahead = rest
    guard ahead.popFirst() == tag, let first = ahead.popFirst() else { return nil }
    var count = Int(first)
    if first == 0x80 {
      rest = ahead
      return .indefinite
    } else if first > 0x80 {
      let size = Int(first & 0x7f)
      guard size <= 4, size <= ahead.count else { return nil }
      count = ahead.prefix(size).reduce(0) { $0 << 8 | Int($1) }
      ahead = ahead.dropFirst(size)
    }
    guard count <= ahead.count else { return nil }
    rest = ahead
    return .definite(count)
  }
}
