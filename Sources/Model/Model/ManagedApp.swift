/// A kind of secret that an administrator provides for a managed app. Raw values match the wire protocol.
public enum ManagedSecret: UInt32, Sendable, CaseIterable {
  case password = 0
  case certificate = 1
  case identity = 2
}

/// A part of a managed app's configuration that changes independently of the other parts. Raw values match the wire
/// protocol.
public enum ManagedAspect: UInt32, Sendable, CaseIterable {
  case configuration = 0
  /// The configuration in the user defaults, `com.apple.configuration.managed`.
  case legacyConfiguration = 1
  case passwords = 2
  case certificates = 3
  case identities = 4

  /// Creates the aspect that a kind of secret belongs to.
  public init(_ secret: ManagedSecret) {
    self =
      switch secret {
      case .password: .passwords
      case .certificate: .certificates
      case .identity: .identities
      }
  }

  /// The aspect's name in scripts and in the journal.
  public var name: String { "\(self)" }
}

/// The reason why a secret is unavailable, as in Apple's framework. The raw value is the status in the outcome of the
/// request.
public enum ManagedAppError: Int, Error, Sendable {
  /// No secret has the identifier, or it was removed.
  case invalidIdentifier = 1
  /// The device cannot use the secret.
  case internalError
  /// The device cannot get the secret from its server.
  case serverError
}

/// A signature algorithm, named as in Apple's `SecKeyAlgorithm`. Raw values match the wire protocol.
public enum SignatureAlgorithm: UInt32, Sendable, CaseIterable {
  /// ECDSA over the SHA-256 of the data, in DER.
  case ecdsaSignatureMessageX962SHA256 = 0
  /// ECDSA over data that is already a digest.
  case ecdsaSignatureDigestX962 = 1
  case rsaSignatureMessagePKCS1v15SHA256 = 2
  /// RSASSA-PSS with SHA-256 and a salt of 32 bytes.
  case rsaSignatureMessagePSSSHA256 = 3
  /// ECDSA over the SHA-384 of the data, in DER. This case and those below are the message algorithms above with longer
  /// digests. The PSS salt is as long as the digest.
  case ecdsaSignatureMessageX962SHA384 = 4
  case ecdsaSignatureMessageX962SHA512 = 5
  case rsaSignatureMessagePKCS1v15SHA384 = 6
  case rsaSignatureMessagePKCS1v15SHA512 = 7
  case rsaSignatureMessagePSSSHA384 = 8
  case rsaSignatureMessagePSSSHA512 = 9
}
