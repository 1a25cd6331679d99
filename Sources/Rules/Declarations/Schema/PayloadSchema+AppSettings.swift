extension PayloadSchema {
  static let appSettings = [
    PayloadKey("Allowed", .optional, .dictionary(allowed)),
    PayloadKey(
      "Privacy", .optional,
      .dictionary([
        PayloadKey("PermissionDefaults", .optional, .named(.dictionary(permissions)))
      ])),
  ]

  /// The keys of `Allowed` that Apple publishes for macOS alone.
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
