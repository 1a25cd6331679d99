internal import JSON

/// An asset whose data was found, checked and read.
package struct Asset: Sendable, Hashable {
  package var identifier: String
  /// The declaration's `ServerToken`.
  package var revision: String
  /// The data's path in the folder.
  package var path: String
  /// `ContentType` in lower case, without parameters; nil where the declaration states none.
  package var contentType: String?
  package var content: AssetContent
}

/// The content of an asset.
package enum AssetContent: Sendable, Hashable {
  case data(Secret<[UInt8]>)
  case password(PasswordCredential)
  case identity(IdentityCredential)
  /// A certificate in DER.
  case certificate([UInt8])
}

/// A user's name and password.
package struct PasswordCredential: Sendable, Hashable {
  package var userName: Secret<String>
  /// The password; nil where the asset states none.
  package var password: Secret<String>?

  /// Creates a credential.
  package init(userName: Secret<String>, password: Secret<String>? = nil) {
    self.userName = userName
    self.password = password
  }
}

/// A certificate with its key, or the way to get one.
package enum IdentityCredential: Sendable, Hashable {
  /// A file that is not opened here, and the password that opens it.
  case pkcs12(Secret<[UInt8]>, password: Secret<String>)
  case scep(SCEPEnrollment)
  case acme(ACMEEnrollment)
}

/// A value that no description, dump or interpolation shows.
package struct Secret<Value: Sendable & Hashable>: Sendable, Hashable {
  package var value: Value

  /// Hides `value`.
  package init(_ value: Value) { self.value = value }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "(hidden)" }

  package var debugDescription: String { description }

  package var customMirror: Mirror { Mirror(self, children: []) }
}

// MARK: - Requests for certificates

/// A part of a name: an attribute (`CN`, `2.5.4.3`) and its value.
package struct SubjectAttribute: Sendable, Hashable {
  package var type: String
  package var value: String
}

/// The names of its holder that a certificate is to state.
package struct CertificateSubject: Sendable, Hashable {
  /// The relative distinguished names, the outermost first.
  package var names: [[SubjectAttribute]] = []
  /// The e-mail address; nil where none is asked for, as with the other names.
  package var rfc822Name: String?
  package var dnsName: String?
  package var uniformResourceIdentifier: String?
  package var ntPrincipalName: String?
}

/// An identity that a device gets by SCEP, with a key that the device makes.
///
/// Source: github.com/apple/device-management, `credentials/scep.yaml`.
package struct SCEPEnrollment: Sendable, Hashable {
  package var url: String
  /// The certificate authority's name; nil where there is one only.
  package var name: String?
  package var subject: CertificateSubject
  package var challenge: Secret<String>?
  /// The size of the RSA key, in bits.
  package var keySize: Int
  /// The usage of the key, as bits: 1 signing, 4 encryption.
  package var keyUsage: Int
  /// The fingerprint of the authority's certificate; nil where it is not checked.
  package var fingerprint: [UInt8]?
  package var retries: Int
  /// The delay between retries, in seconds.
  package var retryDelay: Int
}

/// An identity that a device gets by ACME, with a key that the device makes.
///
/// Source: github.com/apple/device-management, `credentials/acme.yaml`.
package struct ACMEEnrollment: Sendable, Hashable {
  /// The type of the key.
  package enum Key: Sendable, Hashable {
    /// An RSA key of that many bits.
    case rsa(Int)
    case p256, p384, p521
  }

  /// The place where the private key is kept.
  package enum Binding: Sendable, Hashable {
    case software
    /// The Secure Enclave, which does not give the key away.
    case hardware
    /// The Secure Enclave, with an attestation by the device of itself and the key.
    case attestedHardware
  }

  var directoryURL: String
  package var clientIdentifier: Secret<String>
  package var key: Key
  package var binding: Binding
  package var subject: CertificateSubject
  /// The usage of the key, as bits: 1 digital signature, 4 key encipherment; nil where none is asked for.
  package var usageFlags: Int?
  /// The object identifiers of the extended usages of the key.
  package var extendedKeyUsage: [String]
}

// MARK: - JSON

extension CertificateSubject {
  /// - Parameter json: The JSON, checked against its keys.
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
  /// - Parameter json: The JSON, checked against its keys.
  init(_ json: JSONValue) {
    url = json["URL"]?.string ?? ""
    name = json["Name"]?.string
    subject = CertificateSubject(json)
    challenge = json["Challenge"]?.string.map(Secret.init)
    keySize = json["Keysize"]?.int ?? 1024
    keyUsage = json["Key Usage"]?.int ?? 0
    fingerprint = json["CAFingerprint"]?.string.flatMap(PayloadChecker.bytes)
    retries = json["Retries"]?.int ?? 3
    retryDelay = json["RetryDelay"]?.int ?? 10
  }
}

extension ACMEEnrollment {
  /// - Parameter json: The JSON, checked against its keys.
  /// - Throws: ``AssetFault`` for a key that no device can make.
  init(_ json: JSONValue) throws(AssetFault) {
    directoryURL = json["DirectoryURL"]?.string ?? ""
    clientIdentifier = Secret(json["ClientIdentifier"]?.string ?? "")
    subject = CertificateSubject(json)
    usageFlags = json["UsageFlags"]?.int
    extendedKeyUsage = (json["ExtendedKeyUsage"]?.array ?? []).compactMap(\.string)
    let isBound = json["HardwareBound"]?.bool ?? false
    let isAttested = json["Attest"]?.bool ?? false
    key = try Self.key(json, isBound: isBound)
    guard isBound || !isAttested else {
      throw AssetFault(
        .cannotBeDeserialized, "`Attest` needs `HardwareBound` to be true",
        at: json["Attest"]?.position)
    }
    binding = isAttested ? .attestedHardware : isBound ? .hardware : .software
  }

  private static func key(_ json: JSONValue, isBound: Bool) throws(AssetFault) -> Key {
    let size = json["KeySize"]?.int ?? 0
    let fault = { (message: String) in
      AssetFault(.cannotBeDeserialized, message, at: json["KeySize"]?.position)
    }
    if json["KeyType"]?.string == "RSA" {
      guard !isBound else {
        throw fault("a key that is bound to hardware must be of the type `ECSECPrimeRandom`")
      }
      guard (1024...4096).contains(size), size.isMultiple(of: 8) else {
        throw fault("`KeySize` of an RSA key must be 1024 to 4096 and a multiple of 8")
      }
      return .rsa(size)
    }
    switch (size, isBound) {
    case (256, _): return .p256
    case (384, _): return .p384
    case (521, false): return .p521
    case (521, true): throw fault("a key that is bound to hardware must have 256 or 384 bits")
    default:  // open: any other size
      throw fault("`KeySize` of this key type must be 256, 384 or 521")
    }
  }
}
