package import Cryptography
internal import Foundation

/// The signature of a profile, verified with the certificate inside the profile.
///
/// Trust in that certificate is not checked; anyone can create such a certificate.
package struct ProfileSignature: Sendable, Equatable {
  package var state: SignedMessage.Verdict
  /// The subject names in the signers' certificates: `CN=Contoso,O=Contoso Ltd`.
  package var signers: [String]

  init(_ message: SignedMessage) {
    signers = message.signers
    state = message.verdict
  }

  var warning: String {
    let names = signers.isEmpty ? "" : " by \(signers.map { "`\($0)`" }.joined(separator: ", "))"
    return switch state {
    case .intact:
      "the profile is signed\(names); the signature is valid, but the signer's "
        + "identity is not checked"
    case .broken: "the profile was changed after it was signed\(names)"
    case .unknown(let reason): "the profile's signature is not verified: \(reason)"
    }
  }
}

// MARK: - Envelope

/// A signed or encrypted profile, reduced to what can be read without keys.
///
/// Source: RFC 5652, Cryptographic Message Syntax.
enum CryptographicMessage {
  case signed(content: [UInt8], ProfileSignature)
  /// A signed message without its content, because the signature is detached or the message is damaged.
  case signedWithoutContent
  case encrypted

  /// The encoded object identifier of signed messages, `id-signedData` (1.2.840.113549.1.7.2), including tag and
  /// length.
  private static let signedData: [UInt8] = [
    0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02,
  ]
  /// The encoded object identifier of encrypted messages, `id-envelopedData` (1.2.840.113549.1.7.3).
  private static let envelopedData: [UInt8] = signedData.dropLast() + [0x03]

  /// Recognises a signed or encrypted message.
  ///
  /// - Parameter bytes: A message in DER, in BER as streaming signers write it, or in the Base64 text of either.
  /// - Returns: nil if `bytes` are neither a signed nor an encrypted message.
  init?(_ bytes: [UInt8]) {
    let message = Self.fromText(bytes) ?? bytes
    guard message.first == 0x30, message.count > 2 else { return nil }
    // The object identifier follows the outer sequence's tag and length.
    let start = 2 + (message[1] > 0x80 ? Int(message[1] & 0x7f) : 0)
    let type = message.dropFirst(start)
    if type.starts(with: Self.envelopedData) {
      self = .encrypted
    } else if type.starts(with: Self.signedData) {
      if let message = SignedMessage(message), let content = message.content {
        self = .signed(content: content, ProfileSignature(message))
      } else {
        self = .signedWithoutContent
      }
    } else {
      return nil
    }
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
