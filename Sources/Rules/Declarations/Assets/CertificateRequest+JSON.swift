internal import JSON

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
