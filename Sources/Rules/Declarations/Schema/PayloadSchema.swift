/// The keys that the payloads of declarations may have.
///
/// Source: github.com/apple/device-management, `declarative/declarations`.
enum PayloadSchema {
  static func keys(of type: DeclarationType) -> [PayloadKey] {
    switch type {
    case .activation: activation
    case .managedApp: managedApp
    case .appSettings: appSettings
    case .legacyProfile: legacyProfile
    case .statusSubscriptions: statusSubscriptions
    case .test: test
    case .dataAsset, .passwordAsset, .certificateAsset: [reference, authentication]
    case .identityAsset, .scepAsset, .acmeAsset: [reference, authentication, accessible]
    case .properties: []
    case .organization: organization
    case .serverCapabilities: serverCapabilities
    }
  }

  /// Whether a payload may have any key.
  static func isOpen(_ type: DeclarationType) -> Bool { type == .properties }

  private static let activation = [
    PayloadKey("StandardConfigurations", .required, .array(.configuration, count: nil)),
    PayloadKey("Predicate", .optional, .string),
  ]

  private static let legacyProfile = [
    PayloadKey("ProfileURL", .optional, .string),
    PayloadKey("ProfileAssetReference", .optional, .reference([.dataAsset])),
  ]

  private static let statusSubscriptions = [
    PayloadKey(
      "StatusItems", .required,
      .array(.dictionary([PayloadKey("Name", .required, .string)]), count: nil))
  ]

  private static let test = [
    PayloadKey("Echo", .required, .string),
    PayloadKey("EchoDataAssetReference", .optional, .reference([.dataAsset])),
    PayloadKey("ReturnStatus", .optional, .word(["Installed", "Failed", "Unlocked"])),
  ]

  private static let reference = PayloadKey(
    "Reference", .required,
    .dictionary([
      PayloadKey("DataURL", .required, .string),
      PayloadKey("ContentType", .optional, .string),
      PayloadKey("Size", .optional, .integer(0...Int.max)),
      PayloadKey("Hash-SHA-256", .optional, .string),
    ]))

  private static let authentication = PayloadKey(
    "Authentication", .optional,
    .dictionary([PayloadKey("Type", .required, .word(["MDM", "None"]))]))

  private static let accessible = PayloadKey(
    "Accessible", .optional, .word(["Default", "AfterFirstUnlock"]))

  private static let organization = [
    PayloadKey("Name", .required, .string),
    PayloadKey("Email", .optional, .string),
    PayloadKey("URL", .optional, .string),
    PayloadKey(
      "Proof", .optional, .dictionary([PayloadKey("IdentityToken", .optional, .string)])),
  ]

  private static let serverCapabilities = [
    PayloadKey("Version", .required, .string),
    PayloadKey("SupportedFeatures", .required, .free),
  ]
}
