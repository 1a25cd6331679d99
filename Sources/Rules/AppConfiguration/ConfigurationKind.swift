internal import GraphDocuments

/// App configurations for iOS: Graph's `targetedManagedAppConfiguration` and `iosMobileAppConfiguration`.
enum ConfigurationKind: AppDocumentKind {
  typealias ErrorCode = AppConfigurationErrorCode
  typealias WarningCode = AppConfigurationWarningCode

  static let indefiniteName = "an app configuration"
  static let definiteName = "the configuration"
  static let appWithoutBundleID: AppConfigurationWarningCode? = nil

  /// The words as a phrase: `` one of `a`, `b` ``.
  static func list(_ words: [String]) -> String {
    "one of " + words.map { "`\($0)`" }.joined(separator: ", ")
  }

  /// The documented properties of a configuration.
  ///
  /// Source: Microsoft Graph, resource types `targetedManagedAppConfiguration`, `iosMobileAppConfiguration` and
  /// `defaultManagedAppProtection`, v1.0 and beta.
  static func properties(of channel: AppConfigurationDocument.Channel) -> KnownProperties {
    switch channel {
    case .managedApps: managedApps
    case .managedDevices: managedDevices
    }
  }

  private static let common = [
    "assignments", "createdDateTime", "description", "displayName", "id", "lastModifiedDateTime",
    "roleScopeTagIds", "settings", "version",
  ]

  private static let managedApps = KnownProperties([
    .any: common + [
      "appGroupType", "apps", "customSettings", "deployedAppCount", "deploymentSummary",
      "isAssigned", "targetedAppManagementLevels",
    ]
  ])

  private static let managedDevices = KnownProperties([
    .any: common + [
      "deviceStatusSummary", "deviceStatuses", "encodedSettingXml", "targetedMobileApps",
      "userStatusSummary", "userStatuses",
    ]
  ])
}
