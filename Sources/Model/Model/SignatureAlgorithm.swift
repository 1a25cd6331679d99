/// An algorithm by which a key signs, by the names of Apple's `SecKeyAlgorithm`. Raw values are the wire's.
public enum SignatureAlgorithm: UInt32, Sendable, CaseIterable {
  /// ECDSA over the SHA-256 of the data, in DER.
  case ecdsaSignatureMessageX962SHA256 = 0
  /// ECDSA over data that are a digest already.
  case ecdsaSignatureDigestX962 = 1
  /// RSASSA-PKCS1-v1_5 with SHA-256.
  case rsaSignatureMessagePKCS1v15SHA256 = 2
  /// RSASSA-PSS with SHA-256 and a salt of 32 bytes.
  case rsaSignatureMessagePSSSHA256 = 3
  /// The message algorithms above with longer digests; the salt of PSS is as long as the digest.
  case ecdsaSignatureMessageX962SHA384 = 4
  case ecdsaSignatureMessageX962SHA512 = 5
  case rsaSignatureMessagePKCS1v15SHA384 = 6
  case rsaSignatureMessagePKCS1v15SHA512 = 7
  case rsaSignatureMessagePSSSHA384 = 8
  case rsaSignatureMessagePSSSHA512 = 9
}
