internal import Foundation
internal import SignedMessages

/// The envelope of a signed or encrypted profile, as far as it can be opened without keys.
///
/// Source: RFC 5652, Cryptographic Message Syntax.
enum CryptographicMessage {
  case signed(content: [UInt8], ProfileSignature)
  /// The content is apart from its signature, or the message is damaged.
  case signedWithoutContent
  case encrypted

  /// `id-signedData`, 1.2.840.113549.1.7.2, with tag and length before it.
  private static let signedData: [UInt8] = [
    0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02,
  ]
  /// `id-envelopedData`, 1.2.840.113549.1.7.3.
  private static let envelopedData: [UInt8] = signedData.dropLast() + [0x03]

  /// - Parameter bytes: DER, BER as streaming signers write it, or the Base64 text of either.
  /// - Returns: nil where `bytes` are no signed or enveloped message.
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
