internal import Encodings

/// An asset whose data was found, verified and parsed.
package struct Asset: Sendable, Hashable {
  package var identifier: String
  /// The declaration's `ServerToken`.
  package var revision: String
  /// The path of the data file, relative to the folder of declarations.
  package var path: String
  /// `ContentType` in lower case, without parameters; nil if absent.
  package var contentType: String?
  package var content: AssetContent
}

package enum AssetContent: Sendable, Hashable {
  case data(Redacted<[UInt8]>)
  case password(PasswordCredential)
  case identity(IdentityCredential)
  /// A certificate, in DER.
  case certificate([UInt8])
}

package struct PasswordCredential: Sendable, Hashable {
  package var userName: Redacted<String>
  package var password: Redacted<String>?

  package init(userName: Redacted<String>, password: Redacted<String>? = nil) {
    self.userName = userName
    self.password = password
  }
}

/// An identity, which is a certificate and its private key, or the parameters for obtaining one.
package enum IdentityCredential: Sendable, Hashable {
  /// A PKCS #12 file, which the device opens on delivery, and its password.
  case pkcs12(Redacted<[UInt8]>, password: Redacted<String>)
  case scep(SCEPEnrollment)
  case acme(ACMEEnrollment)
}

/// A value that is hidden from descriptions, dumps and string interpolation.
package struct Redacted<Value: Sendable & Hashable>: Sendable, Hashable {
  package var value: Value

  package init(_ value: Value) { self.value = value }
}

extension Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "(hidden)" }

  package var debugDescription: String { description }

  package var customMirror: Mirror { Mirror(self, children: []) }
}

// MARK: - Certificate requests

/// A part of a distinguished name: an attribute (`CN`, `2.5.4.3`) and its value.
package struct SubjectAttribute: Sendable, Hashable {
  package var type: String
  package var value: String
}

/// The subject names to request for a certificate.
package struct CertificateSubject: Sendable, Hashable {
  /// The relative distinguished names, outermost first.
  package var names: [[SubjectAttribute]] = []
  /// The e-mail address to request; nil for none. The names below are also nil if they are not requested.
  package var rfc822Name: String?
  package var dnsName: String?
  package var uniformResourceIdentifier: String?
  package var ntPrincipalName: String?
}

/// The parameters for obtaining an identity by SCEP. The device generates the key.
///
/// Source: github.com/apple/device-management, `credentials/scep.yaml`.
package struct SCEPEnrollment: Sendable, Hashable {
  package var url: String
  /// The name of the certificate authority; nil if the server has only one.
  package var name: String?
  package var subject: CertificateSubject
  package var challenge: Redacted<String>?
  /// The size of the RSA key, in bits.
  package var keySize: Int
  /// The permitted uses of the key, as bits: 1 signing, 4 encryption.
  package var keyUsage: Int
  /// The fingerprint of the authority's certificate; nil if it is not checked.
  package var fingerprint: [UInt8]?
  package var retries: Int
  /// The delay between retries, in seconds.
  package var retryDelay: Int
}

/// The parameters for obtaining an identity by ACME. The device generates the key.
///
/// Source: github.com/apple/device-management, `credentials/acme.yaml`.
package struct ACMEEnrollment: Sendable, Hashable {
  package enum Key: Sendable, Hashable {
    /// An RSA key with this number of bits.
    case rsa(Int)
    case p256, p384, p521
  }

  /// The storage of the private key.
  package enum Binding: Sendable, Hashable {
    case software
    /// The Secure Enclave, from which the key cannot be exported.
    case hardware
    /// The Secure Enclave, with an attestation of the device and the key.
    case attestedHardware
  }

  var directoryURL: String
  package var clientIdentifier: Redacted<String>
  package var key: Key
  package var binding: Binding
  package var subject: CertificateSubject
  /// The permitted uses of the key, as bits: 1 digital signature, 4 key encipherment; nil if no use is requested.
  package var usageFlags: Int?
  /// The object identifiers of the extended key usages.
  package var extendedKeyUsage: [String]
}

// MARK: - JSON

extension CertificateSubject {
  /// Reads the subject names from a credential.
  ///
  /// - Parameter json: The credential. Its keys must have been validated.
  init(_ json: JSONValue) {
    names = (json["Subject"]?.array ?? []).map { name in
      (name.array ?? []).compactMap { pair in
        guard let words = pair.array, words.count == 2, let type = words[0].string,
          let value = words[1].string
        else { return nil }
        return SubjectAttribute(type: type, value: value)
      }
    }
    let alternative = json["SubjectAltName"]
    rfc822Name = alternative?["rfc822Name"]?.string
    dnsName = alternative?["dNSName"]?.string
    uniformResourceIdentifier = alternative?["uniformResourceIdentifier"]?.string
    ntPrincipalName = alternative?["ntPrincipalName"]?.string
  }
}

extension SCEPEnrollment {
  /// Reads the parameters from a credential.
  ///
  /// - Parameter json: The credential. Its keys must have been validated.
  init(_ json: JSONValue) {
    url = json["URL"]?.string ?? ""
    name = json["Name"]?.string
    subject = CertificateSubject(json)
    challenge = json["Challenge"]?.string.map(Redacted.init)
    keySize = json["Keysize"]?.int ?? 1024
    keyUsage = json["Key Usage"]?.int ?? 0
    fingerprint = json["CAFingerprint"]?.string.flatMap(PayloadChecker.bytes)
    retries = json["Retries"]?.int ?? 3
    retryDelay = json["RetryDelay"]?.int ?? 10
  }
}

extension ACMEEnrollment {
  /// Reads the parameters from a credential.
  ///
  /// - Parameter json: The credential. Its keys must have been validated.
  /// - Throws: ``AssetError`` if no device can generate the requested key.
  init(_ json: JSONValue) throws(AssetError) {
    directoryURL = json["DirectoryURL"]?.string ?? ""
    clientIdentifier = Redacted(json["ClientIdentifier"]?.string ?? "")
    subject = CertificateSubject(json)
    usageFlags = json["UsageFlags"]?.int
    extendedKeyUsage = (json["ExtendedKeyUsage"]?.array ?? []).compactMap(\.string)
    let isBound = json["HardwareBound"]?.bool ?? false
    let isAttested = json["Attest"]?.bool ?? false
    key = try Self.key(json, isBound: isBound)
    guard isBound || !isAttested else {
      throw AssetError(
        .cannotBeDeserialized, "`Attest` needs `HardwareBound` to be true",
        at: json["Attest"]?.position)
    }
    binding = isAttested ? .attestedHardware : isBound ? .hardware : .software
  }

  private static func key(_ json: JSONValue, isBound: Bool) throws(AssetError) -> Key {
    let size = json["KeySize"]?.int ?? 0
    let invalid = { (message: String) in
      AssetError(.cannotBeDeserialized, message, at: json["KeySize"]?.position)
    }
    if json["KeyType"]?.string == "RSA" {
      guard !isBound else {
        throw invalid("a hardware-bound key must be of the type `ECSECPrimeRandom`")
      }
      guard (1024...4096).contains(size), size.isMultiple(of: 8) else {
        throw invalid("`KeySize` of an RSA key must be 1024 to 4096 and a multiple of 8")
      }
      return .rsa(size)
    }
    switch (size, isBound) {
    case (256, _): return .p256
    case (384, _): return .p384
    case (521, false): return .p521
    case (521, true): throw invalid("a hardware-bound key must have 256 or 384 bits")
    default:  // open: any other size
      throw invalid("`KeySize` of this key type must be 256, 384 or 521")
    }
  }
}
