/// The valid keys in the payloads of declarations.
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

  /// Returns whether payloads of this type may contain arbitrary keys.
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

// MARK: - Keys

/// A key of a payload, as published by Apple.
///
/// Source: github.com/apple/device-management, `declarative/declarations`.
struct PayloadKey: Sendable {
  enum Presence: Sendable {
    case required, optional
  }

  let name: String
  let presence: Presence
  let kind: PayloadKind

  init(_ name: String, _ presence: Presence, _ kind: PayloadKind) {
    self.name = name
    self.presence = presence
    self.kind = kind
  }

  /// The keys inside the value, if it is a dictionary with fixed keys; otherwise empty.
  var members: [PayloadKey] { if case .dictionary(let keys) = kind { keys } else { [] } }
}

indirect enum PayloadKind: Sendable {
  case string
  case boolean
  /// An integer in the range; nil for any integer.
  case integer(ClosedRange<Int>?)
  /// One of these words.
  case word([String])
  case number([Int])
  /// Bytes in Base64.
  case data
  /// The identifier of a declaration of one of these types.
  case reference([DeclarationType])
  /// The identifier of a configuration of any type.
  case configuration
  /// An array. `count` is the permitted range of its number of elements; nil permits any number.
  case array(PayloadKind, count: ClosedRange<Int>?)
  case dictionary([PayloadKey])
  /// A dictionary with arbitrary keys whose values all have this kind.
  case named(PayloadKind)
  /// A dictionary with arbitrary keys and values.
  case free
}

// MARK: - Managed apps

extension PayloadSchema {
  static let managedApp = [
    PayloadKey("AppStoreID", .optional, .string),
    PayloadKey("BundleID", .optional, .string),
    PayloadKey("ManifestURL", .optional, .string),
    PayloadKey("AppComposedIdentifier", .optional, .string),
    PayloadKey("iOSApp", .optional, .boolean),
    PayloadKey("InstallBehavior", .optional, .dictionary(installBehavior)),
    PayloadKey(
      "UpdateBehavior", .optional,
      .dictionary([PayloadKey("AutomaticAppUpdates", .required, .word(choices))])),
    PayloadKey("IncludeInBackup", .optional, .boolean),
    PayloadKey("Attributes", .optional, .dictionary(attributes)),
    PayloadKey("AppConfig", .optional, .dictionary(appConfiguration)),
    PayloadKey("ExtensionConfigs", .optional, .named(.dictionary(appConfiguration))),
    PayloadKey("LegacyAppConfigAssetReference", .optional, .reference([.dataAsset])),
  ]

  private static let choices = ["AlwaysOn", "AlwaysOff", "StoreSettings"]

  private static let installBehavior = [
    PayloadKey("Install", .optional, .word(["Optional", "Required"])),
    PayloadKey(
      "License", .optional,
      .dictionary([
        PayloadKey("Assignment", .optional, .word(["Device", "User"])),
        PayloadKey("VPPType", .optional, .word(["Device", "User"])),
      ])),
    PayloadKey("Version", .optional, .integer(nil)),
    PayloadKey("AllowDownloadsOverCellular", .optional, .word(choices)),
  ]

  private static let attributes =
    [
      PayloadKey("AssociatedDomains", .optional, .array(.string, count: nil)),
      PayloadKey("AssociatedDomainsEnableDirectDownloads", .optional, .boolean),
      PayloadKey("Hideable", .optional, .boolean),
      PayloadKey("Lockable", .optional, .boolean),
      PayloadKey("TapToPayScreenLock", .optional, .boolean),
    ]
    + [
      "CellularSliceUUID", "ContentFilterUUID", "DNSProxyUUID", "RelayUUID", "VPNUUID",
    ].map { PayloadKey($0, .optional, .string) }

  private static let appConfiguration = [
    PayloadKey("DataAssetReference", .optional, .reference([.dataAsset])),
    PayloadKey("Passwords", .optional, secrets([.passwordAsset])),
    PayloadKey("Identities", .optional, secrets([.identityAsset, .scepAsset, .acmeAsset])),
    PayloadKey("Certificates", .optional, secrets([.certificateAsset])),
  ]

  private static func secrets(_ types: [DeclarationType]) -> PayloadKind {
    .array(
      .dictionary([
        PayloadKey("Identifier", .required, .string),
        PayloadKey("AssetReference", .required, .reference(types)),
      ]), count: nil)
  }

  // MARK: App settings

  static let appSettings = [
    PayloadKey("Allowed", .optional, .dictionary(allowed)),
    PayloadKey(
      "Privacy", .optional,
      .dictionary([
        PayloadKey("PermissionDefaults", .optional, .named(.dictionary(permissions)))
      ])),
  ]

  /// The keys in `Allowed` that exist only for macOS, according to Apple.
  static let macOSLists = ["AllowedBinaries", "DeniedBinaries", "AlwaysAllowManagedApps"]

  private static let allowed = [
    PayloadKey("AllowedApps", .optional, .array(.string, count: nil)),
    PayloadKey("DeniedApps", .optional, .array(.string, count: nil)),
    PayloadKey("AllowedBinaries", .optional, .array(.dictionary(binary), count: nil)),
    PayloadKey("DeniedBinaries", .optional, .array(.dictionary(binary), count: nil)),
    PayloadKey("AlwaysAllowManagedApps", .optional, .boolean),
  ]

  private static let binary =
    ["CDHash", "SigningID", "TeamID", "PathPrefix"].map { PayloadKey($0, .optional, .string) }
    + [
      PayloadKey(
        "SigningState", .optional,
        .word(["All", "TestFlight", "DeveloperID", "Enterprise", "AppStore", "Apple"]))
    ]

  private static let permissions =
    [
      PayloadKey("OrganizationJustification", .required, .string),
      PayloadKey("Location", .optional, .word(["None", "WhileUsing", "Always"])),
      PayloadKey("LocationAccuracy", .optional, .word(["None", "Approximate", "Precise"])),
    ]
    + ["Accessibility", "Bluetooth", "Camera", "Dictation", "LocalNetwork", "Microphone"].map {
      PayloadKey($0, .optional, .word(["None", "Allow"]))
    }
}

// MARK: - Credentials

/// The keys of credentials. The data of a credential asset is a JSON object with these keys.
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

  /// A distinguished name: an array of relative distinguished names, each an array of attribute-value pairs.
  private static let subject: PayloadKind = .array(
    .array(.array(.string, count: 2...2), count: nil), count: nil)

  private static let alternativeName: PayloadKind = .dictionary(
    ["rfc822Name", "dNSName", "uniformResourceIdentifier", "ntPrincipalName"].map {
      PayloadKey($0, .optional, .string)
    })
}
