/// The keys of the data of credential assets, as JSON.
///
/// Source: github.com/apple/device-management, `declarative/declarations/assets/credentials`.
extension PayloadSchema {
  static let password = [
    PayloadKey("UserName", .required, .string),
    PayloadKey("Password", .optional, .string),
  ]

  static let identity = [
    PayloadKey("Password", .required, .string),
    PayloadKey("Identity", .required, .data),
  ]

  static let scep = [
    PayloadKey("URL", .required, .string),
    PayloadKey("Name", .optional, .string),
    PayloadKey("Subject", .optional, subject),
    PayloadKey("Challenge", .optional, .string),
    PayloadKey("Keysize", .optional, .number([1024, 2048, 4096])),
    PayloadKey("Key Type", .optional, .word(["RSA"])),
    PayloadKey("Key Usage", .optional, .number([0, 1, 4, 5])),
    PayloadKey("CAFingerprint", .optional, .data),
    PayloadKey("Retries", .optional, .integer(0...Int.max)),
    PayloadKey("RetryDelay", .optional, .integer(0...Int.max)),
    PayloadKey("SubjectAltName", .optional, alternativeName),
  ]

  static let acme = [
    PayloadKey("DirectoryURL", .required, .string),
    PayloadKey("ClientIdentifier", .required, .string),
    PayloadKey("KeySize", .required, .integer(nil)),
    PayloadKey("KeyType", .required, .word(["RSA", "ECSECPrimeRandom"])),
    PayloadKey("HardwareBound", .required, .boolean),
    PayloadKey("Subject", .required, subject),
    PayloadKey("SubjectAltName", .optional, alternativeName),
    PayloadKey("UsageFlags", .optional, .integer(0...Int.max)),
    PayloadKey("ExtendedKeyUsage", .optional, .array(.string, count: nil)),
    PayloadKey("Attest", .optional, .boolean),
  ]

  /// The relative names, each an array of pairs of an attribute and its value.
  private static let subject: PayloadKind = .array(
    .array(.array(.string, count: 2...2), count: nil), count: nil)

  private static let alternativeName: PayloadKind = .dictionary(
    ["rfc822Name", "dNSName", "uniformResourceIdentifier", "ntPrincipalName"].map {
      PayloadKey($0, .optional, .string)
    })
}
