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
}
