/// How a key signs, by the names of Apple's `SecKeyAlgorithm`. Raw values are the wire's.
public enum SignatureAlgorithm: UInt32, Sendable, CaseIterable {
  /// ECDSA over the SHA-256 of what is signed, in DER.
  case ecdsaSignatureMessageX962SHA256 = 0
  /// ECDSA over what is signed, which is a digest already.
  case ecdsaSignatureDigestX962 = 1
  /// RSASSA-PKCS1-v1_5 with SHA-256.
  case rsaSignatureMessagePKCS1v15SHA256 = 2
  /// RSASSA-PSS with SHA-256 and a salt of 32 bytes.
  case rsaSignatureMessagePSSSHA256 = 3
}
