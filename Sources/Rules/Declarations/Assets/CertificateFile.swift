internal import Foundation

/// Reads a certificate's bytes, from PEM or DER.
enum CertificateFile {
  private static let begin = "-----BEGIN CERTIFICATE-----"
  private static let end = "-----END CERTIFICATE-----"

  /// - Parameter contentType: `application/pem`, `application/pkcs1` or nil.
  /// - Throws: ``AssetFault`` where there is no certificate, more than one, or one in another form
  ///   than `contentType` says. The certificate's fields are not read here.
  static func der(_ bytes: [UInt8], _ contentType: String?) throws(AssetFault) -> [UInt8] {
    let isText = bytes.starts(with: "-----BEGIN ".utf8) || bytes.contains(Array(begin.utf8))
    switch contentType {
    case "application/pem" where !isText:
      throw AssetFault(.cannotBeVerified, "`ContentType` says PEM, and the file is not")
    case "application/pkcs1" where isText:
      throw AssetFault(.cannotBeVerified, "`ContentType` says DER, and the file is PEM")
    default:  // open: any other content type, or none
      break
    }
    let der = isText ? try fromText(bytes) : bytes
    guard isSequence(der) else {
      throw AssetFault(.cannotBeDeserialized, "the file is no certificate in PEM or DER")
    }
    return der
  }

  private static func fromText(_ bytes: [UInt8]) throws(AssetFault) -> [UInt8] {
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    let begins = lines.indices.filter { lines[$0] == begin }
    guard let first = begins.first else {
      throw AssetFault(.cannotBeDeserialized, "the file has no certificate")
    }
    guard begins.count == 1 else {
      throw AssetFault(
        .cannotBeDeserialized, "the file has \(begins.count) certificates; an asset has one")
    }
    let rest = lines[(first + 1)...]
    guard let last = rest.firstIndex(where: { $0 == end }),
      let der = Data(base64Encoded: rest[..<last].joined())
    else { throw AssetFault(.cannotBeDeserialized, "the certificate is cut or damaged") }
    return Array(der)
  }

  /// Whether `bytes` are one sequence of DER and nothing after it.
  private static func isSequence(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 2, bytes[0] == 0x30 else { return false }
    guard bytes[1] > 0x80 else { return bytes.count == 2 + Int(bytes[1]) }
    let size = Int(bytes[1] & 0x7F)
    guard (1...4).contains(size), bytes.count >= 2 + size else { return false }
    return bytes.count == 2 + size + bytes[2..<2 + size].reduce(0) { $0 << 8 | Int($1) }
  }
}
